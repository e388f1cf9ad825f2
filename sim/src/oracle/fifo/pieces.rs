//! What may come back that nobody put, where a write was misplaced or a bit is wrong.
//!
//! What such a fault leaves on the disk are pieces of the records that were put and of bytes that
//! were never written, one behind the other. An open that takes whole records behind the durable
//! end for messages (C7) may find some in them. Bytes that are anything else are invented.

use crate::oracle::Messages;

/// A misplaced write lies behind what was never written, before what was put next: its record can
/// end in any of these, and begin in what stood there before.
const PIECES_MAX: usize = 4;

/// The length before each message.
const LENGTH_BYTES: u64 = 4;

/// Whether `bytes` are a few pieces of the records of `messages` and of zeros.
pub(super) fn are_pieces(messages: &Messages, bytes: &[u8]) -> bool {
    let records = records(messages);
    let mut rest = bytes;
    for _ in 0..PIECES_MAX {
        let piece = longest(&records, rest);
        rest = rest.get(piece..).unwrap_or_default();
    }
    rest.is_empty()
}

/// How many messages can be found in what is left of the records, and in `gap_bytes` that were
/// never written: any four of those are an empty one.
pub(super) fn found_max(messages: &Messages, gap_bytes: u64) -> i64 {
    let bytes = records(messages).len() as u64 + gap_bytes;
    i64::try_from(bytes / LENGTH_BYTES).unwrap_or(i64::MAX)
}

/// The bytes before a misplaced write, by the lines of a fault plan.
pub(super) fn gap_bytes(faults: &[String]) -> u64 {
    let gaps = faults.iter().filter_map(|line| {
        let (_, by) = line.split_once("misdirected by ")?;
        by.split(' ').next()?.parse::<u64>().ok()
    });
    gaps.fold(0, u64::saturating_add)
}

/// All records as they lie in segments: each message behind its length.
fn records(messages: &Messages) -> Vec<u8> {
    let mut records = Vec::new();
    for put in messages.puts() {
        records.extend(put.size.to_be_bytes());
        records.extend(messages.bytes(put.number).unwrap_or_default());
    }
    records
}

/// How many of the first bytes are one piece.
fn longest(records: &[u8], bytes: &[u8]) -> usize {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    (0..records.len())
        .map(|from| {
            let piece = records.get(from..).unwrap_or_default();
            let pairs = piece.iter().zip(bytes);
            pairs.take_while(|(one, other)| one == other).count()
        })
        .fold(zeros, usize::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::payload;

    #[test]
    fn pieces_of_records_are_no_invention() {
        let mut messages = Messages::default();
        for number in 0..3 {
            messages.add(30, number);
        }
        let (one, two) = (payload(0, 30), payload(1, 30));
        let displaced = [&[0; 9][..], &one, &two[..7]].concat();
        assert!(are_pieces(&messages, &displaced));
        assert!(are_pieces(&messages, &[]));
        assert!(are_pieces(&messages, &[0; 100]));
        assert!(!are_pieces(&messages, &payload(9, 30)), "it was never put");
        let mut wrong = displaced;
        for byte in wrong.iter_mut().step_by(5) {
            *byte ^= 0x80;
        }
        assert!(!are_pieces(&messages, &wrong), "too many pieces");
    }

    #[test]
    fn no_more_can_be_found_than_there_is_room_for() {
        let mut messages = Messages::default();
        messages.add(6, 0);
        let lines = ["2 write_at on *.dat: misdirected by 12 bytes".to_owned()];
        assert_eq!(gap_bytes(&lines), 12);
        assert_eq!(found_max(&messages, 0), 2);
        assert_eq!(found_max(&messages, 12), 5);
    }
}
