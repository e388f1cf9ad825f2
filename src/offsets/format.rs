//! The bytes of the files, for tools that look at them without opening a store: pure functions.
//!
//! Everything here is as `corpus/formats/offsets.md` says; nothing here panics, whatever the bytes
//! are, and all of it is linear in them.

pub use super::document::{Dialect, Document, parse};
pub use super::encode::{Layout, Noted, encode};
pub use super::files::BYTES_MAX;
pub use super::message_queue::{MessageQueue, Table};
pub use super::scan::ParseError;
