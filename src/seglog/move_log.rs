//! Moving the log's files to another directory.
//!
//! The metas say `moving` and where the log starts before the first file goes, and they go last:
//! an open of what a crash left here takes files that are missing for moved ones, and repeating
//! the move finishes it.

use super::error::{Applied, Error};
use super::paths::Paths;
use super::quirks::Quirk;
use super::survey::Survey;
use super::writer::{LogWriter, Tail};
use crate::fs::FileIdentity;
use std::io;
use std::path::{Path, PathBuf};

impl LogWriter {
    /// Closes the log and moves its files to `directory`, which exists on the same filesystem. What
    /// is quarantined or was rolled back stays, as do its readers' files. After an error that says
    /// so, or a crash, some files are moved: opening the log here and moving it again finishes it.
    ///
    /// # Errors
    /// [`Error::Refused`] if a log of this name is there already, or an IO error.
    pub fn remove_to(&mut self, directory: &Path) -> Result<(), Error> {
        self.begin()?;
        let target = Paths::new(directory, self.store.paths.log());
        let main = (self.store.paths.writer_meta(), target.writer_meta());
        let there = self.identity(&main.1)?;
        if directory == self.store.paths.directory
            || there.is_some() && there != self.identity(&main.0)?
        {
            return Err(Error::Refused {
                reason: "there is a log of this name in that directory",
            });
        }
        if self.moving_from.is_none() || !matches!(self.tail, Tail::Clear) {
            self.clear_tail()?;
        }
        self.finish_roll()?;
        self.sync_all()?;
        self.read_end = self.segment.end();
        if self.moving_from.is_none() {
            self.moving_from = Some(self.start);
        }
        if let Err(error) = self.persist(true) {
            if error.applied() == Applied::Nothing {
                self.moving_from = None;
            }
            // Whatever the metas say, no file was moved, and the log is open.
            return Err(error.with_applied(Applied::Nothing));
        }
        let moved = self.move_files(&target);
        self.let_go();
        moved.map_err(|error| error.with_applied(Applied::Everything))
    }

    fn move_files(&mut self, target: &Paths) -> Result<(), Error> {
        let survey = Survey::take(&self.store)?;
        let source = self.store.paths.clone();
        for number in survey.segments.keys() {
            self.move_file(&source.segment(*number), &target.segment(*number))?;
        }
        let are_left = self.store.has(Quirk::MoveLeavesSidecars);
        for number in survey.sidecars.iter().filter(|_| !are_left) {
            self.move_file(&source.sidecar(*number), &target.sidecar(*number))?;
        }
        for number in &survey.sums {
            self.move_file(&source.sums(*number), &target.sums(*number))?;
        }
        self.sync_both(target)?;
        for (from, to) in [
            (source.cuts(), target.cuts()),
            (source.start_meta(), target.start_meta()),
            (source.writer_copy(), target.writer_copy()),
        ] {
            self.replace(&from, &to)?;
        }
        // A copy that comes back alone would be a log that has lost its cuts.
        self.sync_both(target)?;
        self.replace(&source.writer_meta(), &target.writer_meta())?;
        // What a full disk left of a replacement is nobody's.
        for name in &survey.temporaries {
            self.store.remove(&source.directory.join(name))?;
        }
        self.sync_both(target)
    }

    /// The new names first: no file is without one.
    fn sync_both(&self, target: &Paths) -> Result<(), Error> {
        let directory: &PathBuf = &target.directory;
        self.store
            .fs
            .sync_dir(directory)
            .map_err(|error| Error::io("sync", directory, error))?;
        self.store.sync_directory()
    }

    /// Moves a file that the target directory does not have, unless a crash left it with both
    /// names. What is no file under such a name is not the log's, and stays.
    fn move_file(&self, source: &Path, target: &Path) -> Result<(), Error> {
        if self.store.size(source)?.is_none() {
            return Ok(());
        }
        match self.store.fs.rename_no_replace(source, target) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let (here, there) = (self.identity(source)?, self.identity(target)?);
                if here.is_some() && here == there {
                    return self.store.remove(source);
                }
                Err(Error::io("move", source, error))
            }
            Err(error) => Err(Error::io("move", source, error)),
        }
    }

    /// Moves a file over what an interrupted move left of it.
    fn replace(&self, source: &Path, target: &Path) -> Result<(), Error> {
        let (here, there) = (self.identity(source)?, self.identity(target)?);
        if here.is_none() {
            return Ok(());
        }
        if here == there {
            return self.store.remove(source);
        }
        let renamed = self.store.fs.rename(source, target);
        renamed.map_err(|error| Error::io("move", source, error))
    }

    fn identity(&self, path: &Path) -> Result<Option<FileIdentity>, Error> {
        match self.store.fs.stat(path) {
            Ok(stat) => Ok(Some(stat.identity)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io("stat", path, error)),
        }
    }
}
