//! What is there: one look at the directory and at the meta, before anything is decided.

use super::error::Error;
use super::meta::{self, META_BYTES, MetaState};
use super::names::{Role, role};
use super::store::{Store, is_no_file};
use crate::fs::{FileKind, OpenMode, read_up_to};
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// The files of one queue.
#[derive(Debug)]
pub(super) struct Survey {
    pub(super) meta: MetaState,
    /// The first bytes of the meta file, to keep them where they are damaged.
    pub(super) meta_bytes: MetaBytes,
    /// Numbers of the segments, ascending.
    pub(super) segments: Vec<u64>,
    /// Numbers of the sums files.
    pub(super) sums: Vec<u64>,
    /// Temporary metas that an original left.
    pub(super) temporaries: Vec<OsString>,
    /// The largest number that any segment has, quarantined ones included.
    pub(super) number_max: Option<u64>,
    pub(super) has_spare: bool,
    /// The names of quarantined files.
    pub(super) quarantined: Vec<OsString>,
    /// Numbers of quarantined segments.
    pub(super) quarantined_segments: Vec<u64>,
}

/// The first bytes of a meta file.
#[derive(Debug)]
pub(super) struct MetaBytes {
    bytes: [u8; META_BYTES],
    count: usize,
}

impl Default for MetaBytes {
    fn default() -> Self {
        Self {
            bytes: [0; META_BYTES],
            count: 0,
        }
    }
}

impl MetaBytes {
    pub(super) fn as_slice(&self) -> &[u8] {
        self.bytes.get(..self.count).unwrap_or_default()
    }
}

impl Survey {
    pub(super) fn take(store: &mut Store, queue: &OsStr) -> Result<Self, Error> {
        let mut survey = Self {
            meta: MetaState::Absent,
            meta_bytes: MetaBytes::default(),
            segments: Vec::new(),
            sums: Vec::new(),
            temporaries: Vec::new(),
            number_max: None,
            has_spare: false,
            quarantined: Vec::new(),
            quarantined_segments: Vec::new(),
        };
        let mut has_meta = false;
        let directory = &store.paths.directory;
        let see = &mut |name: &OsStr| match role(name.as_bytes(), queue.as_bytes()) {
            Some(Role::Segment(number)) => {
                survey.segments.push(number);
                survey.number_max = survey.number_max.max(Some(number));
            }
            Some(Role::QuarantinedSegment(number)) => {
                survey.number_max = survey.number_max.max(Some(number));
                survey.quarantined.push(name.to_owned());
                survey.quarantined_segments.push(number);
            }
            Some(Role::Sums(number)) => survey.sums.push(number),
            Some(Role::Meta) => has_meta = true,
            Some(Role::Spare) => survey.has_spare = true,
            Some(Role::Temporary) => survey.temporaries.push(name.to_owned()),
            Some(Role::QuarantinedMeta) => survey.quarantined.push(name.to_owned()),
            Some(Role::Lock) | None => {}
        };
        store
            .fs
            .list_dir(directory, see)
            .map_err(|error| Error::io("list", directory, error))?;
        // Names are sorted as bytes; numbers of more than six digits are not.
        survey.segments.sort_unstable();
        if has_meta {
            survey.meta_bytes = read_meta(store)?;
            survey.meta = meta::parse(survey.meta_bytes.as_slice(), store.quirks);
        }
        survey.drop_what_is_no_segment(store)?;
        Ok(survey)
    }

    /// The numbers of the segments, and of the quarantined ones before `end`, ascending: nothing
    /// is missing at a quarantined one that was not told of.
    pub(super) fn known_segments(&self, end: u64) -> VecDeque<u64> {
        let quarantined = self.quarantined_segments.iter();
        let quarantined = quarantined.filter(|number| **number < end);
        let mut known: Vec<u64> = self.segments.iter().chain(quarantined).copied().collect();
        known.sort_unstable();
        known.dedup();
        known.into()
    }

    /// A directory or a link may be called like a segment. One before the end of the log is met as
    /// a missing segment; one behind it must not look as if the log went on.
    fn drop_what_is_no_segment(&mut self, store: &mut Store) -> Result<(), Error> {
        let judged_from = match self.meta {
            MetaState::Noted(meta, _) => meta.write.segment + 1,
            MetaState::Absent | MetaState::Bare(_) | MetaState::Damaged => 0,
        };
        let first = self
            .segments
            .partition_point(|number| *number < judged_from);
        for number in self.segments.split_off(first) {
            if is_regular(store, number)? {
                self.segments.push(number);
            }
        }
        Ok(())
    }
}

fn is_regular(store: &mut Store, number: u64) -> Result<bool, Error> {
    let path = store.paths.segment(number);
    match store.fs.stat(path) {
        Ok(stat) => Ok(stat.kind == FileKind::Regular),
        Err(error) if is_no_file(&error) => Ok(false),
        Err(error) => Err(Error::io("stat", path, error)),
    }
}

fn read_meta(store: &Store) -> Result<MetaBytes, Error> {
    let path = &store.paths.meta;
    let file = store
        .fs
        .open(path, OpenMode::Read, 0)
        .map_err(|error| Error::io("open", path, error))?;
    let mut read = MetaBytes::default();
    read.count = read_up_to(file.as_ref(), 0, &mut read.bytes)
        .map_err(|error| Error::io("read", path, error))?;
    Ok(read)
}
