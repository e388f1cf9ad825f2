//! Calls that change names: open, create, remove, rename.

use super::directory::Place;
use super::effect::{EffectKind, Link, Unlink};
use super::errno::{error, not_regular};
use super::layer::{NodeKind, ROOT};
use super::name::Name;
use super::state::Core;
use crashline::fs::OpenMode;
use rustix::io::Errno;
use std::io;
use std::path::Path;

impl Core {
    /// Opens a regular file and gives its inode.
    pub(crate) fn open(&mut self, path: &Path, mode: OpenMode) -> io::Result<u32> {
        let is_exclusive = mode == OpenMode::CreateNew;
        let Some(place) = self.place(path)? else {
            return Err(if is_exclusive {
                error(Errno::EXIST)
            } else {
                not_regular()
            });
        };
        if let Some(inode) = place.inode {
            if is_exclusive {
                return Err(error(Errno::EXIST));
            }
            if self.kind(inode) != NodeKind::File {
                return Err(not_regular());
            }
            if mode != OpenMode::Read {
                self.require_writable()?;
            }
            if mode == OpenMode::Truncate {
                self.set_size(inode, 0)?;
            }
            return Ok(inode);
        }
        if matches!(mode, OpenMode::Read | OpenMode::Write) {
            return Err(error(Errno::NOENT));
        }
        self.create(place, NodeKind::File)
    }

    pub(crate) fn create_dir(&mut self, path: &Path) -> io::Result<()> {
        match self.place(path)? {
            Some(place) if place.inode.is_none() => {
                self.create(place, NodeKind::Directory).map(|_| ())
            }
            _ => Err(error(Errno::EXIST)),
        }
    }

    /// Makes a new inode under a name that is free.
    pub(crate) fn create(&mut self, place: Place<'_>, kind: NodeKind) -> io::Result<u32> {
        self.require_writable()?;
        self.require_space_for_name()?;
        if place.name.bytes.contains(&0) {
            return Err(error(Errno::INVAL));
        }
        let inode = self.next_inode;
        self.next_inode += 1;
        self.top.insert(inode, kind);
        let name = self.top.held_name(place.directory, place.name);
        self.set_entry(place.directory, &name, None, Some(inode));
        self.record(
            false,
            EffectKind::Link(Link {
                directory: place.directory,
                name,
                inode,
                replaced: None,
                renamed_from: None,
                is_directory: kind == NodeKind::Directory,
                is_new: true,
            }),
        );
        Ok(inode)
    }

    pub(crate) fn remove_file(&mut self, path: &Path) -> io::Result<()> {
        let Some(place) = self.place(path)? else {
            return Err(error(Errno::ISDIR));
        };
        let inode = place.inode.ok_or_else(|| error(Errno::NOENT))?;
        if self.kind(inode) == NodeKind::Directory {
            return Err(error(Errno::ISDIR));
        }
        self.require_writable()?;
        let name = self.top.held_name(place.directory, place.name);
        self.set_entry(place.directory, &name, Some(inode), None);
        self.record(
            false,
            EffectKind::Unlink(Unlink {
                directory: place.directory,
                name,
                inode,
                renamed_to: None,
            }),
        );
        self.release_if_unused(inode);
        Ok(())
    }

    /// Renames; `replace` says whether an existing target is replaced or refused.
    pub(crate) fn rename(&mut self, source: &Path, target: &Path, replace: bool) -> io::Result<()> {
        let (source, target) = (self.place(source)?, self.place(target)?);
        let is_plain = |place: &Place<'_>| place.name.bytes != b".";
        let source = source.filter(is_plain).ok_or_else(|| error(Errno::BUSY))?;
        let target = target
            .filter(is_plain)
            .ok_or_else(|| error(if replace { Errno::BUSY } else { Errno::EXIST }))?;
        let inode = source.inode.ok_or_else(|| error(Errno::NOENT))?;
        if !replace && target.inode.is_some() {
            return Err(error(Errno::EXIST));
        }
        if self.is_within(target.directory, inode) {
            return Err(error(Errno::INVAL));
        }
        self.require_writable()?;
        if let Some(old) = target.inode {
            if old == inode {
                return Ok(());
            }
            if self.is_within(source.directory, old) {
                return Err(error(Errno::NOTEMPTY));
            }
            self.require_replaceable(inode, old)?;
        }
        self.record_rename(inode, source, target);
        if let Some(old) = target.inode {
            self.release_if_unused(old);
        }
        Ok(())
    }

    fn require_replaceable(&self, new: u32, old: u32) -> io::Result<()> {
        let both = (self.kind(new), self.kind(old));
        match both {
            (NodeKind::Directory, NodeKind::Directory) => {
                if self.top.entries(old).is_empty() {
                    Ok(())
                } else {
                    Err(error(Errno::NOTEMPTY))
                }
            }
            (NodeKind::Directory, _) => Err(error(Errno::NOTDIR)),
            (_, NodeKind::Directory) => Err(error(Errno::ISDIR)),
            _ => Ok(()),
        }
    }

    /// Two effects that profiles may glue: the new name is there, the old one goes.
    fn record_rename(&mut self, inode: u32, source: Place<'_>, target: Place<'_>) {
        let is_directory = self.kind(inode) == NodeKind::Directory;
        if is_directory {
            self.parent_cache.0.clear();
        }
        let old_name = self.top.held_name(source.directory, source.name);
        let new_name = self.top.held_name(target.directory, target.name);
        self.set_entry(source.directory, &old_name, Some(inode), None);
        self.set_entry(target.directory, &new_name, target.inode, Some(inode));
        self.record(
            true,
            EffectKind::Link(Link {
                directory: target.directory,
                name: new_name,
                inode,
                replaced: target.inode,
                renamed_from: Some(source.directory),
                is_directory,
                is_new: false,
            }),
        );
        self.record(
            false,
            EffectKind::Unlink(Unlink {
                directory: source.directory,
                name: old_name,
                inode,
                renamed_to: Some(target.directory),
            }),
        );
    }

    /// Lets a name stand for something else than it did.
    fn set_entry(&mut self, directory: u32, name: &Name, old: Option<u32>, new: Option<u32>) {
        self.top.replace_entry(directory, name, old, new);
        self.known_names.set(directory, name.to_ref(), new);
    }

    /// Whether `inode` is `ancestor` or lies in it.
    fn is_within(&self, inode: u32, ancestor: u32) -> bool {
        let mut at = inode;
        loop {
            if at == ancestor {
                return true;
            }
            if at == ROOT {
                return false;
            }
            at = self.parent_of(at);
        }
    }

    pub(crate) fn require_writable(&self) -> io::Result<()> {
        if self.read_only {
            Err(error(Errno::ROFS))
        } else {
            Ok(())
        }
    }
}
