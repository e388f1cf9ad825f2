//! The layout that the writer meta and the reader meta share.
//!
//! ```text
//! TEXT                (as the original writes it)
//! AE 83
//! newline, NOTE, newline, spaces up to offset 499
//! CHECKSUM            (8 hex digits at offset 500: the CRC-32C of all bytes before it)
//! newline, three bytes that do not count
//! ```
//!
//! The original reads the text and AE 83 and ignores the rest; before it writes it zeroes the last
//! two bytes of the file, which therefore do not count.

use crate::records::text::{Text, parse_decimal, parse_hex};

/// Size of a meta with a note: one sector, always the same.
pub const META_BYTES: usize = 512;
const CHECKED_BYTES: usize = 500;
const LINE_END: usize = CHECKED_BYTES + 8;
/// What the original ends a meta with.
pub(super) const END_MARK: [u8; 2] = [0xae, 0x83];
/// Marks a note and its version.
pub(super) const NOTE_MARK: &[u8] = b"crashline 1";

/// What follows a note up to its checksum, at most.
const FILLER: [u8; CHECKED_BYTES] = [b' '; CHECKED_BYTES];

/// What the first bytes of a meta file are.
pub(super) enum Layout<'a> {
    /// Ours and whole: the text, and the note behind its mark.
    Noted {
        /// The lines of the original.
        text: &'a [u8],
        /// What follows the mark and a space, without the newline.
        note: &'a [u8],
    },
    /// Text and perhaps the end mark, nothing else; whether it parses is not looked at.
    Bare(&'a [u8]),
}

/// Tells text and note apart. `bytes` are the whole file, or more than [`META_BYTES`] of it.
pub(super) fn split(bytes: &[u8]) -> Layout<'_> {
    match split_noted(bytes) {
        Some(noted) => noted,
        None => Layout::Bare(bytes.strip_suffix(&END_MARK).unwrap_or(bytes)),
    }
}

fn split_noted(bytes: &[u8]) -> Option<Layout<'_>> {
    let bytes: &[u8; META_BYTES] = bytes.try_into().ok()?;
    let (checked, rest) = bytes.split_at(CHECKED_BYTES);
    let (digits, end) = rest.split_at(LINE_END - CHECKED_BYTES);
    let is_whole =
        end.first() == Some(&b'\n') && parse_hex(digits, 8)? == u64::from(crc32c::crc32c(checked));
    if !is_whole {
        return None;
    }
    let at = checked.windows(2).position(|pair| pair == END_MARK)?;
    let (text, rest) = checked.split_at(at);
    let line = rest.strip_prefix(&END_MARK)?.strip_prefix(b"\n")?;
    let line = line.strip_prefix(NOTE_MARK)?.strip_prefix(b" ")?;
    let (note, filler) = line.split_at(first_line_end(line)?);
    let is_filled = FILLER.starts_with(filler.get(1..)?);
    is_filled.then_some(Layout::Noted { text, note })
}

/// Where the first newline stands. A note is long, and is looked through by pieces.
fn first_line_end(bytes: &[u8]) -> Option<usize> {
    const PIECE_BYTES: usize = 16;
    let is_newline = |byte: &u8| *byte == b'\n';
    let (pieces, _) = bytes.as_chunks::<PIECE_BYTES>();
    let has_none = |piece: &[u8; PIECE_BYTES]| {
        let mut found = false;
        for byte in piece {
            found |= is_newline(byte);
        }
        !found
    };
    let from = PIECE_BYTES * pieces.iter().take_while(|piece| has_none(piece)).count();
    let rest = bytes.get(from..).unwrap_or_default();
    Some(from + rest.iter().position(is_newline)?)
}

/// The bytes of a meta: `write_text` and `write_note` push text and note.
pub(super) fn join(
    write_text: impl FnOnce(&mut Text<META_BYTES>),
    write_note: impl FnOnce(&mut Text<META_BYTES>),
) -> [u8; META_BYTES] {
    let mut text = Text::new();
    write_text(&mut text);
    text.push(&END_MARK);
    text.push(b"\n");
    text.push(NOTE_MARK);
    text.push(b" ");
    write_note(&mut text);
    text.push(b"\n");
    text.go_to(CHECKED_BYTES);
    let sum = crc32c::crc32c(text.bytes().split_at(CHECKED_BYTES).0);
    text.push_hex(&sum.to_be_bytes());
    text.push(b"\n");
    *text.bytes()
}

/// These bytes with the checksum that would be right for them, as if none were asked for.
pub(super) fn vouched(mut bytes: Vec<u8>) -> Vec<u8> {
    let Some((checked, rest)) = bytes.split_at_mut_checked(CHECKED_BYTES) else {
        return bytes;
    };
    let sum = format!("{:08x}\n", crc32c::crc32c(checked));
    if let Some(place) = rest.get_mut(..sum.len()) {
        place.copy_from_slice(sum.as_bytes());
    }
    bytes
}

/// Exactly `COUNT` decimal numbers that stand behind one another, each ended by its byte of `ends`.
pub(super) fn decimals<const COUNT: usize>(
    mut bytes: &[u8],
    ends: &[u8; COUNT],
) -> Option<[u64; COUNT]> {
    let mut numbers = [0; COUNT];
    for (number, end) in numbers.iter_mut().zip(ends) {
        let at = bytes.iter().position(|byte| byte == end)?;
        let (digits, rest) = bytes.split_at(at);
        *number = parse_decimal(digits)?;
        bytes = rest.split_first()?.1;
    }
    bytes.is_empty().then_some(numbers)
}

/// Exactly `COUNT` numbers of 16 hex digits, one space between them.
pub(super) fn hex_fields<const COUNT: usize>(bytes: &[u8]) -> Option<[u64; COUNT]> {
    const DIGITS: usize = 16;
    let mut numbers = [0; COUNT];
    let mut rest = bytes;
    for (index, number) in numbers.iter_mut().enumerate() {
        if index > 0 {
            rest = rest.strip_prefix(b" ")?;
        }
        let (digits, behind) = rest.split_at_checked(DIGITS)?;
        *number = parse_hex(digits, DIGITS)?;
        rest = behind;
    }
    rest.is_empty().then_some(numbers)
}

/// Pushes numbers as [`hex_fields`] reads them.
pub(super) fn push_hex_fields(text: &mut Text<META_BYTES>, numbers: &[u64]) {
    for (index, number) in numbers.iter().enumerate() {
        if index > 0 {
            text.push(b" ");
        }
        text.push_hex(&number.to_be_bytes());
    }
}
