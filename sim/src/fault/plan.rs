//! [`FaultPlan`]: which calls fail, and how.

use rustix::io::Errno;

/// The calls of a filesystem, by the names of their methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CallName {
    /// `Fs::open`.
    Open,
    /// `Fs::stat`.
    Stat,
    /// `Fs::list_dir`.
    ListDir,
    /// `Fs::create_dir`.
    CreateDir,
    /// `Fs::rename`, by its source or target.
    Rename,
    /// `Fs::rename_no_replace`, by its source or target.
    RenameNoReplace,
    /// `Fs::remove_file`.
    RemoveFile,
    /// `Fs::sync_dir`.
    SyncDir,
    /// `Fs::try_lock`.
    TryLock,
    /// `FsFile::read_at`.
    ReadAt,
    /// `FsFile::write_at`.
    WriteAt,
    /// `FsFile::size`.
    Size,
    /// `FsFile::set_size`.
    SetSize,
    /// `FsFile::sync`.
    Sync,
    /// Any call.
    Any,
    /// Any call that changes something.
    Change,
}

/// Which of the calls that match, counted from 1 for each fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Which {
    /// The first one that fails.
    pub first: u64,
    /// The last one; `None` is without end.
    pub last: Option<u64>,
}

/// One fault of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Which of the matching calls.
    pub which: Which,
    /// The call.
    pub call: CallName,
    /// A pattern of the file's name, or of its path if it has a `/`. A handle keeps the path that
    /// it was opened with.
    pub pattern: String,
    /// What happens.
    pub kind: FaultKind,
}

/// What happens to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// It fails without effect; a write after so many bytes.
    Error {
        /// With this error.
        errno: Errno,
        /// Bytes written before.
        after: u64,
    },
    /// It transfers at most so many bytes, at least one.
    Short {
        /// The bytes.
        bytes: u64,
    },
    /// A sync of a file fails.
    SyncFailure {
        /// With this error.
        errno: Errno,
        /// And leaves this behind.
        after: SyncFailure,
    },
    /// From this call on sectors of the file cannot be read.
    BadSectors {
        /// The first.
        first: u64,
        /// The last.
        last: u64,
    },
    /// A bit of what is read is wrong from now on.
    BitFlip,
    /// The write lands elsewhere.
    Misdirected {
        /// So much further in the file.
        bytes: u64,
    },
}

/// What a failed sync leaves behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncFailure {
    /// The new bytes stay in the cache and count as clean.
    Clean,
    /// The cache goes back to what was durable.
    Reverted,
    /// This sync succeeds, the file's next one fails and leaves its bytes clean.
    Next,
}

/// A bound on the free space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    /// Free bytes.
    pub bytes: u64,
    /// The error is `EDQUOT` instead of `ENOSPC`.
    pub is_quota: bool,
    /// The number of the call from which it holds, counted from 1 over all calls.
    pub from: u64,
    /// The number of the call at which space is back.
    pub until: Option<u64>,
}

/// All faults of a run. The default plan has none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FaultPlan {
    /// The faults; the first one that matches a call is carried out.
    pub faults: Vec<Fault>,
    /// Bounds on the space.
    pub spaces: Vec<Space>,
    /// `Fs::boot_id` says `None`.
    pub is_boot_unknown: bool,
    /// Decides which bits flip.
    pub seed: u64,
}

impl FaultPlan {
    /// The same plan with another seed.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Whether it asks for nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.faults.is_empty() && self.spaces.is_empty() && !self.is_boot_unknown
    }
}

impl Fault {
    /// The name of its kind in [`super::KINDS`].
    #[must_use]
    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            FaultKind::Error { errno, .. } => errno_kind(errno),
            FaultKind::Short { .. } if self.call == CallName::ReadAt => "short-read",
            FaultKind::Short { .. } => "short-write",
            FaultKind::SyncFailure { after, .. } => match after {
                SyncFailure::Clean => "sync-clean",
                SyncFailure::Reverted => "sync-reverted",
                SyncFailure::Next => "sync-next",
            },
            FaultKind::BadSectors { .. } => "bad-sectors",
            FaultKind::BitFlip => "bit-flip",
            FaultKind::Misdirected { .. } => "misdirected-write",
        }
    }
}

/// The errors that a plan may name, with the names of their kinds.
pub(crate) const ERRORS: &[(&str, Errno, &str)] = &[
    ("EIO", Errno::IO, "eio"),
    ("ENOSPC", Errno::NOSPC, "enospc"),
    ("EDQUOT", Errno::DQUOT, "edquot"),
    ("EMFILE", Errno::MFILE, "emfile"),
    ("EACCES", Errno::ACCESS, "eacces"),
    ("EROFS", Errno::ROFS, "erofs"),
    ("EINTR", Errno::INTR, "eintr"),
];

fn errno_kind(errno: Errno) -> &'static str {
    ERRORS
        .iter()
        .find(|(_, known, _)| *known == errno)
        .map_or("eio", |(_, _, kind)| kind)
}
