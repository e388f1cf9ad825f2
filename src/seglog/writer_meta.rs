//! The writer meta: the flushed end as text, and in the note everything that makes it true.
//!
//! ```text
//! COUNT
//! SEGMENT,POSITION,OFFSET
//! <AE 83>
//! crashline 1 BOOT GENERATION LIFE STATE SEQUENCE SUMS DURABLE_END START   (two positions)
//! ```

use super::noted::{Layout, META_BYTES, decimals, hex_fields, join, push_hex_fields, split};
use super::position::Position;
use crate::fs::BootId;
use crate::records::text::parse_boot;

/// What recovery may keep behind the durable end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WriterState {
    /// Nothing: the log was closed, and there is nothing behind it.
    Closed,
    /// What follows without a hole.
    #[default]
    Opened,
    /// Nothing: what is there is still to be cut.
    Cutting,
    /// Nothing: the log was closed, and some of its files may be in another directory already.
    Moving,
}

impl WriterState {
    const fn word(self) -> &'static [u8] {
        match self {
            Self::Closed => b"closed",
            Self::Opened => b"opened",
            Self::Cutting => b"cutting",
            Self::Moving => b"moving",
        }
    }

    fn of(word: &[u8]) -> Option<Self> {
        [Self::Closed, Self::Opened, Self::Cutting, Self::Moving]
            .into_iter()
            .find(|state| state.word() == word)
    }
}

/// What the note tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WriterNote {
    /// The boot in which the log was last written; `None` where that cannot be known.
    pub boot: Option<BootId>,
    /// The present generation.
    pub generation: u64,
    /// The first generation of this life: sums of earlier ones do not count.
    pub life: u64,
    /// What counts behind the durable end.
    pub state: WriterState,
    /// Grows with every write of a meta.
    pub sequence: u64,
    /// Bytes of the sums of the durable end's segment that belong to records before it.
    pub sums_bytes: u64,
    /// Everything before it is durable.
    pub durable: Position,
    /// The log's start.
    pub start: Position,
}

/// What a copy of the writer meta is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriterMeta {
    /// There is none.
    Absent,
    /// Ours, and whole: the flushed end, and the note.
    Noted(Position, WriterNote),
    /// An original wrote last.
    Bare(Position),
    /// Nothing in it is believed.
    Damaged,
}

/// Judges a whole file, or more than [`META_BYTES`] bytes of one.
#[must_use]
pub fn parse(bytes: &[u8]) -> WriterMeta {
    match split(bytes) {
        Layout::Noted { text, note } => parse_text(text)
            .zip(parse_note(note))
            .map(|(end, note)| WriterMeta::Noted(end, note)),
        Layout::Bare(text) => parse_text(text).map(WriterMeta::Bare),
    }
    .unwrap_or(WriterMeta::Damaged)
}

/// The bytes of a meta with its note.
#[must_use]
pub fn encode(end: &Position, note: &WriterNote) -> [u8; META_BYTES] {
    join(
        |text| {
            text.push_decimal(end.count);
            text.push(b"\n");
            text.push_decimal(end.segment);
            text.push(b",");
            text.push_decimal(end.position);
            text.push(b",");
            text.push_decimal(end.offset);
            text.push(b"\n");
        },
        |text| {
            match note.boot {
                Some(BootId(id)) => text.push_hex(&id),
                None => text.push(&[b'-'; 32]),
            }
            text.push(b" ");
            push_hex_fields(text, &[note.generation, note.life]);
            text.push(b" ");
            text.push(note.state.word());
            text.push(b" ");
            let (end, start) = (note.durable, note.start);
            let numbers = [
                [note.sequence, note.sums_bytes, end.segment, end.position],
                [end.offset, end.count, start.segment, start.position],
            ];
            push_hex_fields(text, numbers.as_flattened());
            text.push(b" ");
            push_hex_fields(text, &[start.offset, start.count]);
        },
    )
}

fn parse_text(text: &[u8]) -> Option<Position> {
    let [count, segment, position, offset] = decimals(text, b"\n,,\n")?;
    Some(Position {
        segment,
        position,
        offset,
        count,
    })
}

fn parse_note(note: &[u8]) -> Option<WriterNote> {
    let mut fields = note.splitn(5, |byte| *byte == b' ');
    let boot = match fields.next()? {
        dashes if dashes == [b'-'; 32] => None,
        digits => Some(parse_boot(digits)?),
    };
    let [generation] = hex_fields(fields.next()?)?;
    let [life] = hex_fields(fields.next()?)?;
    let state = WriterState::of(fields.next()?)?;
    let [sequence, sums_bytes, a, b, c, d, e, f, g, h] = hex_fields(fields.next()?)?;
    let position = |[segment, position, offset, count]: [u64; 4]| Position {
        segment,
        position,
        offset,
        count,
    };
    Some(WriterNote {
        boot,
        generation,
        life,
        state,
        sequence,
        sums_bytes,
        durable: position([a, b, c, d]),
        start: position([e, f, g, h]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> (Position, WriterNote) {
        let end = Position {
            segment: 3,
            position: 420,
            offset: 3604,
            count: 60,
        };
        let note = WriterNote {
            boot: Some(BootId([7; 16])),
            generation: 9,
            life: 4,
            state: WriterState::Cutting,
            sequence: u64::MAX,
            sums_bytes: 77,
            durable: end.moved(0, 0),
            start: Position::default(),
        };
        (end, note)
    }

    #[test]
    fn a_noted_meta_comes_back_and_every_flip_that_counts_is_seen() {
        let (end, note) = example();
        let bytes = encode(&end, &note);
        assert!(bytes.starts_with(b"60\n3,420,3604\n\xae\x83\ncrashline 1 0707"));
        assert_eq!(parse(&bytes), WriterMeta::Noted(end, note));
        for bit in 0..(META_BYTES - 3) * 8 {
            let mut flipped = bytes;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(parse(&flipped), WriterMeta::Damaged, "bit {bit}");
        }
        let mut zeroed = bytes;
        zeroed[META_BYTES - 2..].fill(0);
        assert_eq!(
            parse(&zeroed),
            WriterMeta::Noted(end, note),
            "an original began"
        );
    }

    #[test]
    fn what_an_original_writes_is_bare_and_nothing_else_is() {
        let (end, _) = example();
        assert_eq!(parse(b"60\n3,420,3604\n\xae\x83"), WriterMeta::Bare(end));
        assert_eq!(
            parse(b"60\n3,420,3604\n"),
            WriterMeta::Bare(end),
            "a `.tmp`"
        );
        for wrong in [
            &b""[..],
            b"60\n3,420,3604",
            b"60\n3,420\n",
            b"60\n3,420,3604\n\0\0",
            b"60\n3,420,3604\n\xae",
            b"060\n3,420,3604\n",
            b"60\n-3,420,3604\n",
            b"60\n3,420,9223372036854775808\n",
            b"\xae\x83",
        ] {
            assert_eq!(
                parse(wrong),
                WriterMeta::Damaged,
                "{}",
                wrong.escape_ascii()
            );
        }
    }
}
