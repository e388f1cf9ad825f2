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

/// Whether a field is a note, right or damaged; `value` is that of a string.
pub(super) fn is_note(name: &str, value: Option<&str>) -> bool {
    name == FIELD || value.is_some_and(|value| value.starts_with(ANY_MARK))
}

/// Whether a note whose field ends at this offset is exactly as it is written, and vouches for all
/// that stands before it.
pub(super) fn vouches(bytes: &[u8], end: usize) -> bool {
    let Some((before, rest)) = end
        .checked_sub(DIGITS + 1)
        .and_then(|start| bytes.split_at_checked(start))
    else {
        return false;
    };
    let Some((digits, tail)) = rest.split_at_checked(DIGITS) else {
        return false;
    };
    let sum = parse_hex(digits, DIGITS);
    is_as_written(before, tail) && sum == Some(u64::from(crc32c::crc32c(before)))
}

/// Whether a note stands around its digits, in one of the two layouts and without any escape: the
/// same note has the same bytes.
fn is_as_written(before: &[u8], tail: &[u8]) -> bool {
    let field = before
        .strip_suffix(MARK.as_bytes())
        .and_then(|rest| rest.strip_suffix(b"\":\""))
        .and_then(|rest| rest.strip_suffix(FIELD.as_bytes()))
        .and_then(|rest| rest.strip_suffix(b"\""));
    match field {
        Some([.., b',']) => tail == b"\"}",
        Some([.., b',', b'\n', b'\t']) => tail == b"\"\n}",
        Some(_) | None => false,
    }
}

/// Appends the digits for what stands in `text`.
pub(super) fn push_checksum(text: &mut String) {
    let sum = crc32c::crc32c(text.as_bytes());
    text.push_str(&format!("{sum:08x}"));
}
