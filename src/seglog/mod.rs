//! A segmented log with one writer, many readers and snapshots: the format and the operations of
//! youzan nsq's disk queue, hardened.
//!
//! Bytes, names and the order of steps stand in `corpus/formats/seglog.md`. In short: records in
//! numbered segments, each place in them known by virtual offset and message count; a writer meta
//! and one meta for each reader, in two copies that are written in turn, with a note that says
//! what is durable; sums of the records; a list of the places where the log's end was cut.
//!
//! # Reading order
//! `position` and `names` are the words; `noted`, `writer_meta`, `reader_meta`, `start_meta`,
//! `sidecar` and `cuts` the files, all pure. [`mod@format`] shows them to tools.

mod cuts;
mod error;
pub mod format;
mod names;
mod noted;
mod options;
mod paths;
mod position;
mod reader_meta;
mod sidecar;
mod start_meta;
mod store;
mod writer_meta;

pub use error::{Applied, Error, Loss, LossKind};
pub use options::{BODY_BYTES_MAX, LockPolicy, LogOptions};
pub use position::{End, Position};
