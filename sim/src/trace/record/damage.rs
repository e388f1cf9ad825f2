//! What one damaged file may cost (C7), where no sums tell more than the bytes do.

use super::align::align;
use super::item::Item;
use super::segments::{Kind, Record, kind, records, segments};
use crate::trace::damage::{FileDamage, How};
use crate::trace::disk::Files;

/// What may have become of the messages that were left before the damage.
#[derive(Debug, Clone, Default)]
pub(super) struct Cost {
    /// For each message that was left: whether it may be gone.
    pub(super) may_vanish: Vec<bool>,
    /// Any other messages may stand in for those that may be gone.
    pub(super) may_invent: bool,
    /// Messages that the damaged bytes show: a changed body may come at any time.
    pub(super) altered: Vec<Vec<u8>>,
    /// Messages that were read may come again.
    pub(super) may_repeat: bool,
    /// The segment that was touched.
    pub(super) segment: Option<i64>,
}

/// What `damage` to one of the files `before` may cost of the messages `left`.
pub(super) fn cost(queue: &str, damage: &FileDamage, before: &Files, left: &[Item]) -> Cost {
    let mut cost = Cost {
        may_vanish: vec![false; left.len()],
        ..Cost::default()
    };
    let Some(bytes) = before.get(&damage.file) else {
        return cost;
    };
    match kind(queue, &damage.file) {
        Kind::Meta => cost.may_repeat = true,
        Kind::Segment(number) if touches(damage.how, bytes) => {
            cost.segment = Some(number);
            let hit = hit(damage.how, number, bytes);
            for (place, may) in places(queue, before, left).iter().zip(&mut cost.may_vanish) {
                *may = place.is_some_and(|record| record.segment == number && hit.costs(&record));
            }
            cost.may_invent = hit.may_invent;
            cost.altered = altered(damage.how, number, bytes);
        }
        Kind::Segment(_) | Kind::Bad(_) | Kind::Temporary | Kind::Other => {}
    }
    cost
}

/// Where each message that is left lies, as far as that can be told.
pub(super) fn places<'f>(queue: &str, files: &'f Files, left: &[Item]) -> Vec<Option<Record<'f>>> {
    let all: Vec<Record<'f>> = segments(queue, files)
        .into_iter()
        .flat_map(|(number, bytes)| records(number, bytes))
        .collect();
    let bodies: Vec<&[u8]> = all.iter().map(|record| record.body).collect();
    let left: Vec<&[u8]> = left.iter().map(|item| item.bytes.as_slice()).collect();
    align(&left, &bodies, 0)
        .into_iter()
        .map(|place| place.and_then(|place| all.get(place).copied()))
        .collect()
}

/// Whether anything is changed at all.
fn touches(how: How, bytes: &[u8]) -> bool {
    match how {
        How::Remove => true,
        How::Truncate(size) => size != bytes.len() as u64,
        How::AppendZeros(count) => count > 0,
        How::Byte { at, value } => {
            let old = usize::try_from(at).ok().and_then(|at| bytes.get(at));
            old != Some(&value)
        }
    }
}

/// The part of a segment that damage costs.
struct Hit {
    /// Records that end beyond this are gone, up to `before`.
    after: u64,
    /// Records that start at or beyond this are not concerned.
    before: u64,
    may_invent: bool,
}

impl Hit {
    fn costs(&self, record: &Record<'_>) -> bool {
        record.end > self.after && record.start < self.before
    }
}

fn hit(how: How, number: i64, bytes: &[u8]) -> Hit {
    let nothing = Hit {
        after: u64::MAX,
        before: 0,
        may_invent: false,
    };
    match how {
        How::Remove => Hit {
            after: 0,
            before: u64::MAX,
            ..nothing
        },
        How::Truncate(size) => Hit {
            after: size,
            before: u64::MAX,
            ..nothing
        },
        How::AppendZeros(_) => nothing,
        How::Byte { at, .. } => {
            let all = records(number, bytes);
            let Some(record) = all.iter().find(|record| at < record.end) else {
                return nothing;
            };
            if at < record.start + 4 {
                // A changed length may cost or merge the rest of its segment.
                Hit {
                    after: record.start,
                    before: u64::MAX,
                    may_invent: true,
                }
            } else {
                Hit {
                    after: record.start,
                    before: record.end,
                    may_invent: false,
                }
            }
        }
    }
}

/// The messages of a segment after a byte of it was changed, as far as they were not there before.
fn altered(how: How, number: i64, bytes: &[u8]) -> Vec<Vec<u8>> {
    let How::Byte { at, value } = how else {
        return Vec::new();
    };
    let mut after = bytes.to_vec();
    if let Some(byte) = usize::try_from(at).ok().and_then(|at| after.get_mut(at)) {
        *byte = value;
    }
    let before = records(number, bytes);
    records(number, &after)
        .iter()
        .filter(|record| !before.iter().any(|old| old.body == record.body))
        .map(|record| record.body.to_vec())
        .collect()
}
