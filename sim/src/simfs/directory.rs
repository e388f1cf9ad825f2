//! Paths: from raw bytes to inodes, and back for the record of calls.

use super::errno::error;
use super::layer::{NodeKind, ROOT};
use super::name::NameRef;
use super::state::Core;
use rustix::io::Errno;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

const NAME_BYTES_MAX: usize = 255;

/// A path's last part, and what it stands for at present.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) directory: u32,
    pub(crate) name: NameRef<'a>,
    pub(crate) inode: Option<u32>,
}

impl Core {
    /// The inode that a path stands for.
    pub(crate) fn find(&mut self, path: &Path) -> io::Result<u32> {
        let known = self.parent_cache.0.strip_suffix(b"/");
        if known.is_some_and(|known| !known.is_empty() && known == path.as_os_str().as_bytes()) {
            return Ok(self.parent_cache.1);
        }
        match self.place(path)? {
            None => Ok(ROOT),
            Some(place) => place.inode.ok_or_else(|| error(Errno::NOENT)),
        }
    }

    /// The directory that a path stands for.
    pub(crate) fn find_directory(&mut self, path: &Path) -> io::Result<u32> {
        let inode = self.find(path)?;
        self.require_directory(inode)
    }

    /// The last part of a path and where it is; `None` for the root itself.
    pub(crate) fn place<'a>(&mut self, path: &'a Path) -> io::Result<Option<Place<'a>>> {
        let bytes = path.as_os_str().as_bytes();
        if let Some(name) = self.name_in_known_parent(bytes) {
            let (directory, name) = (self.parent_cache.1, NameRef::new(name));
            // Names that are known have no slash and are not dots.
            if let Some(inode) = self.known_names.get(directory, name) {
                return Ok(Some(Place {
                    directory,
                    name,
                    inode,
                }));
            }
            if !matches!(name.bytes, b"" | b"." | b"..") && !name.bytes.contains(&b'/') {
                return self.look_up(directory, name).map(Some);
            }
        }
        if bytes.is_empty() {
            return Err(error(Errno::NOENT));
        }
        let end = bytes
            .iter()
            .rposition(|byte| *byte != b'/')
            .map_or(0, |at| at + 1);
        let bytes = bytes.get(..end).unwrap_or_default();
        let start = bytes
            .iter()
            .rposition(|byte| *byte == b'/')
            .map_or(0, |at| at + 1);
        let (parent, name) = bytes.split_at(start);
        if matches!(name, b"" | b"." | b"..") {
            return self.place_of_dots(bytes);
        }
        let directory = self.parent(parent)?;
        self.look_up(directory, NameRef::new(name)).map(Some)
    }

    /// What follows the parent that was met last, if a path is in it: nearly all paths are.
    fn name_in_known_parent<'a>(&self, path: &'a [u8]) -> Option<&'a [u8]> {
        let parent = self.parent_cache.0.as_slice();
        path.strip_prefix(parent).filter(|_| !parent.is_empty())
    }

    /// The place of a name without slashes that is not dots.
    fn look_up<'a>(&mut self, directory: u32, name: NameRef<'a>) -> io::Result<Place<'a>> {
        if name.bytes.len() > NAME_BYTES_MAX {
            return Err(error(Errno::NAMETOOLONG));
        }
        let inode = self.top.entry(directory, name);
        // The root is looked into for the data directory alone, between all other names.
        if directory != ROOT {
            self.known_names.set(directory, name, inode);
        }
        Ok(Place {
            directory,
            name,
            inode,
        })
    }

    /// Paths that end in dots stand for a directory that exists and cannot be made or removed.
    fn place_of_dots<'a>(&mut self, path: &'a [u8]) -> io::Result<Option<Place<'a>>> {
        let inode = self.descend(path)?;
        if inode == ROOT {
            return Ok(None);
        }
        Ok(Some(Place {
            directory: inode,
            name: NameRef::new(b"."),
            inode: Some(inode),
        }))
    }

    /// The directory that a path stands for, which ends in a slash or is empty.
    fn parent(&mut self, path: &[u8]) -> io::Result<u32> {
        if matches!(path, b"" | b"/") {
            return Ok(ROOT);
        }
        if self.parent_cache.0 == path {
            return Ok(self.parent_cache.1);
        }
        let inode = self.descend(path)?;
        self.require_directory(inode)?;
        self.parent_cache.0.clear();
        self.parent_cache.0.extend_from_slice(path);
        self.parent_cache.1 = inode;
        Ok(inode)
    }

    fn descend(&self, path: &[u8]) -> io::Result<u32> {
        let mut inode = ROOT;
        for part in path.split(|byte| *byte == b'/') {
            match part {
                b"" | b"." => {}
                b".." => inode = self.parent_of(inode),
                name => {
                    self.require_directory(inode)?;
                    if name.len() > NAME_BYTES_MAX {
                        return Err(error(Errno::NAMETOOLONG));
                    }
                    inode = self
                        .top
                        .entry(inode, NameRef::new(name))
                        .ok_or_else(|| error(Errno::NOENT))?;
                }
            }
        }
        Ok(inode)
    }

    /// The directory that holds a directory; the root holds itself.
    pub(crate) fn parent_of(&self, directory: u32) -> u32 {
        self.top
            .node(directory)
            .and_then(|node| node.names.first())
            .map_or(ROOT, |(parent, _)| *parent)
    }

    fn require_directory(&self, inode: u32) -> io::Result<u32> {
        if self.kind(inode) == NodeKind::Directory {
            Ok(inode)
        } else {
            Err(error(Errno::NOTDIR))
        }
    }

    pub(crate) fn kind(&self, inode: u32) -> NodeKind {
        self.top
            .node(inode)
            .map_or(NodeKind::Special, |node| node.kind)
    }

    /// A path of an inode at present; `(removed)` where it has none.
    pub(crate) fn path_of(&self, inode: u32) -> PathBuf {
        let mut parts = Vec::new();
        let mut at = inode;
        while at != ROOT {
            let Some((parent, name)) = self.top.node(at).and_then(|node| node.names.first()) else {
                return PathBuf::from("(removed)");
            };
            parts.push(OsStr::from_bytes(name));
            at = *parent;
        }
        let mut path = PathBuf::from("/");
        path.extend(parts.iter().rev());
        path
    }
}
