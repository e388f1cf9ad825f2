//! The names of a queue's files.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Builds the names of one queue.
#[derive(Debug)]
pub(super) struct Files {
    directory: PathBuf,
    queue: OsString,
}

impl Files {
    pub(super) fn new(directory: &Path, queue: &OsString) -> Self {
        Self {
            directory: directory.to_owned(),
            queue: queue.clone(),
        }
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// A segment; a negative number is written with its sign, as the original would.
    pub(super) fn segment(&self, number: i64) -> PathBuf {
        self.path(&format!(".diskqueue.{number:06}.dat"))
    }

    /// Where a segment goes that could not be read.
    pub(super) fn bad_segment(&self, number: i64) -> PathBuf {
        self.path(&format!(".diskqueue.{number:06}.dat.bad"))
    }

    pub(super) fn meta(&self) -> PathBuf {
        self.path(".diskqueue.meta.dat")
    }

    /// A meta that is still being written.
    pub(super) fn temporary_meta(&self, number: u64) -> PathBuf {
        self.path(&format!(".diskqueue.meta.dat.{number}.tmp"))
    }

    fn path(&self, rest: &str) -> PathBuf {
        let mut name = self.queue.clone();
        name.push(rest);
        self.directory.join(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_padded_to_six_places_sign_included() {
        let files = Files::new(Path::new("/data"), &OsString::from("q"));
        let name = |number| files.segment(number).to_str().unwrap().to_owned();
        assert_eq!(name(7), "/data/q.diskqueue.000007.dat");
        assert_eq!(name(-1), "/data/q.diskqueue.-00001.dat");
        assert_eq!(name(12_345_678), "/data/q.diskqueue.12345678.dat");
        assert_eq!(
            files.temporary_meta(3).to_str().unwrap(),
            "/data/q.diskqueue.meta.dat.3.tmp"
        );
    }
}
