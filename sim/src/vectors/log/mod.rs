//! Vectors of the segmented log: its metas and side files, directories, operations and damage.
//!
//! What they hold stands in `corpus/vectors/README.md`. A place is a list of four numbers: segment,
//! position in it, virtual offset, count.

mod bench;
mod calls;
mod directory;
mod meta;
mod ops;
mod reader_calls;
mod session;
mod stages;

pub(super) use bench::ENGINE;
pub(super) use directory::{goes_on, run};
