//! The bytes of the files, for tools that look at them without opening a log: pure functions.
//!
//! Everything here is as `corpus/formats/seglog.md` says; nothing here panics, whatever the bytes
//! are.

pub use super::believed::sensible as sensible_writer_meta;
pub use super::cuts::{Cut, lowest_since, parse as parse_cuts, write as write_cut};
pub use super::names::{Role, owner, reader_of_meta};
pub use super::noted::META_BYTES;
pub use super::reader_meta::{
    ReaderMeta, ReaderNote, ReaderPositions, encode as encode_reader_meta,
    parse as parse_reader_meta,
};
pub use super::registry::{
    Registration, meta_of as reader_of_any_meta, parse_lock as parse_reader_lock,
};
pub use super::sidecar::{Sidecar, encode as encode_sidecar, parse as parse_sidecar};
pub use super::start_meta::{StartMeta, encode as encode_start_meta, parse as parse_start_meta};
pub use super::writer_meta::{
    WriterMeta, WriterNote, WriterState, encode as encode_writer_meta, parse as parse_writer_meta,
};
