//! Which virtual offsets each finished segment holds, and which count it starts with.
//!
//! Start and end of the log are known, sizes come from the files. A sidecar is a cache: its
//! offsets count where the sizes bear them out or cannot tell, its count where counting the
//! records of its segment bears it out; else records are counted, behind a missing segment back
//! from the next thing that is known.
//!
//! | row | sidecar | |
//! |---|---|---|
//! | C1 | whole, borne out by sizes and records | used |
//! | C2 | absent, empty or damaged | derived |
//! | C3 | whole, and something else | derived |

use super::error::{Error, Loss, LossKind};
use super::position::Position;
use super::quirks::Quirk;
use super::record_reader_starts::Segments;
use super::record_reader_sums::NO_GENERATIONS;
use super::sidecar::{self, Sidecar};
use super::store::Store;
use super::walk::{Walk, Walked};
use std::collections::{BTreeMap, VecDeque};

/// More bytes than any sidecar has.
const SIDECAR_BYTES_MAX: usize = 64;

/// The virtual offsets of one finished segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) number: u64,
    pub(super) from: u64,
    pub(super) to: u64,
}

/// Starts of segments that are known: number to virtual offset and count.
pub(super) type Starts = BTreeMap<u64, (u64, u64)>;

/// What is asked, and what is known.
#[derive(Debug)]
pub(super) struct Chart<'a> {
    pub(super) store: &'a Store,
    /// Numbers of the segments there are, ascending.
    pub(super) segments: &'a VecDeque<u64>,
    pub(super) start: Position,
    /// A place in the last segment that counts.
    pub(super) end: Position,
    pub(super) starts: &'a mut Starts,
}

