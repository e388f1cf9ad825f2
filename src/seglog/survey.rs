//! What is there: one look at the directory and at the metas, before anything is decided.

use super::believed::{credible_main, sensible};
use super::error::Error;
use super::names::{Role, role};
use super::noted::{META_BYTES, vouched};
use super::quirks::Quirk;
use super::start_meta::{self, START_BYTES_MAX, StartMeta};
use super::store::Store;
use super::writer_meta::{self, WriterMeta};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// The files of one log.
#[derive(Debug)]
pub(super) struct Survey {
    pub(super) main: WriterMeta,
    /// The size of that file, however large it is.
    pub(super) main_size: u64,
    pub(super) copy: WriterMeta,
    pub(super) copy_bytes: Vec<u8>,
    pub(super) start: StartMeta,
    /// The size of that file.
    pub(super) start_size: u64,
    /// Numbers and sizes of the segments.
    pub(super) segments: BTreeMap<u64, u64>,
    pub(super) sidecars: Vec<u64>,
    pub(super) sums: Vec<u64>,
    /// Segments behind a lowered end, kept aside.
    pub(super) rolled_back: Vec<OsString>,
    /// Temporary files of an original, and spares.
    pub(super) temporaries: Vec<OsString>,
    /// Metas that an original put aside.
    pub(super) corrupt: Vec<OsString>,
    /// The largest number that any file has.
    pub(super) number_max: u64,
}

impl Survey {
    pub(super) fn take(store: &Store) -> Result<Self, Error> {
        let mut survey = Self {
            main: WriterMeta::Absent,
            main_size: 0,
            copy: WriterMeta::Absent,
            copy_bytes: Vec::new(),
            start: StartMeta::Absent,
            start_size: 0,
            segments: BTreeMap::new(),
            sidecars: Vec::new(),
            sums: Vec::new(),
            rolled_back: Vec::new(),
            temporaries: Vec::new(),
            corrupt: Vec::new(),
            number_max: 0,
        };
        let log = store.paths.log().as_bytes().to_owned();
        let mut numbers = Vec::new();
        let directory = &store.paths.directory;
        store
            .fs
            .list_dir(directory, &mut |name| {
                survey.see(name, role(name.as_bytes(), &log), &mut numbers);
            })
            .map_err(|error| Error::io("list", directory, error))?;
        for number in numbers {
            // A directory or a link may be called like a segment: it is none.
            if let Some(size) = store.size(&store.paths.segment(number))? {
                survey.segments.insert(number, size);
            }
        }
        survey.read_metas(store)?;
        Ok(survey)
    }

    fn see(&mut self, name: &OsStr, role: Option<Role>, numbers: &mut Vec<u64>) {
        let Some(role) = role else { return };
        let number = match role {
            Role::Segment(number) => {
                numbers.push(number);
                number
            }
            Role::Sidecar(number) => {
                self.sidecars.push(number);
                number
            }
            Role::Sums(number) => {
                self.sums.push(number);
                number
            }
            Role::RolledBack(number) => {
                self.rolled_back.push(name.to_owned());
                number
            }
            Role::QuarantinedSegment(number) => number,
            Role::StartTemporary | Role::StartSpare | Role::CutsSpare => {
                self.temporaries.push(name.to_owned());
                0
            }
            Role::Corrupt => {
                self.corrupt.push(name.to_owned());
                0
            }
            Role::WriterMeta
            | Role::WriterCopy
            | Role::StartMeta
            | Role::Cuts
            | Role::Lock
            | Role::ReaderLock(_)
            | Role::Quarantined => 0,
        };
        self.number_max = self.number_max.max(number);
    }

    fn read_metas(&mut self, store: &Store) -> Result<(), Error> {
        let read = |path: PathBuf| {
            let bytes = store.read(&path, META_BYTES + 1)?;
            Ok(match store.has(Quirk::WriterMetaUnchecked) {
                true => bytes.map(vouched),
                false => bytes,
            })
        };
        let main = read(store.paths.writer_meta())?;
        if let Some(bytes) = &main {
            self.main = sensible(writer_meta::parse(bytes));
            self.main_size = store.whole_size(&store.paths.writer_meta(), bytes, META_BYTES)?;
        }
        if let Some(bytes) = read(store.paths.writer_copy())? {
            // Both are nearly always the same.
            self.copy = match main.as_ref() == Some(&bytes) {
                true => self.main,
                false => sensible(writer_meta::parse(&bytes)),
            };
            self.copy_bytes = bytes;
            self.main = credible_main(self.main, &self.copy);
        }
        let path = store.paths.start_meta();
        if let Some(bytes) = store.read(&path, START_BYTES_MAX + 1)? {
            self.start = start_meta::parse(&bytes);
            self.start_size = store.whole_size(&path, &bytes, START_BYTES_MAX)?;
        }
        Ok(())
    }
}
