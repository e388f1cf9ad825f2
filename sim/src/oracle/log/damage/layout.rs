//! Records of a log's segments, and what the damage did to each of them.

use super::settled::SettledLog;
use crate::model::Place;
use crate::oracle::NamedFile;
use crate::oracle::log::chain::{HEADER_BYTES, behind};
use crate::oracle::log::names::{LogRole, log_role};
use std::ops::Range;
use std::sync::Arc;

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
    pub(super) bytes: Range<usize>,
    /// Where it stands in the log.
    pub(super) at: Place,
    /// Its message.
    pub(super) message: Arc<[u8]>,
    pub(super) touch: Touch,
    /// It must come all the same.
    pub(super) is_owed: bool,
}

/// A segment before and after the damage.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) name: String,
    pub(super) records: Vec<Record>,
    /// What it holds now; nothing if it is gone.
    pub(super) now: Vec<u8>,
    /// The file is there.
    pub(super) is_there: bool,
    /// Sums vouch for its records.
    pub(super) is_vouched: bool,
    /// Some byte of it is not as it was, or bytes were added.
    pub(super) is_damaged: bool,
}

/// All that the damage rule depends on.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) segments: Vec<Segment>,
    pub(super) start: Place,
    pub(super) end: Place,
    /// The names of all files that are not as they were.
    pub(super) damaged: Vec<String>,
    /// Nothing vouches for offsets and counts: no copy of the writer's meta is as it was, or a
    /// segment holds other records in fewer bytes, so that no sum has all that it covers.
    pub(super) is_blind: bool,
}

impl Layout {
    /// Compares the files before and after the damage; `None` if the files before do not hold what
    /// the log must hold, so that nothing can be said.
    pub(super) fn of(
        settled: &SettledLog,
        log: &str,
        before: &[NamedFile],
        after: &[NamedFile],
    ) -> Option<Self> {
        let now = |name: &str| held(after, name);
        let is_damaged = |(name, bytes): &&NamedFile| now(name) != Some(bytes.as_slice());
        let damaged: Vec<String> = before
            .iter()
            .filter(is_damaged)
            .map(|(name, _)| name.clone())
            .collect();
        let has_sums = |number: u64| {
            let mut files = before.iter();
            let sums = files.find(|(name, _)| log_role(log, name) == LogRole::Sums(number));
            sums.is_some_and(|(name, _)| !damaged.contains(name))
        };
        let mut layout = Self {
            segments: Vec::new(),
            start: settled.start.into(),
            end: settled.end,
            is_blind: is_blind(log, before, &damaged) || is_rewritten(settled, log, before, after),
            damaged: Vec::new(),
        };
        let mut at = layout.start;
        let mut messages = settled.messages.iter();
        for (number, (name, bytes)) in numbered(settled, log, before) {
            let held = now(name);
            let mut records = records(bytes, held.unwrap_or_default(), &mut at)?;
            for record in &mut records {
                let message = messages.next()?;
                if *record.message != **message {
                    return None;
                }
                record.message = Arc::clone(message);
            }
            layout.segments.push(Segment {
                name: name.clone(),
                records,
                now: held.unwrap_or_default().to_vec(),
                is_there: held.is_some(),
                is_vouched: has_sums(number) && !layout.is_blind,
                is_damaged: held != Some(bytes.as_slice()),
            });
        }
        layout.damaged = damaged;
        layout.segments.iter_mut().for_each(Segment::note_owed);
        (messages.next().is_none() && at == settled.end).then_some(layout)
    }

    /// After a kill whole records behind the durable end count as written since, whoever wrote
    /// them: an open that takes those up to `end` has a log that ends there.
    pub(super) fn adopt(&mut self, end: Place) {
        let Some(segment) = self.segments.last_mut() else {
            return;
        };
        let (mut at, mut adopted) = (self.end, Vec::new());
        let mut start = segment.records.last().map_or(0, |last| last.bytes.end);
        while at < end {
            let Some((bytes, message)) = record_at(&segment.now, start) else {
                return;
            };
            start = bytes.end;
            let after = behind(at, message);
            adopted.push(Record {
                bytes,
                at,
                message: message.into(),
                touch: Touch::No,
                is_owed: true,
            });
            at = after;
        }
        if at == end {
            segment.records.extend(adopted);
            self.end = end;
        }
    }

    /// Whether a segment was damaged, or only what is beside the segments.
    pub(super) fn is_in_segments(&self) -> bool {
        self.segments.iter().any(|segment| segment.is_damaged)
    }

    /// Whether one of these files was damaged.
    pub(super) fn is_any_damaged(&self, mut is_one: impl FnMut(&str) -> bool) -> bool {
        self.damaged.iter().any(|name| is_one(name))
    }

    /// All records with their segments, in order.
    pub(super) fn records(&self) -> impl Iterator<Item = (&Segment, &Record)> + Clone {
        let segments = self.segments.iter();
        segments.flat_map(|segment| segment.records.iter().map(move |record| (segment, record)))
    }

