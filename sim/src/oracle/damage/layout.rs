//! Records of a closed queue's segments, and what the damage did to each of them.

use crate::oracle::{FifoHistory, Messages, Role, role};
use std::ops::Range;

/// What a record adds to its message.
const HEADER_BYTES: usize = 4;

/// How many bytes of a noted meta its checksum covers; it follows them (`diskqueue.md`, section 3).
const META_CHECKED_BYTES: usize = 247;

/// A file: its name without the directory, and its bytes.
pub type NamedFile = (String, Vec<u8>);

/// What the damage did to a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Touch {
    /// Nothing.
    No,
    /// Its body has other bytes, its length is as it was.
    Body,
    /// Its length has other bytes, or a part of it is gone.
    Length,
}

/// A record as it was before the damage.
#[derive(Debug, Clone)]
pub(super) struct Record {
    /// Where it stands in its segment.
    pub bytes: Range<usize>,
    /// The message.
    pub number: u32,
    /// It was still to be delivered.
    pub unread: bool,
    pub touch: Touch,
}

impl Record {
    /// Whether its message has no bytes.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.len() == HEADER_BYTES
    }
}

/// A segment before and after the damage.
#[derive(Debug)]
pub(super) struct Segment {
    pub name: String,
    pub records: Vec<Record>,
    /// What it holds now; nothing if it is gone.
    pub now: Vec<u8>,
    /// The file is there.
    pub there: bool,
    /// Sums vouch for its records.
    pub vouched: bool,
    /// Its sums are damaged, and from here on the meta, an older copy of itself, tells of nothing
    /// either: an empty record is four zero bytes, as if nothing was ever written.
    pub holes_from: Option<usize>,
    /// It is the one being written, where bytes may follow that nothing vouches for.
    pub last: bool,
    /// Some byte of it is not as it was, or bytes were added.
    pub damaged: bool,
    /// Bytes were added behind the last record.
    pub grown: bool,
}

/// All that the damage rule depends on.
#[derive(Debug)]
pub(super) struct Layout {
    pub segments: Vec<Segment>,
    pub meta_damaged: bool,
    /// The names of all files that are not as they were.
    pub damaged_names: Vec<String>,
}

impl Layout {
    /// Compares the files before and after the damage; `None` if the files before do not hold what
    /// the closed queue must hold, so that nothing can be said.
    pub(super) fn of(
        history: &FifoHistory,
        queue: &str,
        before: &[NamedFile],
        after: &[NamedFile],
        engine_writes_sums: bool,
    ) -> Option<Self> {
        let now = |name: &str| {
            let file = after.iter().find(|(other, _)| other == name);
            file.map(|(_, bytes)| bytes.as_slice())
        };
        let damaged_names: Vec<String> = before
            .iter()
            .filter(|(name, bytes)| now(name) != Some(bytes))
            .map(|(name, _)| name.clone())
            .collect();
        let is_damaged =
            |wanted: Role| damaged_names.iter().any(|name| role(queue, name) == wanted);
        let meta_damaged = is_damaged(Role::Meta);
        let mut numbered: Vec<(u64, &NamedFile)> = before
            .iter()
            .filter_map(|file| Some((segment_number(queue, &file.0)?, file)))
            .collect();
        numbered.sort_by_key(|(number, _)| *number);
        let last = numbered.last().map(|(number, _)| *number);
        let meta = before
            .iter()
            .find(|(name, _)| role(queue, name) == Role::Meta);
        let told = meta.and_then(|(name, _)| write_position(now(name)?));
        let mut segments = Vec::new();
        for (number, (name, bytes)) in numbered {
            let sums_damaged = is_damaged(Role::Sums(number));
            let vouched = engine_writes_sums && !meta_damaged && !sums_damaged;
            let held = now(name);
            segments.push(Segment {
                name: name.clone(),
                records: records(bytes, held.unwrap_or_default())?,
                now: held.unwrap_or_default().to_vec(),
                there: held.is_some(),
                vouched,
                holes_from: told
                    .filter(|(segment, _)| engine_writes_sums && sums_damaged && *segment == number)
                    .filter(|_| Some(number) == last)
                    .map(|(_, offset)| offset),
                last: Some(number) == last,
                damaged: held != Some(bytes),
                grown: held.is_some_and(|held| held.len() > bytes.len()),
            });
        }
        let mut layout = Self {
            segments,
            meta_damaged,
            damaged_names,
        };
        layout.number(history, before).then_some(layout)
    }

