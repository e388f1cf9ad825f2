//! A table of consumer offsets in one file: the format and the operations of RocketMQ's local file
//! offset stores, hardened.
//!
//! # Format
//! Bytes and names stand in `corpus/formats/offsets.md`. In short: `<root>/<client>/<group>/` holds
//! one file of JSON, or nearly so, in one of two dialects; a backup of it; and while it is replaced
//! a temporary file. Ours has one more field, a *note* with a checksum, which the clients ignore.
//!
//! # What is promised when
//! - `persist`, `persist_all`, `close` or `open` return: the file's offsets survive a power cut.
//! - Everything else is in memory only, and survives nothing.
//!
//! # Limits
//! - Offsets are whole numbers from 0 to 2^63-1, the numbers of queues fit 32 bits.
//! - Memory: three times the table, and the bytes of the files there are. Descriptors: the lock,
//!   and one while a file is read or written.
//!
//! # Reading order
//! `message_queue`, `scan`, `note`, `document` and `encode` are pure; [`mod@format`] shows them to
//! tools. `survey` looks at the files and decides, `open` makes it true, `store` has the
//! operations, `persist` the order of steps in which the file is replaced.

mod document;
mod encode;
mod error;
mod files;
pub mod format;
mod message_queue;
mod note;
mod open;
mod options;
mod paths;
mod persist;
mod quirk_list;
mod quirks;
mod scan;
mod store;
mod survey;

pub use document::Dialect;
pub use error::{Applied, Error, Loss, LossKind};
pub use message_queue::{MessageQueue, Table};
pub use open::Opened;
pub use options::{LockPolicy, Options};
pub use persist::Persisted;
pub use quirk_list::{QUIRKS, QuirkInfo};
pub use quirks::{Quirk, Quirks};
pub use store::{OffsetStore, ReadFrom};
pub use survey::Source;
