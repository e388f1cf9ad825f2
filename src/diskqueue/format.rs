//! The bytes of the files, for tools that look at them without opening a queue: pure functions.
//!
//! Everything here is as `corpus/formats/diskqueue.md` says; nothing here panics, whatever the
//! bytes are.

use super::meta;
use super::quirks::Quirks;

pub use super::meta::{META_BYTES, Meta, MetaState, Note, encode as encode_meta};
pub use super::names::{Role, owner};
pub use crate::records::frame::{Frame, first as first_frame};
pub use crate::records::side::{generation_bytes, parse_generation};
pub use crate::records::sums::{
    BLOCK_RECORDS_MAX, Entry, Salt, SumsBlock, parse_block as parse_sums_block,
    write_blocks as write_sums_blocks, write_seal,
};

/// What a meta file with these bytes is. Those behind the first [`META_BYTES`] do not count,
/// except that they make a bare meta a damaged one.
#[must_use]
pub fn parse_meta(bytes: &[u8]) -> MetaState {
    meta::parse(bytes, Quirks::default())
}
