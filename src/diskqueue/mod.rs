//! A FIFO queue in files: the format and the operations of nsqio's go-diskqueue, hardened.
//!
//! # Format
//! Bytes and names stand in `corpus/formats/diskqueue.md`. In short: records (length and body) in
//! numbered segments; a meta file with depth and both positions, replaced whole, and behind its
//! text a *note* (boot, generation, checksum); beside each segment *sums*, one per record.
//!
//! # What is promised when
//! - `put` returns: the message survives the death of the process.
//! - `sync`, `close`, `empty`, `delete` or `open` return: the state survives a power cut.
//! - A sync that is owed (by `sync_every` or the sync timeout) is done by the operation that owes
//!   it, or for reads at the start of the next; if it fails, the next sync or close says so.
//!
//! # Limits
//! - Lengths fit a signed 32-bit number, everything else a signed 64-bit number.
//! - Memory: the unsynced bytes (at most `unsynced_bytes_max`, or one message), one piece of the
//!   read segment (128 KiB, or one message) and one of its sums (64 KiB).
//! - Descriptors: the lock, the spare, and two for each end.
//!
//! # Reading order
//! `position`, `names`, `meta` are pure, as is `records` beside it. `queue` has the operations,
//! `writer` and `reader` the ends; `open` looks (`survey`), decides (`noted` or `salvage`, into a
//! `recovery`) and makes it true (`settle`). `persist` replaces the meta.
//! [`mod@format`] shows the pure parts to tools.

mod census;
mod correct;
mod count;
mod damage;
mod empty;
mod error;
pub mod format;
mod frame_reader;
mod inspect;
mod locate;
mod meta;
mod names;
mod noted;
mod open;
mod options;
mod owed;
mod persist;
mod position;
mod put;
mod quarantine;
mod queue;
mod quirk_list;
mod quirks;
mod reader;
mod recovery;
mod salvage;
mod settle;
mod short;
mod store;
mod sums_reader;
mod sums_writer;
mod survey;
mod writer;
mod writer_files;

pub use error::{Applied, Error, Loss, LossKind};
pub use inspect::{Assumption, Finding, inspect, queues};
pub use open::Opened;
pub use options::{LockPolicy, Options};
pub use position::{NUMBER_MAX, Position};
pub use queue::DiskQueue;
pub use quirk_list::{QUIRKS, QuirkInfo};
pub use quirks::{Quirk, Quirks};
