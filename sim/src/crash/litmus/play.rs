//! Playing the calls of a litmus on a fresh disk.

use super::file::{Litmus, LitmusCall};
use crate::simfs::{AfterSyncError, SimFile, SimFs};
use crashline::fs::{Fs, FsFile, OpenMode, SyncKind, write_all_at};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// `EIO` on every system that there is.
const EIO: i32 = 5;

/// A disk on which the setup is durable and the calls are recorded.
pub(super) fn played(litmus: &Litmus) -> io::Result<SimFs> {
    let fs = SimFs::new();
    play(&fs, &litmus.setup)?;
    fs.settle();
    play(&fs, &litmus.calls)?;
    Ok(fs)
}

fn play(fs: &SimFs, calls: &[LitmusCall]) -> io::Result<()> {
    let mut open = Handles {
        fs,
        files: BTreeMap::new(),
    };
    for call in calls {
        match call {
            LitmusCall::Create { path } => open.add(path, OpenMode::CreateNew)?,
            LitmusCall::Open { path } => open.add(path, OpenMode::Write)?,
            LitmusCall::Write {
                path,
                offset,
                text,
                size,
                byte,
            } => {
                let bytes = match text {
                    Some(text) => text.clone().into_bytes(),
                    None => vec![*byte; *size as usize],
                };
                write_all_at(open.get(path)?, *offset, &bytes)?;
            }
            LitmusCall::SetSize { path, size } => open.get(path)?.set_size(*size)?,
            LitmusCall::Sync { path } => open.get(path)?.sync(SyncKind::All)?,
            LitmusCall::FailSync { path } => {
                let failed = open.get(path)?.fail_sync(AfterSyncError::Clean, EIO);
                debug_assert!(failed.is_err(), "it was asked to fail");
            }
            LitmusCall::SyncDir { path } => fs.sync_dir(&at(path))?,
            LitmusCall::CreateDir { path } => fs.create_dir(&at(path))?,
            LitmusCall::Rename { from, to } => fs.rename(&at(from), &at(to))?,
            LitmusCall::Remove { path } => fs.remove_file(&at(path))?,
        }
    }
    Ok(())
}

/// Open files by the path that they were opened with.
struct Handles<'a> {
    fs: &'a SimFs,
    files: BTreeMap<String, SimFile>,
}

impl Handles<'_> {
    fn add(&mut self, path: &str, mode: OpenMode) -> io::Result<()> {
        let file = self.fs.open_file(&at(path), mode)?;
        self.files.insert(path.to_owned(), file);
        Ok(())
    }

    fn get(&mut self, path: &str) -> io::Result<&SimFile> {
        if !self.files.contains_key(path) {
            self.add(path, OpenMode::Write)?;
        }
        self.files
            .get(path)
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

fn at(path: &str) -> PathBuf {
    Path::new("/").join(path)
}
