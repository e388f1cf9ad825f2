//! Vectors of the offset store: bytes of its file, tables to write, directories, and operations.
//!
//! What they hold stands in `corpus/vectors/README.md`. A table is a list of lists: topic, broker,
//! number of the queue, offset.

mod bench;
mod calls;
mod directory;
mod files;
mod format;
mod session;
mod stages;

pub(super) use bench::ENGINE;
pub(super) use directory::goes_on;
pub(super) use session::run;
