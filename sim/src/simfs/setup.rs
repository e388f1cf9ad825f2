//! What tests and explorers do to a [`SimFs`] that no process could: trees from nowhere, limits,
//! the end of a process.

use super::api::SimFs;
use super::calls::Call;
use super::layer::NodeKind;
use super::name::Name;
use super::recording::Recording;
use super::state::Core;
use super::tear::Tearing;
use super::tree::TreeEntry;
use super::{Entry, hash};
use crashline::fs::OpenMode;
use std::io;
use std::path::{Path, PathBuf};

impl SimFs {
    /// A disk that holds `tree`, all of it durable. Parents come before what is in them.
    ///
    /// # Errors
    /// As the calls that make such a tree.
    pub fn from_tree(tree: &[(PathBuf, TreeEntry)]) -> io::Result<Self> {
        let fs = Self::new();
        {
            let mut core = fs.lock();
            for (path, entry) in tree {
                add(&mut core, path, entry)?;
            }
            core.settle();
        }
        Ok(fs)
    }

    /// Adds or replaces one name, and makes everything durable: as if it had always been so. The
    /// recording starts anew.
    ///
    /// # Errors
    /// As the calls that make such an entry.
    pub fn place(&self, path: &Path, entry: &TreeEntry) -> io::Result<()> {
        let mut core = self.lock();
        let result = add(&mut core, path, entry);
        core.settle();
        result
    }

    /// Removes a file's name, and makes everything durable: as if it had never been. The
    /// recording starts anew.
    ///
    /// # Errors
    /// As `Fs::remove_file`.
    pub fn erase(&self, path: &Path) -> io::Result<()> {
        let mut core = self.lock();
        let result = core.remove_file(path);
        core.settle();
        result
    }

    /// What a name stands for at present, with a file's bytes; no call is counted.
    #[must_use]
    pub fn entry(&self, path: &Path) -> Option<TreeEntry> {
        let mut core = self.lock();
        let inode = core.find(path).ok()?;
        Some(core.entry(inode))
    }

    /// The names in a directory, sorted, each with the size of what it stands for and, where asked
    /// for, a file's bytes; nothing where there is no such directory. No call is counted.
    pub(crate) fn files(
        &self,
        directory: &Path,
        wants_bytes: impl Fn(&[u8]) -> bool,
    ) -> Vec<(Name, u64, Option<Vec<u8>>)> {
        let mut core = self.lock();
        let Ok(directory) = core.find_directory(directory) else {
            return Vec::new();
        };
        let entries = core.top.entries(directory);
        let seen = entries.into_iter().map(|(name, inode)| {
            let bytes = match wants_bytes(name).then(|| core.entry(inode)) {
                Some(TreeEntry::File(bytes)) => Some(bytes),
                Some(TreeEntry::Directory | TreeEntry::Special) | None => None,
            };
            (name.clone(), core.size(inode), bytes)
        });
        seen.collect()
    }

    /// A disk as a process saw this one after so many effects of the recording; `None` if there
    /// were not so many.
    #[must_use]
    pub fn at_effect(&self, effects: u32) -> Option<Self> {
        self.recording().visible_at(effects)
    }

    /// Makes everything that is visible durable, and starts the recording anew.
    pub fn settle(&self) {
        self.lock().settle();
    }

    /// Puts a marker into the recording, ordered with the effects.
    pub fn mark(&self, mark: u32) {
        self.lock().log.push(Entry::Mark(mark));
    }

    /// The durable start, and all effects and marks since.
    #[must_use]
    pub fn recording(&self) -> Recording {
        self.lock().recording()
    }

    /// Looks at the recording of a disk that nobody uses any more: nothing of it is copied, and
    /// nothing but its buffer is left.
    pub(crate) fn last_recording<T>(&self, look: impl FnOnce(&Recording) -> T) -> T {
        let mut recording = self.lock().last_recording();
        let result = look(&recording);
        recording.log.clear();
        self.lock().log = recording.log;
        result
    }

    /// The process dies: all its handles fail from now on, its locks go. Files and their cached
    /// bytes stay, and the next opens are those of a new process.
    pub fn kill(&self) {
        self.lock().kill();
    }

    /// Lets only so many further calls through; all later ones fail with `EIO`, and a caller that
    /// does not stop even then is unwound.
    pub fn set_call_limit(&self, left: Option<u64>) {
        self.lock().set_call_limit(left);
    }

    /// Whether a call came after the limit.
    #[must_use]
    pub fn cut_off(&self) -> bool {
        self.lock().cut_off()
    }

    /// How many calls there were since the recording began.
    #[must_use]
    pub fn call_count(&self) -> u64 {
        u64::from(self.lock().call)
    }

    /// How many effects there were since the recording began.
    #[must_use]
    pub fn effect_count(&self) -> u32 {
        self.lock().effects()
    }

    /// Records calls from now on, for timelines. Effects are always recorded.
    pub fn set_call_log(&self, is_on: bool) {
        self.lock().log_calls = is_on;
    }

    /// The calls recorded so far.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.lock().recording().calls
    }

    /// Bounds the disk to `bytes`, in blocks of 4 KiB; what is there now counts.
    pub fn set_capacity(&self, bytes: Option<u64>) {
        self.lock().set_capacity(bytes);
    }

    /// Leaves only so many free bytes from now on, in blocks of 4 KiB.
    pub fn set_free_space(&self, bytes: u64) {
        self.lock().set_free_space(bytes);
    }

    /// Lets a full disk refuse new names too.
    pub fn set_names_need_space(&self, is_on: bool) {
        self.lock().space.names_need_space = is_on;
    }

    /// Lets a full disk say `EDQUOT` instead of `ENOSPC`.
    pub fn set_quota_errors(&self, is_on: bool) {
        self.lock().space.is_quota = is_on;
    }

    /// Lets every change fail with `EROFS`, or not any more.
    pub fn set_read_only(&self, is_on: bool) {
        self.lock().read_only = is_on;
    }

    /// How finely writes are cut from now on.
    pub fn set_tearing(&self, tearing: Tearing) {
        self.lock().tearing = tearing;
    }

    /// All visible names with their contents, sorted by path; the root is left out.
    #[must_use]
    pub fn tree(&self) -> Vec<(PathBuf, TreeEntry)> {
        self.lock().tree()
    }

    /// The hash of the visible tree.
    #[must_use]
    pub fn tree_hash(&self) -> u128 {
        hash::tree_hash(&self.tree())
    }
}

fn add(core: &mut Core, path: &Path, entry: &TreeEntry) -> io::Result<()> {
    match entry {
        TreeEntry::Directory => core.create_dir(path),
        TreeEntry::File(bytes) => {
            let inode = core.open(path, OpenMode::Truncate)?;
            let written = core.write(inode, 0, bytes)?;
            if written == bytes.len() {
                Ok(())
            } else {
                Err(io::ErrorKind::StorageFull.into())
            }
        }
        TreeEntry::Special => match core.place(path)? {
            Some(place) if place.inode.is_none() => {
                core.create(place, NodeKind::Special).map(|_| ())
            }
            _ => Err(io::ErrorKind::AlreadyExists.into()),
        },
    }
}