impl Chart<'_> {
    /// The finished segments that are there, from the log's start on, in order.
    pub(super) fn extents(&mut self) -> Result<Vec<Extent>, Error> {
        let mut extents = self.extents_by_size()?;
        if let Some(first) = extents.first_mut()
            && first.number > self.start.segment
        {
            first.from = self.start_behind_a_gap(first)?;
        }
        let is_whole = extents.first().is_none_or(|first| {
            let start = self.start.offset - self.start.position;
            first.number != self.start.segment || first.from == start
        });
        if is_whole {
            return Ok(extents);
        }
        self.extents_by_sidecar(extents)
    }

    /// Where the first segment that there is starts, which is not the log's first: where its own
    /// sidecar and that of the missing one before it say, else as its size tells.
    fn start_behind_a_gap(&self, first: &Extent) -> Result<u64, Error> {
        let own = sidecar_of(self.store, first.number)?;
        let before = sidecar_of(self.store, first.number - 1)?;
        let told = own.zip(before).and_then(|(own, before)| {
            let do_agree = own.start == before.end && own.end == first.to;
            do_agree.then_some(own.start)
        });
        // Larger than it was: it cannot reach below the start.
        let from = told.unwrap_or(first.from);
        Ok(from.max(self.start.offset).min(first.to))
    }

    /// Backward from the end, each as large as its file. Behind a gap only a sidecar tells.
    pub(super) fn extents_by_size(&mut self) -> Result<Vec<Extent>, Error> {
        let mut extents = Vec::new();
        let mut next = (self.end.segment, self.end.offset - self.end.position);
        for number in self.finished().into_iter().rev() {
            let size = self
                .store
                .size(&self.store.paths.segment(number))?
                .unwrap_or(0);
            let to = match number + 1 == next.0 {
                true => next.1,
                false => match sidecar_of(self.store, number)? {
                    Some(sidecar) if sidecar.end <= next.1 => sidecar.end,
                    _ => next.1,
                },
            };
            let known = self.starts.get(&number).map(|start| start.0);
            let from = known.filter(|from| *from <= to);
            let from = from.unwrap_or_else(|| to.saturating_sub(size));
            extents.push(Extent { number, from, to });
            next = (number, from);
        }
        extents.reverse();
        Ok(extents)
    }

    /// Some file has not the size that it had: forward from the log's start by sidecars that go on
    /// where the one before ended, until both ways meet.
    fn extents_by_sidecar(&mut self, by_size: Vec<Extent>) -> Result<Vec<Extent>, Error> {
        let mut from = self.start.segment_offset();
        let last = self.end.segment_offset();
        let mut next = self.start.segment;
        let mut extents = Vec::new();
        for extent in by_size {
            let is_behind_a_gap = extent.number != next && extent.from >= from;
            let is_met = extent.from == from || self.starts.contains_key(&extent.number);
            let mut found = extent;
            if !is_met && !is_behind_a_gap {
                let told = sidecar_of(self.store, extent.number)?;
                let told = told.filter(|told| told.start == from && told.end <= last);
                let size = extent.to - extent.from;
                found.from = from;
                found.to = told.map_or((from + size).min(last), |told| told.end);
            }
            from = found.to;
            next = found.number + 1;
            extents.push(found);
        }
        Ok(extents)
    }

    fn finished(&self) -> Vec<u64> {
        let numbers = self.segments.iter().copied();
        numbers
            .filter(|number| (self.start.segment..self.end.segment).contains(number))
            .collect()
    }

    /// The first border of a segment that counts: its start, or that of the log within it.
    pub(super) fn first_of(&mut self, number: u64, extents: &[Extent]) -> Result<Position, Error> {
        let mut known = self.start;
        let below: Vec<u64> = {
            let numbers = self.segments.iter().copied();
            numbers.filter(|other| *other < number).collect()
        };
        let mut walked = Vec::new();
        for candidate in std::iter::once(number).chain(below.into_iter().rev()) {
            if candidate <= self.start.segment {
                break;
            }
            if let Some(first) = self.known_start(candidate, extents)? {
                known = first;
                break;
            }
            walked.push(candidate);
        }
        for next in walked.into_iter().rev() {
            let offset = offset_of(next, extents, self.end);
            let records = self.records_from(known)?.records;
            known = Position {
                segment: next,
                position: 0,
                offset,
                count: known.count + records,
            };
            self.starts.insert(next, (offset, known.count));
        }
        Ok(known)
    }

    /// The start of a segment, if it is known already or a sidecar tells it and is right.
    fn known_start(&mut self, number: u64, extents: &[Extent]) -> Result<Option<Position>, Error> {
        let at = |offset, count| Position {
            segment: number,
            position: 0,
            offset,
            count,
        };
        let offset = offset_of(number, extents, self.end);
        if let Some((_, count)) = self.starts.get(&number).filter(|known| known.0 == offset) {
            return Ok(Some(at(offset, *count)));
        }
        let before = number - 1;
        // No segment starts with more messages than the log ends with.
        let fits = |told: &Sidecar| told.end == offset && told.count <= self.end.count;
        let sidecar = sidecar_of(self.store, before)?.filter(fits);
        if !self.segments.contains(&before) {
            let count = match sidecar {
                Some(told) => Some(told.count),
                // Nothing can be counted before it.
                None => self.neighbours().count_at_start(number, &self.end)?,
            };
            return Ok(count.map(|count| at(offset, count)));
        }
        let Some(sidecar) = sidecar else {
            return Ok(None);
        };
        let previous = match before == self.start.segment {
            true => Some(self.start),
            false => {
                let told = sidecar_of(self.store, before.wrapping_sub(1))?;
                told.filter(|told| told.end == sidecar.start)
                    .map(|told| Position {
                        segment: before,
                        position: 0,
                        offset: told.end,
                        count: told.count,
                    })
            }
        };
        let Some(previous) = previous else {
            return Ok(None);
        };
        let walked = self.records_from(previous)?;
        // Damage that cannot be walked over leaves nothing but the sidecar.
        let far = offset.checked_sub(previous.offset);
        let is_whole = far == Some(walked.position - previous.position);
        let is_right = !is_whole || previous.count + walked.records == sidecar.count;
        if !is_right {
            return Ok(None);
        }
        self.starts.insert(number, (offset, sidecar.count));
        Ok(Some(at(offset, sidecar.count)))
    }

    /// Whether the count that a segment starts with does not rest on segments that are missing: a
    /// sidecar tells it, or there are all segments from the start or such a sidecar on.
    pub(super) fn is_counted(&self, number: u64, extents: &[Extent]) -> Result<bool, Error> {
        let mut number = number;
        while number > self.start.segment {
            let before = number - 1;
            let offset = offset_of(number, extents, self.end);
            if sidecar_of(self.store, before)?.is_some_and(|told| told.end == offset) {
                return Ok(true);
            }
            if !self.segments.contains(&before) {
                return Ok(false);
            }
            number = before;
        }
        Ok(true)
    }

    /// The segments as readers see them. No sums are asked for counts.
    fn neighbours(&self) -> Segments {
        Segments {
            store: self.store.clone(),
            generations: NO_GENERATIONS,
        }
    }

    /// Walks a finished segment from a border to its end.
    fn records_from(&mut self, first: Position) -> Result<Walked, Error> {
        let nothing = Walked {
            position: first.position,
            records: 0,
        };
        let Some(file) = self.store.find(&self.store.paths.segment(first.segment))? else {
            return Ok(nothing);
        };
        let path = &self.store.paths.segment(first.segment);
        let walked = file
            .size()
            .and_then(|size| Walk::new(file.as_ref(), first.position, size).to(size));
        walked.map_err(|error| Error::io("read", path, error))
    }
}

/// Where a segment starts.
fn offset_of(number: u64, extents: &[Extent], end: Position) -> u64 {
    let extent = extents.iter().find(|extent| extent.number == number);
    extent.map_or(end.offset - end.position, |extent| extent.from)
}

/// The sidecar of a segment, if there is one that is whole.
pub(super) fn sidecar_of(store: &Store, number: u64) -> Result<Option<Sidecar>, Error> {
    let path = store.paths.sidecar(number);
    let bytes = store.read(&path, SIDECAR_BYTES_MAX)?;
    let is_there = bytes.is_some();
    let told = bytes.and_then(|bytes| sidecar::parse(&bytes));
    if is_there && told.is_none() && store.has(Quirk::EmptySidecarBlocks) {
        let losses = vec![Loss::new(LossKind::Damaged, &path, 0, 0)];
        return Err(Error::Damage { losses });
    }
    Ok(told)
}
