//! Where segments start, as virtual offset and count, told by what is there: the end of the log,
//! sidecars that fit, seals, sizes of files, and records counted.
//!
//! A sidecar is a cache. One that fits the size of its file, or that another one and the records
//! bear out, is believed; one that contradicts them is not.

use super::cuts;
use super::error::Error;
use super::names::{Role, role};
use super::position::Position;
use super::record_reader_piece::Piece;
use super::record_reader_sums::{Generations, sealed_size};
use super::sidecar::{self, Sidecar};
use super::store::Store;
use crate::records::frame::{Frame, record_bytes};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// More bytes than any sidecar has.
const SIDECAR_BYTES_MAX: usize = 64;

/// Where a segment starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SegmentStart {
    /// The virtual offset.
    pub(super) offset: u64,
    /// The count, as a sidecar has it.
    pub(super) count: Option<u64>,
}

/// The segments of a log, some of which may be missing.
#[derive(Debug)]
pub(super) struct Segments {
    pub(super) store: Store,
    /// The generations whose sums count.
    pub(super) generations: Generations,
}

impl Segments {
    /// The size of a segment's file, if it is there.
    pub(super) fn size(&self, segment: u64) -> Result<Option<u64>, Error> {
        self.store.size(&self.store.paths.segment(segment))
    }

    /// The sidecar of a segment, if there is one that can be read as one.
    pub(super) fn sidecar(&self, segment: u64) -> Result<Option<Sidecar>, Error> {
        let path = self.store.paths.sidecar(segment);
        let bytes = self.store.read(&path, SIDECAR_BYTES_MAX)?;
        Ok(bytes.and_then(|bytes| sidecar::parse(&bytes)))
    }

    /// Where the segment behind a finished one starts. `start` is the virtual offset at which the
    /// finished one starts, `size` the size of its file.
    pub(super) fn next_start(
        &self,
        segment: u64,
        start: u64,
        size: Option<u64>,
        end: &Position,
    ) -> Result<Option<SegmentStart>, Error> {
        let sidecar = self.sidecar(segment)?;
        let told = sidecar
            .filter(|sidecar| sidecar.start == start)
            .map(|sidecar| SegmentStart {
                offset: sidecar.end,
                count: Some(sidecar.count).filter(|count| *count <= end.count),
            });
        let fits = told.is_some_and(|told| Some(told.offset - start) == size);
        let is_last = segment + 1 == end.segment;
        if fits && !is_last {
            return Ok(told);
        }
        let sealed = if is_last { None } else { self.sealed(segment)? };
        let found = match sealed {
            Some(size) => start.checked_add(size),
            None => self.start_from_behind(segment + 1, end)?,
        };
        let Some(offset) = found.filter(|offset| *offset >= start) else {
            return Ok(told);
        };
        let count = told.filter(|told| told.offset == offset);
        Ok(Some(SegmentStart {
            offset,
            count: count.and_then(|told| told.count),
        }))
    }

    /// The virtual offset at which `segment` starts, told by the first thing behind it that is
    /// sure: the end, or a sidecar that fits.
    pub(super) fn start_from_behind(
        &self,
        segment: u64,
        end: &Position,
    ) -> Result<Option<u64>, Error> {
        let mut segment = segment;
        let mut bytes: u64 = 0;
        while segment < end.segment {
            let size = self.size(segment)?;
            if let Some(sidecar) = self.sidecar(segment)?
                && Some(sidecar.end - sidecar.start) == size
            {
                return Ok(sidecar.start.checked_sub(bytes));
            }
            let size = self.sealed(segment)?.or(size);
            let Some(sum) = size.and_then(|size| bytes.checked_add(size)) else {
                return Ok(None);
            };
            bytes = sum;
            segment += 1;
        }
        Ok(end.segment_offset().checked_sub(bytes))
    }

    /// The count at the start of `segment`: the records in it and behind it are counted until a
    /// sidecar agrees with them, or to the end. Where records cannot be counted, what the sidecar
    /// before it says.
    pub(super) fn count_at_start(
        &self,
        segment: u64,
        end: &Position,
    ) -> Result<Option<u64>, Error> {
        let told = self.count_before(segment)?;
        let told = told.filter(|told| *told <= end.count);
        let mut segment = segment;
        let mut records: u64 = 0;
        while segment < end.segment {
            let Some(here) = self.records_in(segment, None)? else {
                return Ok(told);
            };
            records += here;
            let sidecars = self
                .count_before(segment)?
                .zip(self.count_before(segment + 1)?);
            if let Some((before, behind)) = sidecars
                && behind.checked_sub(before) == Some(here)
            {
                return Ok(behind.checked_sub(records));
            }
            segment += 1;
        }
        let Some(here) = self.records_in(end.segment, Some(end.position))? else {
            return Ok(told);
        };
        Ok(end.count.checked_sub(records + here))
    }

    /// The segments behind `segment` up to `last` that are there, in order.
    pub(super) fn behind(&self, segment: u64, last: u64) -> Result<Vec<u64>, Error> {
        let directory = &self.store.paths.directory;
        let log = self.store.paths.log().as_bytes();
        let mut segments: Vec<u64> = Vec::new();
        let mut see = |name: &OsStr| {
            if let Some(Role::Segment(number)) = role(name.as_bytes(), log)
                && segment < number
                && number <= last
            {
                segments.push(number);
            }
        };
        let listed = self.store.fs.list_dir(directory, &mut see);
        listed.map_err(|error| Error::io("list", directory, error))?;
        segments.sort_unstable();
        Ok(segments)
    }

    /// The size that the sums of a finished segment say it has.
    fn sealed(&self, segment: u64) -> Result<Option<u64>, Error> {
        if self.generations.is_empty() {
            return Ok(None);
        }
        let path = self.store.paths.sums(segment);
        let Some(file) = self.store.find(&path)? else {
            return Ok(None);
        };
        sealed_size(file.as_ref(), segment, &self.generations)
            .map_err(|error| Error::io("read", &path, error))
    }

    /// Whether a generation after this one began before `offset`: what was put there in this one
    /// was cut.
    pub(super) fn was_cut(&self, generation: u64, offset: u64) -> Result<bool, Error> {
        let now = *self.generations.end();
        if generation >= now {
            return Ok(false);
        }
        let cuts = cuts::read(&self.store, now)?;
        let mut later = cuts.iter().filter(|cut| cut.generation > generation);
        Ok(later.any(|cut| cut.end.offset < offset))
    }

    fn count_before(&self, segment: u64) -> Result<Option<u64>, Error> {
        let Some(before) = segment.checked_sub(1) else {
            return Ok(None);
        };
        Ok(self.sidecar(before)?.map(|sidecar| sidecar.count))
    }

    /// The records of a segment, up to `limit` or to the end of its file; `None` where it is not
    /// there, or holds something else.
    fn records_in(&self, segment: u64, limit: Option<u64>) -> Result<Option<u64>, Error> {
        if limit == Some(0) {
            return Ok(Some(0));
        }
        let path = self.store.paths.segment(segment);
        let Some(file) = self.store.find(&path)? else {
            return Ok(None);
        };
        let count = || {
            let limit = match limit {
                Some(limit) => limit,
                None => file.size()?,
            };
            let (mut piece, mut position, mut records) = (Piece::default(), 0, 0);
            loop {
                match piece.frame_at(file.as_ref(), position, limit)? {
                    Frame::Record { length } => position += record_bytes(length),
                    Frame::End => return Ok(Some(records)),
                    Frame::Broken => return Ok(None),
                }
                records += 1;
            }
        };
        count().map_err(|error| Error::io("read", &path, error))
    }
}
