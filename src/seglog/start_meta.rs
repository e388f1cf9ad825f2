//! The start meta: where the log begins, as the JSON that the original writes.
//!
//! ```text
//! {"SegOffset":{"FileNum":0,"Pos":0},"VirtualOffset":0,"TotalMsgCnt":0}
//! ```
//!
//! Ours has one more field at its end: `,"Note":"crashline 1 GENERATION CHECKSUM"`, the checksum
//! being the CRC-32C of all bytes before the comma and of the generation (8 bytes, big-endian).
//! A bare one is only ever written by the original, and by it always in this one form, so no
//! other spelling is believed: a flipped bit in a key would otherwise read as a start at 0.

use super::noted::{NOTE_MARK, decimals};
use super::position::Position;
use crate::records::text::parse_hex;

/// More bytes than any start meta has.
pub(super) const START_BYTES_MAX: usize = 512;
const PIECES: [&[u8]; 4] = [
    br#"{"SegOffset":{"FileNum":"#,
    br#","Pos":"#,
    br#"},"VirtualOffset":"#,
    br#","TotalMsgCnt":"#,
];
const NOTE_FIELD: &[u8] = br#","Note":""#;

/// What a start meta is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartMeta {
    /// There is none.
    Absent,
    /// Ours, and whole: the start, and the generation that it was written in.
    Noted(Position, u64),
    /// An original wrote last.
    Bare(Position),
    /// Nothing in it is believed.
    Damaged,
}

/// Judges a whole file.
#[must_use]
pub fn parse(bytes: &[u8]) -> StartMeta {
    parse_noted(bytes)
        .or_else(|| parse_fields(bytes.strip_suffix(b"}")?).map(StartMeta::Bare))
        .unwrap_or(StartMeta::Damaged)
}

/// The bytes of a start meta with its note.
#[must_use]
pub fn encode(start: &Position, generation: u64) -> Vec<u8> {
    let mut bytes = fields(start);
    let sum = checksum(&bytes, generation);
    let mark = NOTE_MARK.escape_ascii();
    bytes.extend_from_slice(NOTE_FIELD);
    bytes.extend_from_slice(format!("{mark} {generation:016x} {sum:08x}\"}}").as_bytes());
    bytes
}

fn fields(start: &Position) -> Vec<u8> {
    let numbers = [start.segment, start.position, start.offset, start.count];
    let mut bytes = Vec::with_capacity(START_BYTES_MAX);
    for (piece, number) in PIECES.iter().zip(numbers) {
        bytes.extend_from_slice(piece);
        bytes.extend_from_slice(number.to_string().as_bytes());
    }
    bytes
}

fn parse_noted(bytes: &[u8]) -> Option<StartMeta> {
    let at = bytes
        .windows(NOTE_FIELD.len())
        .position(|window| window == NOTE_FIELD)?;
    let (checked, note) = bytes.split_at(at);
    let note = note.strip_prefix(NOTE_FIELD)?.strip_suffix(b"\"}")?;
    let digits = note.strip_prefix(NOTE_MARK)?.strip_prefix(b" ")?;
    let (generation, sum) = digits.split_at_checked(16)?;
    let generation = parse_hex(generation, 16)?;
    let sum = parse_hex(sum.strip_prefix(b" ")?, 8)?;
    let start = parse_fields(checked)?;
    let is_whole = sum == u64::from(checksum(checked, generation));
    is_whole.then_some(StartMeta::Noted(start, generation))
}

/// All fields in their order, without the closing brace.
fn parse_fields(bytes: &[u8]) -> Option<Position> {
    let mut rest = bytes;
    let mut numbers = [0; PIECES.len()];
    for (number, piece) in numbers.iter_mut().zip(PIECES) {
        rest = rest.strip_prefix(piece)?;
        let size = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, behind) = rest.split_at(size);
        let mut line = digits.to_vec();
        line.push(b'\n');
        [*number] = decimals(&line, b"\n")?;
        rest = behind;
    }
    let [segment, position, offset, count] = numbers;
    rest.is_empty().then_some(Position {
        segment,
        position,
        offset,
        count,
    })
}

fn checksum(checked: &[u8], generation: u64) -> u32 {
    crc32c::crc32c_append(crc32c::crc32c(checked), &generation.to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read_and_every_flip_in_ours_is_seen() {
        let start = Position {
            segment: 6,
            position: 0,
            offset: 7000,
            count: 250,
        };
        let bytes = encode(&start, 11);
        assert_eq!(parse(&bytes), StartMeta::Noted(start, 11));
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(parse(&flipped), StartMeta::Damaged, "bit {bit}");
        }
        let mut bare = fields(&start);
        bare.push(b'}');
        assert_eq!(
            bare,
            br#"{"SegOffset":{"FileNum":6,"Pos":0},"VirtualOffset":7000,"TotalMsgCnt":250}"#
        );
        assert_eq!(parse(&bare), StartMeta::Bare(start));
        for size in 0..bare.len() {
            assert_eq!(parse(&bare[..size]), StartMeta::Damaged, "{size} bytes");
        }
    }
}
