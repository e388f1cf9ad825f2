//! The note: a field behind the table that vouches for the whole file.
//!
//! `"note":"crashline 1 CHECKSUM"`: the checksum is the CRC-32C of all bytes before its eight
//! digits. Behind them stand the closing quote and brace, with nothing or one newline between,
//! and the file ends. The clients pass over a field that they do not know.

use crate::records::text::parse_hex;

/// The name of the field.
pub(super) const FIELD: &str = "note";
/// Marks a note and its version.
pub(super) const MARK: &str = "crashline 1 ";
/// What every version begins with.
const ANY_MARK: &str = "crashline";
const DIGITS: usize = 8;

/// Whether a field is a note, right or damaged.
pub(super) fn is_note(name: &str, value: &str) -> bool {
    name == FIELD || value.starts_with(ANY_MARK)
}

/// Whether a note whose field ends at this offset is right and vouches for `bytes`.
pub(super) fn vouches(bytes: &[u8], name: &str, value: &str, end: usize) -> bool {
    let Some(digits) = value.strip_prefix(MARK) else {
        return false;
    };
    let Some((before, rest)) = end
        .checked_sub(DIGITS + 1)
        .and_then(|start| bytes.split_at_checked(start))
    else {
        return false;
    };
    let Some((written, tail)) = rest.split_at_checked(DIGITS) else {
        return false;
    };
    // Not spelled with escapes, so that the same note has the same bytes.
    let is_plain = written == digits.as_bytes();
    let sum = parse_hex(written, DIGITS);
    let is_right = sum == Some(u64::from(crc32c::crc32c(before)));
    name == FIELD && is_plain && is_right && matches!(tail, b"\"}" | b"\"\n}")
}

/// Appends the digits for what stands in `text`.
pub(super) fn push_checksum(text: &mut String) {
    let sum = crc32c::crc32c(text.as_bytes());
    text.push_str(&format!("{sum:08x}"));
}