    /// Finds out which message every record holds: from the end backwards they are those put.
    fn number(&mut self, history: &FifoHistory, before: &[NamedFile]) -> bool {
        let messages = history.messages();
        let mut candidates = messages
            .puts()
            .iter()
            .rev()
            .filter(|put| put.is_mandatory(u32::MAX - 1));
        let first_unread = history.live().first_min;
        let mut seen_unread = 0;
        for segment in self.segments.iter_mut().rev() {
            let bytes = before
                .iter()
                .find(|(name, _)| *name == segment.name)
                .map_or(&[][..], |(_, bytes)| bytes);
            for record in segment.records.iter_mut().rev() {
                let Some(put) = candidates.next() else {
                    return false;
                };
                let body = bytes
                    .get(record.bytes.clone())
                    .and_then(|all| all.get(HEADER_BYTES..));
                if body != messages.bytes(put.number) {
                    return false;
                }
                record.number = put.number;
                record.unread = put.number >= first_unread;
                seen_unread += u32::from(record.unread);
            }
        }
        seen_unread == unread_count(history, messages)
    }

    /// The segment of this name.
    pub(super) fn segment(&self, name: &str) -> Option<&Segment> {
        self.segments.iter().find(|segment| segment.name == name)
    }
}

fn unread_count(history: &FifoHistory, messages: &Messages) -> u32 {
    let live = history.live();
    let unread = messages
        .range(live.first_min, live.end_max)
        .iter()
        .filter(|put| put.is_mandatory(u32::MAX - 1));
    u32::try_from(unread.count()).unwrap_or(u32::MAX)
}

fn segment_number(queue: &str, name: &str) -> Option<u64> {
    if let Role::Segment(number) = role(queue, name) {
        Some(number)
    } else {
        None
    }
}

/// Where a whole meta with a note says that the next record is written: segment and offset.
fn write_position(meta: &[u8]) -> Option<(u64, usize)> {
    let (checked, rest) = meta.split_at_checked(META_CHECKED_BYTES)?;
    let sum = format!("{:08x}\n", crc32c::crc32c(checked));
    if !rest.starts_with(sum.as_bytes()) {
        return None;
    }
    let line = checked.split(|byte| *byte == b'\n').nth(2)?;
    let (segment, offset) = std::str::from_utf8(line).ok()?.split_once(',')?;
    Some((segment.parse().ok()?, offset.parse().ok()?))
}

/// Parses a segment as it was, and compares each record with what stands there now. `None` if it
/// was no sequence of whole records.
fn records(before: &[u8], now: &[u8]) -> Option<Vec<Record>> {
    let mut records = Vec::new();
    let mut start = 0;
    while start < before.len() {
        let header = before.get(start..start + HEADER_BYTES)?;
        let length = u32::from_be_bytes(header.try_into().ok()?) as usize;
        let end = start.checked_add(HEADER_BYTES + length)?;
        let whole = before.get(start..end)?;
        let touch = match now.get(start..end) {
            Some(held) if held == whole => Touch::No,
            Some(held) if held.get(..HEADER_BYTES) == Some(header) => Touch::Body,
            Some(_) | None => Touch::Length,
        };
        records.push(Record {
            bytes: start..end,
            number: 0,
            unread: false,
            touch,
        });
        start = end;
    }
    Some(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_meta_with_a_note_tells_a_position() {
        let mut meta = b"2\n0,12\n3,50\ncrashline 1\n".to_vec();
        meta.resize(META_CHECKED_BYTES, b' ');
        let sum = crc32c::crc32c(&meta);
        meta.extend(format!("{sum:08x}\n").bytes());
        assert_eq!(write_position(&meta), Some((3, 50)));
        assert_eq!(write_position(&meta[..255]), None);
        meta[2] ^= 1;
        assert_eq!(write_position(&meta), None);
        assert_eq!(write_position(b"2\n0,12\n3,50\n"), None);
    }
}
