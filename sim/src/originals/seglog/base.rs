//! What writer, readers and snapshots have in common: the directory, and the steps of a call.

use super::error::LogError;
use super::names::{Names, PERMISSIONS};
use super::sequential::SequentialFile;
use super::sidecar::Sidecar;
use crate::originals::steps::Steps;
use crashline::fs::{Fs, OpenMode};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// One object's way to the log's files.
#[derive(Debug)]
pub(super) struct Base {
    pub(super) fs: Arc<dyn Fs>,
    pub(super) names: Names,
    pub(super) steps: Steps,
}

impl Base {
    pub(super) fn new(fs: Arc<dyn Fs>, directory: &Path, log: &str) -> Self {
        Self {
            fs,
            names: Names::new(directory, log),
            steps: Steps::new(),
        }
    }

    /// Counts a step of a loop that what is on disk does not end.
    pub(super) fn step(&mut self) -> Result<(), LogError> {
        if self.steps.take(self.fs.as_ref(), self.names.directory()) {
            return Ok(());
        }
        Err(LogError::CutOff(self.steps.cut_off().unwrap_or_default()))
    }

    /// The size of a segment; a missing one is an error.
    pub(super) fn segment_size(&self, number: i64) -> io::Result<i64> {
        let stat = self.fs.stat(&self.names.segment(number))?;
        Ok(i64::try_from(stat.size).unwrap_or(i64::MAX))
    }

    pub(super) fn sidecar(&self, segment: i64) -> Result<Sidecar, LogError> {
        Ok(Sidecar::load(self.fs.as_ref(), &self.names, segment)?)
    }

    /// Opens a segment for reading, at a position in it.
    pub(super) fn open_segment(&self, number: i64, position: i64) -> io::Result<SequentialFile> {
        let path = self.names.segment(number);
        let file = self.fs.open(&path, OpenMode::Read, PERMISSIONS)?;
        let mut file = SequentialFile::new(file);
        file.seek(position);
        Ok(file)
    }
}
