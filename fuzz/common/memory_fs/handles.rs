//! The trait over the names and bytes, open files, and locks.

use super::state::{EEXIST, EISDIR, ENOENT, ENOTDIR, State, ends_in_dot, errno, plain};
use crashline::fs::{BootId, FileIdentity, FileKind, Fs, FsFile, FsLock, OpenMode, Stat, SyncKind};
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

const EBADF: i32 = 9;
const EAGAIN: i32 = 11;
const EINVAL: i32 = 22;

/// A filesystem in memory. Clones are the same one.
#[derive(Debug, Clone, Default)]
pub struct MemoryFs {
    shared: Arc<Mutex<State>>,
}

impl MemoryFs {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.shared.lock().expect("nothing panics while it is held")
    }
}

impl Fs for MemoryFs {
    fn open(&self, path: &Path, mode: OpenMode, _permissions: u32) -> io::Result<Box<dyn FsFile>> {
        let inode = self.lock().open(path, mode)?;
        Ok(Box::new(MemoryFile {
            fs: self.clone(),
            inode,
            is_writable: mode != OpenMode::Read,
        }))
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        let state = self.lock();
        let inode = state.find(path)?;
        let content = inode.and_then(|inode| state.inodes[&inode].as_ref());
        Ok(Stat {
            kind: content.map_or(FileKind::Directory, |_| FileKind::Regular),
            size: content.map_or(0, |bytes| bytes.len() as u64),
            identity: FileIdentity {
                device: 1,
                inode: inode.unwrap_or(0),
            },
        })
    }

    fn list_dir(&self, directory: &Path, show: &mut dyn FnMut(&OsStr)) -> io::Result<()> {
        let state = self.lock();
        state.find(directory)?;
        let directory = plain(directory);
        if !state.is_directory(&directory) {
            return Err(errno(ENOTDIR));
        }
        let inside = state
            .names
            .keys()
            .filter(|name| name.parent() == Some(&directory));
        let mut names: Vec<&OsStr> = inside.filter_map(|name| name.file_name()).collect();
        names.sort();
        names.into_iter().for_each(show);
        Ok(())
    }

    fn create_dir(&self, directory: &Path) -> io::Result<()> {
        let mut state = self.lock();
        let name = plain(directory);
        state.check_parents(&name)?;
        // A path that ends in a dot is a directory that is there already, or nothing at all.
        if ends_in_dot(directory) && !state.names.contains_key(&name) && name != Path::new("/") {
            return Err(errno(ENOENT));
        }
        if name == Path::new("/") || state.names.contains_key(&name) {
            return Err(errno(EEXIST));
        }
        state.create(name, None);
        Ok(())
    }

    fn rename(&self, source: &Path, target: &Path) -> io::Result<()> {
        self.lock().rename(source, target, true)
    }

    fn rename_no_replace(&self, source: &Path, target: &Path) -> io::Result<()> {
        self.lock().rename(source, target, false)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        let mut state = self.lock();
        let Some(inode) = state.find(path)? else {
            return Err(errno(EISDIR));
        };
        if state.inodes[&inode].is_none() {
            return Err(errno(EISDIR));
        }
        state.names.remove(&plain(path));
        Ok(())
    }

    fn sync_dir(&self, directory: &Path) -> io::Result<()> {
        self.lock().find(directory).map(|_| ())
    }

    fn try_lock(&self, path: &Path, _permissions: u32) -> io::Result<Box<dyn FsLock>> {
        let inode = self.lock().open(path, OpenMode::Create)?;
        if !self.lock().locked.insert(inode) {
            return Err(errno(EAGAIN));
        }
        Ok(Box::new(MemoryLock {
            fs: self.clone(),
            inode,
        }))
    }

    fn boot_id(&self) -> Option<BootId> {
        None
    }
}

#[derive(Debug)]
struct MemoryFile {
    fs: MemoryFs,
    inode: u64,
    is_writable: bool,
}

impl MemoryFile {
    fn with<T>(&self, action: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        let mut state = self.fs.lock();
        let content = state.inodes.get_mut(&self.inode).and_then(Option::as_mut);
        action(content.expect("a handle is of a file"))
    }
}

impl FsFile for MemoryFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.with(|bytes| {
            let from = usize::try_from(offset).map_or(bytes.len(), |at| at.min(bytes.len()));
            let count = buffer.len().min(bytes.len() - from);
            buffer[..count].copy_from_slice(&bytes[from..from + count]);
            Ok(count)
        })
    }

    fn write_at(&self, offset: u64, new: &[u8]) -> io::Result<usize> {
        if !self.is_writable {
            return Err(errno(EBADF));
        }
        self.with(|bytes| {
            let from = usize::try_from(offset).expect("offsets are small");
            if !new.is_empty() && bytes.len() < from + new.len() {
                bytes.resize(from + new.len(), 0);
            }
            if !new.is_empty() {
                bytes[from..from + new.len()].copy_from_slice(new);
            }
            Ok(new.len())
        })
    }

    fn size(&self) -> io::Result<u64> {
        self.with(|bytes| Ok(bytes.len() as u64))
    }

    fn set_size(&self, size: u64) -> io::Result<()> {
        if !self.is_writable {
            return Err(errno(EINVAL));
        }
        self.with(|bytes| {
            bytes.resize(usize::try_from(size).expect("sizes are small"), 0);
            Ok(())
        })
    }

    fn sync(&self, _kind: SyncKind) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Debug)]
struct MemoryLock {
    fs: MemoryFs,
    inode: u64,
}

impl FsLock for MemoryLock {}

impl Drop for MemoryLock {
    fn drop(&mut self) {
        self.fs.lock().locked.remove(&self.inode);
    }
}
