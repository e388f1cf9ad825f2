//! Damage in its text form, aimed at what a closed queue's files are going to hold.
//!
//! The steps of a damage run are such that it is known beforehand which records stand where:
//! nothing but puts, reads and clean reopenings, and a clean close at the end.

use super::Choices;
use crate::scenario::{Action, FifoOptions, Step};

/// What a record adds to its message.
const HEADER_BYTES: u64 = 4;

/// A record in a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Record {
    segment: u64,
    start: u64,
    bytes: u64,
}

/// Draws two to four damages of the files that `steps` leave behind.
pub(super) fn draw(choices: &mut Choices, options: &FifoOptions, steps: &[Step]) -> Vec<String> {
    let records = records(options, steps);
    let effects = u32::try_from(8 * steps.len()).unwrap_or(u32::MAX);
    let count = 2 + choices.weighted(&[6, 2, 1]);
    (0..count)
        .map(|_| match choices.weighted(&[6, 3, 3, 1]) {
            0 => segment(choices, &records, effects),
            1 => file(choices, "meta.dat", 256, effects),
            2 => {
                let number = records.last().map_or(0, |record| record.segment);
                file(choices, &format!("{number:06}.sums"), 200, effects)
            }
            _ => {
                let name = choices.pick(&["lock", "meta.spare"]);
                file(choices, name, 40, effects)
            }
        })
        .collect()
}

/// Where the records stand that are left: those of segments that are not finished.
fn records(options: &FifoOptions, steps: &[Step]) -> Vec<Record> {
    let mut options = *options;
    let mut records: Vec<Record> = Vec::new();
    let (mut segment, mut end, mut read) = (0, 0, 0_usize);
    for step in steps {
        let limits = options.message_bytes_min..=options.message_bytes_max;
        let sizes = step.action.sizes();
        let refused = sizes.iter().any(|size| !limits.contains(size));
        for size in sizes.iter().filter(|_| !refused) {
            let bytes = u64::from(*size) + HEADER_BYTES;
            if end > 0 && end + bytes > options.segment_bytes_max {
                segment += 1;
                end = 0;
            }
            records.push(Record {
                segment,
                start: end,
                bytes,
            });
            end += bytes;
        }
        if let Action::Open {
            options: Some(changed),
        } = &step.action
        {
            options = *changed;
        }
        if step.action == Action::Read && read < records.len() {
            read += 1;
        }
    }
    let first = records.get(read).map_or(segment, |record| record.segment);
    records.retain(|record| record.segment >= first);
    records
}

/// Damages a segment: a length, a body, what follows a place, or all of it.
fn segment(choices: &mut Choices, records: &[Record], effects: u32) -> String {
    let count = u32::try_from(records.len()).unwrap_or(u32::MAX);
    let index = choices.below(count.max(1)) as usize;
    let record = records.get(index).copied().unwrap_or(Record {
        segment: 0,
        start: 0,
        bytes: HEADER_BYTES,
    });
    let name = format!("queue.diskqueue.{:06}.dat", record.segment);
    let body = record.bytes - HEADER_BYTES;
    let within = |choices: &mut Choices, from: u64, count: u64| {
        let count = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
        record.start + from + u64::from(choices.below(count))
    };
    match choices.weighted(&[5, 3, 3, 2, 1, 1, 1]) {
        0 => {
            let offset = within(choices, HEADER_BYTES, body);
            format!("flip bit {} of byte {offset} in {name}", choices.below(8))
        }
        1 => {
            let offset = within(choices, 0, HEADER_BYTES);
            format!("flip bit {} of byte {offset} in {name}", choices.below(8))
        }
        2 => {
            let size = within(choices, 0, record.bytes);
            format!("cut at {size} in {name}")
        }
        3 => {
            let start = within(choices, 0, record.bytes);
            let end = start + u64::from(choices.pick(&[1_u32, 4, 12, 512]));
            format!("zeros from {start} to {end} in {name}")
        }
        4 => format!("remove {name}"),
        5 => format!("append {} zeros in {name}", choices.pick(&[1, 4, 12, 64])),
        _ => format!(
            "older as of effect {} in {name}",
            choices.between(1, effects.max(1))
        ),
    }
}

/// Damages a file of about so many bytes.
fn file(choices: &mut Choices, ending: &str, bytes: u32, effects: u32) -> String {
    let name = format!("queue.diskqueue.{ending}");
    let place = choices.below(bytes);
    match choices.weighted(&[5, 3, 2, 2, 1, 1]) {
        0 => format!("flip bit {} of byte {place} in {name}", choices.below(8)),
        1 => format!("cut at {place} in {name}"),
        2 => format!("remove {name}"),
        3 => format!(
            "zeros from {place} to {} in {name}",
            place + choices.between(1, 64)
        ),
        4 => format!("append {} zeros in {name}", choices.pick(&[1, 64])),
        _ => format!(
            "older as of effect {} in {name}",
            choices.between(1, effects.max(1))
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_stand_where_segments_end() {
        let options = FifoOptions {
            segment_bytes_max: 30,
            ..FifoOptions::default()
        };
        let put = |size| Step::queue(Action::Put { size });
        let read = || Step::queue(Action::Read);
        let record = |segment, start, bytes| Record {
            segment,
            start,
            bytes,
        };
        let steps = [put(8), put(14), put(40), put(1), read(), read(), read()];
        assert_eq!(records(&options, &steps[..4]).len(), 4);
        let after_one = [
            record(0, 0, 12),
            record(0, 12, 18),
            record(1, 0, 44),
            record(2, 0, 5),
        ];
        assert_eq!(records(&options, &steps[..5]), after_one);
        assert_eq!(records(&options, &steps[..6]), after_one[2..]);
        assert_eq!(records(&options, &steps), after_one[3..]);
    }
}
