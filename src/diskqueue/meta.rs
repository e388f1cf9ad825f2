//! The meta file: depth and both positions as text, and behind them the note.
//!
//! ```text
//! DEPTH
//! READ_SEGMENT,READ_OFFSET
//! WRITE_SEGMENT,WRITE_OFFSET
//! crashline 1 BOOT GENERATION STATE SUMS      (the note; spaces up to offset 247)
//! CHECKSUM
//! ```
//!
//! With a note it has exactly [`META_BYTES`]; the checksum is the CRC-32C of all bytes before it,
//! as 8 hex digits. The original writes the first three lines, reads them, and ignores the rest.

use super::position::Position;
use super::quirks::{Quirk, Quirks};
use crate::fs::BootId;
use crate::records::text::{Text, parse_boot, parse_decimal, parse_hex};

/// Size of a meta with a note: within one sector, always the same.
pub const META_BYTES: usize = 256;
const CHECKED_BYTES: usize = 247;
const NOTE_MARK: &[u8] = b"crashline 1";
const SPACES: [u8; META_BYTES] = [b' '; META_BYTES];

/// What the three lines tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Meta {
    /// Messages between the positions. An original may have let it run negative.
    pub depth: i64,
    /// The next message to deliver.
    pub read: Position,
    /// Where the next record goes.
    pub write: Position,
}

/// What the note tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Note {
    /// The boot in which the queue was last written; `None` where that cannot be known.
    pub boot: Option<BootId>,
    /// The life of the log that the sums belong to.
    pub generation: u64,
    /// Closed cleanly.
    pub closed: bool,
    /// Bytes of the write segment's sums that belong to records before the write position.
    pub sums_bytes: u64,
}

/// What a meta file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetaState {
    /// There is none.
    Absent,
    /// Ours, and whole.
    Noted(Meta, Note),
    /// An original wrote last.
    Bare(Meta),
    /// Nothing in it is believed.
    Damaged,
}

/// Judges the first [`META_BYTES`] of a meta file.
pub(super) fn parse(bytes: &[u8], quirks: Quirks) -> MetaState {
    if let Some((meta, note)) = parse_noted(bytes, quirks) {
        return MetaState::Noted(meta, note);
    }
    match parse_lines(bytes) {
        Some((meta, [])) => MetaState::Bare(meta),
        _ if quirks.has(Quirk::MetaHalfParsed) => MetaState::Bare(parse_what_scans(bytes)),
        _ => MetaState::Damaged,
    }
}

/// The bytes of a meta with its note.
#[must_use]
pub fn encode(meta: &Meta, note: &Note) -> [u8; META_BYTES] {
    let mut text = Text::<META_BYTES>::new();
    let sign: &[u8] = if meta.depth < 0 { b"-" } else { b"" };
    text.push(sign);
    text.push_decimal(meta.depth.unsigned_abs());
    for position in [meta.read, meta.write] {
        text.push(b"\n");
        text.push_decimal(position.segment);
        text.push(b",");
        text.push_decimal(position.offset);
    }
    text.push(b"\n");
    text.push(NOTE_MARK);
    text.push(b" ");
    match note.boot {
        Some(BootId(id)) => text.push_hex(&id),
        None => text.push(&[b'-'; 32]),
    }
    text.push(b" ");
    text.push_hex(&note.generation.to_be_bytes());
    text.push(if note.closed {
        b" closed ".as_slice()
    } else {
        b" opened ".as_slice()
    });
    text.push_hex(&note.sums_bytes.to_be_bytes());
    text.push(b"\n");
    text.go_to(CHECKED_BYTES);
    let sum = crc32c::crc32c(text.bytes().split_at(CHECKED_BYTES).0);
    text.push_hex(&sum.to_be_bytes());
    text.push(b"\n");
    *text.bytes()
}

fn parse_noted(bytes: &[u8], quirks: Quirks) -> Option<(Meta, Note)> {
    let bytes = bytes.first_chunk::<META_BYTES>()?;
    let (checked, checksum) = bytes.split_at(CHECKED_BYTES);
    let (digits, end) = checksum.split_at(8);
    let is_whole = end == b"\n" && parse_hex(digits, 8)? == u64::from(crc32c::crc32c(checked));
    let trusted = is_whole || quirks.has(Quirk::MetaUnchecked);
    let (meta, rest) = parse_lines(checked)?;
    let note = parse_note(rest)?;
    let in_order = meta.read <= meta.write || quirks.has(Quirk::MetaUnchecked);
    (trusted && in_order && meta.depth >= 0).then_some((meta, note))
}

fn parse_note(bytes: &[u8]) -> Option<Note> {
    let fields = bytes.strip_prefix(NOTE_MARK)?.strip_prefix(b" ")?;
    let (boot, fields) = fields.split_first_chunk::<32>()?;
    let boot = match boot {
        [b'-', ..] if *boot == [b'-'; 32] => None,
        digits => Some(parse_boot(digits)?),
    };
    let (generation, fields) = split_at_byte(fields.strip_prefix(b" ")?, b' ')?;
    let (state, fields) = split_at_byte(fields, b' ')?;
    let (sums_bytes, filler) = split_at_byte(fields, b'\n')?;
    let spaces = SPACES.get(..filler.len());
    if spaces != Some(filler) {
        return None;
    }
    Some(Note {
        boot,
        generation: parse_hex(generation, 16)?,
        closed: match state {
            b"closed" => true,
            b"opened" => false,
            _ => return None,
        },
        sums_bytes: parse_hex(sums_bytes, 16)?,
    })
}

