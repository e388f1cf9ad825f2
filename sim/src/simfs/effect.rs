//! What calls do to the disk, in units that a crash can keep or lose: the entries of a recording.
//!
//! Effects are numbered from 0 in the order in which the process saw them; a sync counts as one.
//! The cells that an effect changes are sectors of a file, its size, or a name in a directory.

use super::name::Name;
use super::sector::SectorRef;

/// One entry of the log of a recording.
#[derive(Debug, Clone)]
pub enum Entry {
    /// Something that happened to the disk.
    Effect(Effect),
    /// A marker of the caller: an operation starts or ends.
    Mark(u32),
}

/// One effect.
#[derive(Debug, Clone)]
pub struct Effect {
    /// The number of the call that it belongs to.
    pub call: u32,
    /// No kill falls between this effect and the next one: both belong to one step of the kernel
    /// (the same page of a write, the same rename).
    pub joined: bool,
    /// What it changes.
    pub kind: EffectKind,
}

/// What an effect changes. Files and directories are inode numbers.
#[derive(Debug, Clone)]
pub enum EffectKind {
    /// Bytes of a file.
    Data(Data),
    /// The size of a file.
    Size(Size),
    /// A name comes to stand for an inode, in place of what it stood for.
    Link(Link),
    /// A name ceases.
    Unlink(Unlink),
    /// A sync.
    Sync(Sync),
}

/// Sectors of a file got new bytes. Each reference holds the whole sector as the process saw it.
#[derive(Debug, Clone)]
pub struct Data {
    /// The file.
    pub file: u32,
    /// The number of the first sector in the file.
    pub sector: u32,
    /// How many sectors.
    pub count: u32,
    /// The bytes of the first sector; the others follow.
    pub bytes: SectorRef,
    /// Where the written bytes start in the file.
    pub start: u64,
    /// Where they end.
    pub end: u64,
    /// The size of the file once this is written: up to here the sectors' bytes mean something.
    pub visible: u64,
}

/// The size of a file changed.
#[derive(Debug, Clone)]
pub struct Size {
    /// The file.
    pub file: u32,
    /// In bytes, before.
    pub from: u64,
    /// In bytes, after. When smaller, the bytes behind it are gone.
    pub to: u64,
    /// By a write (true) or by `set_size` and truncation.
    pub written: bool,
}

/// A name comes to stand for an inode.
#[derive(Debug, Clone)]
pub struct Link {
    /// The directory that holds the name.
    pub directory: u32,
    /// The name.
    pub name: Name,
    /// What it stands for from now on.
    pub inode: u32,
    /// What it stood for before.
    pub replaced: Option<u32>,
    /// The directory of the old name where this is the first half of a rename.
    pub renamed_from: Option<u32>,
    /// The inode is a directory.
    pub is_directory: bool,
    /// The inode was made by this effect.
    pub is_new: bool,
}

/// A name ceases.
#[derive(Debug, Clone)]
pub struct Unlink {
    /// The directory that holds the name.
    pub directory: u32,
    /// The name.
    pub name: Name,
    /// What it stood for.
    pub inode: u32,
    /// The directory of the new name where this is the second half of a rename.
    pub renamed_to: Option<u32>,
}

/// A sync of a file or directory.
#[derive(Debug, Clone)]
pub struct Sync {
    /// Of what.
    pub inode: u32,
    /// It is a directory.
    pub is_directory: bool,
    /// How it ended.
    pub outcome: SyncOutcome,
}

/// How a sync ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncOutcome {
    /// It kept what it promises.
    Done,
    /// It failed, and the file's cached bytes are now as said.
    Failed(AfterSyncError),
}

/// What a failed sync of a file leaves behind. In no case does a later sync cover the bytes that
/// this one should have covered, unless they are written again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AfterSyncError {
    /// The cache keeps the new bytes and takes them for clean (Linux: ext4, xfs). The disk may have
    /// them or not.
    Clean,
    /// The cache goes back to the durable bytes and size (btrfs).
    Reverted,
}

impl EffectKind {
    /// Tells whether both change one cell, so that every disk keeps their order.
    #[must_use]
    pub fn shares_cell(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Data(left), Self::Data(right)) => {
                left.file == right.file
                    && left.sector < right.sector + right.count
                    && right.sector < left.sector + left.count
            }
            (Self::Size(left), Self::Size(right)) => left.file == right.file,
            _ => match (self.name_cell(), other.name_cell()) {
                (Some(left), Some(right)) => left == right,
                _ => false,
            },
        }
    }

    /// The change of a size, if it is one.
    #[must_use]
    pub fn size(&self) -> Option<&Size> {
        if let Self::Size(size) = self {
            Some(size)
        } else {
            None
        }
    }

    /// The link, if it is one.
    #[must_use]
    pub fn link(&self) -> Option<&Link> {
        if let Self::Link(link) = self {
            Some(link)
        } else {
            None
        }
    }

    /// The sync, if it is one.
    #[must_use]
    pub fn sync(&self) -> Option<&Sync> {
        if let Self::Sync(sync) = self {
            Some(sync)
        } else {
            None
        }
    }

    /// The directory and name that a name effect changes.
    #[must_use]
    pub fn name_cell(&self) -> Option<(u32, &[u8])> {
        match self {
            Self::Link(link) => Some((link.directory, &link.name)),
            Self::Unlink(unlink) => Some((unlink.directory, &unlink.name)),
            Self::Data(_) | Self::Size(_) | Self::Sync(_) => None,
        }
    }

    /// The file whose bytes or size it changes.
    #[must_use]
    pub fn file(&self) -> Option<u32> {
        match self {
            Self::Data(data) => Some(data.file),
            Self::Size(size) => Some(size.file),
            Self::Link(_) | Self::Unlink(_) | Self::Sync(_) => None,
        }
    }
}
