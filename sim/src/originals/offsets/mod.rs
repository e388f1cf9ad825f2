//! The twins of the Go client's local offset store: at 2173d07, and as it was before (the seed's
//! version), when a load replaced the table instead of adding to it.
//!
//! Files: `offset.json` in a directory for each client id and group, `offset.json.tmp`, and
//! `offset.json.bak`, which it creates empty. A table is written in a fixed order, where the
//! original's is random. No call that a caller makes tells of an error.
//!
//! Where the twin cannot follow: a directory of the file's name, if it is empty, is removed by the
//! original; names of queues that are not UTF-8 are told with replaced letters; a link is not
//! followed.

mod apply;
mod files;
mod json;
mod store;
mod subject;
mod table_json;

pub use store::{OffsetStore, Version};
pub use subject::OriginalOffsets;