    /// Whether a record started there, or the log ended there.
    pub(super) fn is_boundary(&self, place: Place) -> bool {
        place == self.end || self.records().any(|(_, record)| record.at == place)
    }

    /// The segment of this name.
    pub(super) fn segment(&self, name: &str) -> Option<&Segment> {
        self.segments.iter().find(|segment| segment.name == name)
    }
}

impl Segment {
    /// C7: where sums vouch for the boundaries all that is untouched must come, else what stands
    /// before the first changed length.
    fn note_owed(&mut self) {
        let mut is_lost = false;
        for record in &mut self.records {
            is_lost |= !self.is_vouched && record.touch == Touch::Length;
            record.is_owed = record.touch == Touch::No && !is_lost;
        }
    }

    /// The bytes of a record's body as they are now.
    pub(super) fn body_now(&self, record: &Record) -> &[u8] {
        let bytes = self.now.get(record.bytes.clone()).unwrap_or_default();
        bytes.get(header_bytes()..).unwrap_or_default()
    }

    /// Where it ended in the log.
    pub(super) fn end(&self) -> Option<Place> {
        let last = self.records.last()?;
        Some(behind(last.at, &last.message))
    }
}

fn held<'f>(files: &'f [NamedFile], name: &str) -> Option<&'f [u8]> {
    let file = files.iter().find(|(other, _)| other == name);
    file.map(|(_, bytes)| bytes.as_slice())
}

/// Whether no copy of the writer's meta is left as it was.
fn is_blind(log: &str, before: &[NamedFile], damaged: &[String]) -> bool {
    let copies = ["meta.writer.dat", "meta.writer.dat.tmp"];
    let names = copies.map(|end| format!("{log}.diskqueue.{end}"));
    let is_whole =
        |name: &String| before.iter().any(|(one, _)| one == name) && !damaged.contains(name);
    !names.iter().any(is_whole)
}

/// Whether a segment is shorter than it was and does not start as it did: an older copy from before
/// the log was cut, emptied or moved. Cutting a file leaves the start of what it held.
fn is_rewritten(
    settled: &SettledLog,
    log: &str,
    before: &[NamedFile],
    after: &[NamedFile],
) -> bool {
    let segments = numbered(settled, log, before);
    segments.into_iter().any(|(_, (name, bytes))| {
        let now = held(after, name).filter(|now| !now.is_empty());
        now.is_some_and(|now| now.len() < bytes.len() && !bytes.starts_with(now))
    })
}

/// The segments from the start on, by number.
fn numbered<'f>(
    settled: &SettledLog,
    log: &str,
    files: &'f [NamedFile],
) -> Vec<(u64, &'f NamedFile)> {
    let number = |file: &'f NamedFile| match log_role(log, &file.0) {
        LogRole::Segment(number) => Some((number, file)),
        LogRole::Sidecar(_)
        | LogRole::RolledBack
        | LogRole::Sums(_)
        | LogRole::Meta
        | LogRole::Side
        | LogRole::Lock
        | LogRole::Quarantine
        | LogRole::Temporary
        | LogRole::Unknown
        | LogRole::Foreign => None,
    };
    let first = u64::try_from(settled.start.segment).unwrap_or(0);
    let mut numbered: Vec<(u64, &NamedFile)> = files.iter().filter_map(number).collect();
    numbered.retain(|(number, _)| *number >= first);
    numbered.sort_by_key(|(number, _)| *number);
    numbered
}

fn header_bytes() -> usize {
    usize::try_from(HEADER_BYTES).unwrap_or(usize::MAX)
}

/// The whole record that starts there: its bytes, and its message.
fn record_at(segment: &[u8], start: usize) -> Option<(Range<usize>, &[u8])> {
    let body = start.checked_add(header_bytes())?;
    let header = segment.get(start..body)?;
    let length = u32::from_be_bytes(header.try_into().ok()?) as usize;
    let end = body.checked_add(length)?;
    Some((start..end, segment.get(body..end)?))
}

/// Parses a segment as it was, and compares each record with what stands there now. `None` if it
/// was no sequence of whole records. `at` moves from its start to its end.
fn records(before: &[u8], now: &[u8], at: &mut Place) -> Option<Vec<Record>> {
    let mut records = Vec::new();
    let mut start = 0;
    while start < before.len() {
        let (bytes, message) = record_at(before, start)?;
        let end = bytes.end;
        let (header, whole) = (
            before.get(start..start + header_bytes())?,
            before.get(start..end)?,
        );
        let touch = match now.get(start..end) {
            Some(held) if held == whole => Touch::No,
            Some(held) if held.starts_with(header) => Touch::Body,
            Some(_) | None => Touch::Length,
        };
        records.push(Record {
            bytes,
            at: *at,
            message: message.into(),
            touch,
            is_owed: false,
        });
        *at = behind(*at, message);
        start = end;
    }
    Some(records)
}
