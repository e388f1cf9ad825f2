//! The filesystem trait: everything an engine may ask of a disk, and nothing else.
//!
//! Rules that every implementation keeps:
//! - A handle follows the file, not the name: it stays valid through rename and removal.
//! - `read_at` and `write_at` may transfer fewer bytes than asked; the functions of this module
//!   ([`read_exact_at`], [`read_up_to`], [`write_all_at`], [`read_file`]) do whole transfers.
//! - Written bytes are visible to all handles at once and durable only after [`FsFile::sync`].
//! - A name is durable only after [`Fs::sync_dir`] of the directory that holds it.
//! - After a failed sync nothing is known about the bytes it should have covered.
//! - No method has a default body: a default that a simulator forgets is a silent hole.

mod api;
mod real;
mod replace;
mod whole;

pub(crate) use api::FILE_NAME_BYTES_MAX;
pub use api::{
    BootId, FileIdentity, FileKind, Fs, FsFile, FsLock, LockPolicy, OpenMode, Stat, SyncKind,
};
pub use real::RealFs;
pub use replace::{ReplaceStep, replace_file};
pub use whole::{list_names, read_exact_at, read_file, read_up_to, write_all_at};
