//! The names of a log's files.

use std::path::{Path, PathBuf};

/// Mode bits of every file of the log.
pub(super) const PERMISSIONS: u32 = 0o644;

/// Segments up to this number have six digits, later ones nine.
const NUMBER_SHORT_MAX: i64 = 999_990;

/// Builds the names of one log in one directory.
#[derive(Debug, Clone)]
pub(super) struct Names {
    directory: PathBuf,
    log: String,
}

impl Names {
    pub(super) fn new(directory: &Path, log: &str) -> Self {
        Self {
            directory: directory.to_owned(),
            log: log.to_owned(),
        }
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The names of the same log elsewhere.
    pub(super) fn moved_to(&self, directory: &Path) -> Self {
        Self::new(directory, &self.log)
    }

    /// A segment; a negative number is written with its sign, as the original would.
    pub(super) fn segment(&self, number: i64) -> PathBuf {
        self.directory.join(self.segment_name(number))
    }

    /// What is kept beside a finished segment.
    pub(super) fn sidecar(&self, number: i64) -> PathBuf {
        let name = self.segment_name(number);
        self.directory.join(format!("{name}.offsetmeta.dat"))
    }

    /// Where a segment goes that lies behind a new, lower end.
    pub(super) fn rolled_back(&self, number: i64) -> PathBuf {
        let name = self.segment_name(number);
        self.directory.join(format!("{name}.rolldata"))
    }

    pub(super) fn writer_meta(&self) -> PathBuf {
        self.path("meta.writer.dat")
    }

    /// The copy that recovery takes the meta from.
    pub(super) fn spare_writer_meta(&self) -> PathBuf {
        self.path("meta.writer.dat.tmp")
    }

    /// Where a meta goes that is not ended as it should be.
    pub(super) fn corrupt_writer_meta(&self, number: u64) -> PathBuf {
        self.path(&format!("meta.writer.dat.{number}.corrupt"))
    }

    pub(super) fn start_meta(&self) -> PathBuf {
        self.path("meta.extra.dat")
    }

    /// A start meta that is still being written.
    pub(super) fn temporary_start_meta(&self, number: u64) -> PathBuf {
        self.path(&format!("meta.extra.dat.{number}.tmp"))
    }

    /// A reader's meta.
    pub(super) fn reader_meta(&self, reader: &str) -> PathBuf {
        self.directory
            .join(format!("{reader}.diskqueue.meta.v2.reader.dat"))
    }

    /// A reader's meta of the first version.
    pub(super) fn old_reader_meta(&self, reader: &str) -> PathBuf {
        self.directory
            .join(format!("{reader}.diskqueue.meta.reader.dat"))
    }

    fn segment_name(&self, number: i64) -> String {
        let log = &self.log;
        if number > NUMBER_SHORT_MAX {
            format!("{log}.diskqueue.{number:09}.dat")
        } else {
            format!("{log}.diskqueue.{number:06}.dat")
        }
    }

    fn path(&self, rest: &str) -> PathBuf {
        self.directory
            .join(format!("{}.diskqueue.{rest}", self.log))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_wider_from_999991_on() {
        let names = Names::new(Path::new("/data"), "q");
        let name = |number| names.segment(number).to_str().unwrap().to_owned();
        assert_eq!(name(7), "/data/q.diskqueue.000007.dat");
        assert_eq!(name(-1), "/data/q.diskqueue.-00001.dat");
        assert_eq!(name(999_990), "/data/q.diskqueue.999990.dat");
        assert_eq!(name(999_991), "/data/q.diskqueue.000999991.dat");
    }
}
