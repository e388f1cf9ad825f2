//! Watches the calls of a recorded run for what no look at the directory shows: permission bits of
//! new files (C14), and files of others that were opened for writing, renamed or removed (C9).

use crate::oracle::{Staying, What};
use crate::scenario::Clause;
use crate::subject::FsHook;
use crashline::fs::{Fs, FsFile, OpenMode};
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The permission bits of every file that a queue makes.
const OF_A_QUEUE: u32 = 0o600;

/// The permission bits of every file that a log makes.
const OF_A_LOG: u32 = 0o644;

/// Takes note of bad manners.
#[derive(Debug)]
pub(crate) struct Manners {
    /// Names that are none of its own to touch, and the clause that says so.
    others: Vec<(String, Clause)>,
    permissions: u32,
    noted: Mutex<Vec<(Clause, What)>>,
}

impl Manners {
    /// Watches over what stays beside a queue.
    pub(crate) fn of_a_queue(staying: &Staying<'_>) -> Self {
        Self::new(staying, OF_A_QUEUE)
    }

    /// Watches over what stays beside a log.
    pub(crate) fn of_a_log(staying: &Staying<'_>) -> Self {
        Self::new(staying, OF_A_LOG)
    }

    fn new(staying: &Staying<'_>, permissions: u32) -> Self {
        let others = staying.iter();
        Self {
            others: others
                .map(|(one, clause)| (one.name.clone(), *clause))
                .collect(),
            permissions,
            noted: Mutex::new(Vec::new()),
        }
    }

    /// What was noted since this was last asked.
    pub(crate) fn take(&self) -> Vec<(Clause, What)> {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut noted)
    }

    fn note(&self, clause: Clause, path: &Path, rule: &'static str) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        noted.push((clause, What::File(name.into_owned(), rule)));
    }

    /// The clause that forbids touching a path, where there is one.
    fn forbids(&self, path: &Path) -> Option<Clause> {
        let name = path.file_name()?.to_str()?;
        let mut others = self.others.iter();
        Some(others.find(|(other, _)| other == name)?.1)
    }
}

impl FsHook for Manners {
    fn open(
        &self,
        below: &dyn Fs,
        path: &Path,
        mode: OpenMode,
        permissions: u32,
    ) -> io::Result<Box<dyn FsFile>> {
        let file = below.open(path, mode, permissions)?;
        let may_create = match mode {
            OpenMode::Create | OpenMode::CreateNew | OpenMode::Truncate => true,
            OpenMode::Read | OpenMode::Write => false,
        };
        if may_create && permissions != self.permissions {
            let rule = match self.permissions {
                OF_A_LOG => "is made with other permission bits than 0644",
                _ => "is made with other permission bits than 0600",
            };
            self.note(Clause::C14, path, rule);
        }
        if mode != OpenMode::Read
            && let Some(clause) = self.forbids(path)
        {
            self.note(
                clause,
                path,
                "is none of its files and was opened for writing",
            );
        }
        Ok(file)
    }

    fn renamed(&self, path: &Path) {
        if let Some(clause) = self.forbids(path) {
            self.note(
                clause,
                path,
                "is none of its files and was renamed or removed",
            );
        }
    }
}