/// The three lines, and what follows them.
fn parse_lines(bytes: &[u8]) -> Option<(Meta, &[u8])> {
    let (depth, rest) = split_at_byte(bytes, b'\n')?;
    let (read_segment, rest) = split_at_byte(rest, b',')?;
    let (read_offset, rest) = split_at_byte(rest, b'\n')?;
    let (write_segment, rest) = split_at_byte(rest, b',')?;
    let (write_offset, rest) = split_at_byte(rest, b'\n')?;
    let meta = Meta {
        depth: parse_depth(depth)?,
        read: Position::new(parse_decimal(read_segment)?, parse_decimal(read_offset)?),
        write: Position::new(parse_decimal(write_segment)?, parse_decimal(write_offset)?),
    };
    Some((meta, rest))
}

/// The quirk: what can be scanned is kept, what cannot stays zero.
fn parse_what_scans(bytes: &[u8]) -> Meta {
    let mut numbers = bytes
        .split(|byte| *byte == b'\n' || *byte == b',')
        .map_while(parse_decimal);
    let mut next = || numbers.next().unwrap_or(0);
    Meta {
        depth: i64::try_from(next()).unwrap_or(0),
        read: Position::new(next(), next()),
        write: Position::new(next(), next()),
    }
}

fn split_at_byte(bytes: &[u8], separator: u8) -> Option<(&[u8], &[u8])> {
    let at = bytes.iter().position(|byte| *byte == separator)?;
    Some((bytes.get(..at)?, bytes.get(at + 1..)?))
}

fn parse_depth(digits: &[u8]) -> Option<i64> {
    match digits.strip_prefix(b"-") {
        Some(digits) => i64::try_from(parse_decimal(digits)?)
            .ok()
            .filter(|depth| *depth > 0)
            .map(|depth| -depth),
        None => i64::try_from(parse_decimal(digits)?).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::position::NUMBER_MAX;
    use super::*;

    fn sample() -> (Meta, Note) {
        let meta = Meta {
            depth: 12,
            read: Position::new(3, 50),
            write: Position::new(12, 100),
        };
        let note = Note {
            boot: Some(BootId([0xa7; 16])),
            generation: 3,
            closed: true,
            sums_bytes: 480,
        };
        (meta, note)
    }

    #[test]
    fn a_noted_meta_has_these_bytes() {
        let (meta, note) = sample();
        let bytes = encode(&meta, &note);
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let boot = "a7".repeat(16);
        let lines = format!(
            "12\n3,50\n12,100\ncrashline 1 {boot} 0000000000000003 closed 00000000000001e0\n"
        );
        assert!(text.starts_with(&lines), "{text}");
        let sum = crc32c::crc32c(&bytes[..247]);
        assert_eq!(&text[247..], format!("{sum:08x}\n"));
        assert_eq!(
            parse(&bytes, Quirks::default()),
            MetaState::Noted(meta, note)
        );
    }

    #[test]
    fn the_largest_numbers_fit() {
        let largest = Position::new(NUMBER_MAX, NUMBER_MAX);
        let meta = Meta {
            depth: i64::MAX,
            read: largest,
            write: largest,
        };
        let note = Note {
            generation: u64::MAX,
            sums_bytes: u64::MAX,
            ..Note::default()
        };
        let bytes = encode(&meta, &note);
        assert_eq!(
            parse(&bytes, Quirks::default()),
            MetaState::Noted(meta, note)
        );
    }

    #[test]
    fn every_flip_and_every_cut_is_seen() {
        let (meta, note) = sample();
        let bytes = encode(&meta, &note);
        let damaged = |bytes: &[u8]| parse(bytes, Quirks::default());
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(damaged(&flipped), MetaState::Damaged, "bit {bit}");
        }
        for size in 0..bytes.len() {
            let expected = if size == "12\n3,50\n12,100\n".len() {
                MetaState::Bare(meta)
            } else {
                MetaState::Damaged
            };
            assert_eq!(damaged(&bytes[..size]), expected, "cut at {size}");
            let mut zeroed = bytes;
            zeroed[size..].fill(0);
            assert_eq!(damaged(&zeroed), MetaState::Damaged, "zeroed from {size}");
        }
    }

    #[test]
    fn a_bare_meta_is_three_lines_and_nothing_else() {
        let parse = |text: &str| parse(text.as_bytes(), Quirks::default());
        let (mut meta, _) = sample();
        assert_eq!(parse("12\n3,50\n12,100\n"), MetaState::Bare(meta));
        meta.depth = -8;
        assert_eq!(parse("-8\n3,50\n12,100\n"), MetaState::Bare(meta));
        for text in [
            "",
            "12\n3,50\n12,100",
            "12\n3,50\n12\n",
            "12\n3,-50\n12,100\n",
            "012\n3,50\n12,100\n",
            "-0\n3,50\n12,100\n",
            "12\n3,50\n12,9223372036854775808\n",
            "12\n3,50\n12,100\n\n",
        ] {
            assert_eq!(parse(text), MetaState::Damaged, "{text:?}");
        }
    }
}
