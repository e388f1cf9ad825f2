//! The simulated disk: a filesystem that records what a crash could undo.
//!
//! Invariants:
//! - Inodes, not paths: a handle follows its file through rename and removal and fails after
//!   [`SimFs::kill`]. Directories are inodes too.
//! - Every call becomes effects (`effect.rs`) in one log, in the order in which the process saw
//!   them; the process sees all of them at once, the disk what syncs or luck made durable.
//! - Written bytes are kept once, as whole sectors in an arena that only grows (`sector.rs`); what
//!   a file contains is a table of references into it (`layer.rs`). So a call costs the same
//!   however large the file or the backlog is, and a snapshot copies no bytes.
//! - A reference beyond a file's size does not exist, and the bytes behind the size in its last
//!   sector are zero: growing a file shows zeros.

mod api;
mod blocks;
mod calls;
pub mod compare;
mod content;
mod directory;
mod effect;
mod errno;
mod file;
mod handles;
pub(crate) mod hash;
pub(crate) mod layer;
mod listing;
mod name;
mod names;
mod recording;
mod replay;
mod revert;
pub(crate) mod sector;
mod setup;
mod space;
mod standing;
mod state;
mod tear;
mod tree;

pub use api::SimFs;
pub use calls::Call;
pub use effect::{
    AfterSyncError, Data, Effect, EffectKind, Entry, Link, Size, Sync, SyncOutcome, Unlink,
};
pub use file::SimFile;
pub use hash::tree_hash;
pub use name::Name;
pub use recording::Recording;
pub(crate) use recording::Uneven;
pub use sector::{SECTOR_BYTES, SectorRef};
pub use tear::{PAGE_BYTES, Tearing};
pub use tree::TreeEntry;

pub(crate) use state::Start;
