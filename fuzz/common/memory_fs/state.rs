//! Names and bytes, and the calls that change names, by the rules of Linux.

use crashline::fs::OpenMode;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Component, Path, PathBuf};

const EBUSY: i32 = 16;
const EINVAL: i32 = 22;
const ENOTEMPTY: i32 = 39;
pub(super) const ENOENT: i32 = 2;
pub(super) const EEXIST: i32 = 17;
pub(super) const ENOTDIR: i32 = 20;
pub(super) const EISDIR: i32 = 21;

#[derive(Debug, Default)]
pub(super) struct State {
    /// Every name; the root is not in it.
    pub(super) names: BTreeMap<PathBuf, u64>,
    /// The bytes of a file; a directory has none.
    pub(super) inodes: BTreeMap<u64, Option<Vec<u8>>>,
    pub(super) locked: BTreeSet<u64>,
    next: u64,
}

pub(super) fn errno(number: i32) -> io::Error {
    io::Error::from_raw_os_error(number)
}

fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")
}

/// A path without dots; the names that are drawn have none but one at the end.
pub(super) fn plain(path: &Path) -> PathBuf {
    path.components()
        .filter(|part| !matches!(part, Component::CurDir))
        .collect()
}

pub(super) fn ends_in_dot(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/.")
}

impl State {
    pub(super) fn is_directory(&self, path: &Path) -> bool {
        match self.names.get(path) {
            Some(inode) => self.inodes[inode].is_none(),
            None => path == Path::new("/"),
        }
    }

    /// Every part before the last is a directory.
    pub(super) fn check_parents(&self, path: &Path) -> io::Result<()> {
        let mut parents: Vec<&Path> = path.ancestors().skip(1).collect();
        parents.reverse();
        for parent in parents {
            if parent != Path::new("/") && !self.names.contains_key(parent) {
                return Err(errno(ENOENT));
            }
            if !self.is_directory(parent) {
                return Err(errno(ENOTDIR));
            }
        }
        Ok(())
    }

    /// What a path stands for; `None` is the root.
    pub(super) fn find(&self, path: &Path) -> io::Result<Option<u64>> {
        let name = plain(path);
        self.check_parents(&name)?;
        if name == Path::new("/") {
            return Ok(None);
        }
        let inode = self
            .names
            .get(&name)
            .copied()
            .ok_or_else(|| errno(ENOENT))?;
        Ok(Some(inode))
    }

    pub(super) fn create(&mut self, path: PathBuf, content: Option<Vec<u8>>) -> u64 {
        self.next += 1;
        self.names.insert(path, self.next);
        self.inodes.insert(self.next, content);
        self.next
    }

    pub(super) fn open(&mut self, path: &Path, mode: OpenMode) -> io::Result<u64> {
        let name = plain(path);
        self.check_parents(&name)?;
        let is_new = mode == OpenMode::CreateNew;
        if self.is_directory(&name) {
            return Err(if is_new { errno(EEXIST) } else { not_regular() });
        }
        match self.names.get(&name).copied() {
            Some(_) if is_new => Err(errno(EEXIST)),
            Some(inode) => {
                if mode == OpenMode::Truncate {
                    self.inodes.insert(inode, Some(Vec::new()));
                }
                Ok(inode)
            }
            None if matches!(mode, OpenMode::Read | OpenMode::Write) => Err(errno(ENOENT)),
            None => Ok(self.create(name, Some(Vec::new()))),
        }
    }

    pub(super) fn rename(&mut self, source: &Path, target: &Path, replace: bool) -> io::Result<()> {
        let (from, to) = (plain(source), plain(target));
        self.check_parents(&from)?;
        self.check_parents(&to)?;
        if ends_in_dot(source) {
            return Err(errno(EBUSY));
        }
        if ends_in_dot(target) {
            return Err(errno(if replace { EBUSY } else { EEXIST }));
        }
        let inode = *self.names.get(&from).ok_or_else(|| errno(ENOENT))?;
        let old = self.names.get(&to).copied();
        if !replace && old.is_some() {
            return Err(errno(EEXIST));
        }
        if to.starts_with(&from) && to != from {
            return Err(errno(EINVAL));
        }
        match old {
            Some(old) if old == inode => return Ok(()),
            Some(_) => self.check_replaceable(&from, &to)?,
            None => {}
        }
        let moved: Vec<(PathBuf, u64)> = self
            .names
            .iter()
            .filter(|(name, _)| name.starts_with(&from))
            .map(|(name, inode)| (name.clone(), *inode))
            .collect();
        for (name, _) in &moved {
            self.names.remove(name);
        }
        for (name, inode) in moved {
            let below = name.strip_prefix(&from).expect("it starts with it");
            let name = if below.as_os_str().is_empty() {
                to.clone()
            } else {
                to.join(below)
            };
            self.names.insert(name, inode);
        }
        Ok(())
    }

    fn check_replaceable(&self, from: &Path, to: &Path) -> io::Result<()> {
        let is_empty = |path: &Path| !self.names.keys().any(|name| name.parent() == Some(path));
        if from.starts_with(to) {
            return Err(errno(ENOTEMPTY));
        }
        match (self.is_directory(from), self.is_directory(to)) {
            (true, true) if is_empty(to) => Ok(()),
            (true, true) => Err(errno(ENOTEMPTY)),
            (true, false) => Err(errno(ENOTDIR)),
            (false, true) => Err(errno(EISDIR)),
            (false, false) => Ok(()),
        }
    }
}
