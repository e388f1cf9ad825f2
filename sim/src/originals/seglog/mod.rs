//! The twin of youzan nsq's segmented log with file metas: writer, readers and snapshots, as of
//! 2020-05-15 (012e0601).
//!
//! Files: `LOG.diskqueue.NNNNNN.dat` hold records of a 4-byte big-endian length and a body, beside
//! each finished one an `.offsetmeta.dat`; `LOG.diskqueue.meta.writer.dat` the end (with a `.tmp`
//! copy), `LOG.diskqueue.meta.extra.dat` the start, and `READER.diskqueue.meta.v2.reader.dat` a
//! reader's position. Segments behind a lowered end are kept as `.rolldata`, an unsound writer
//! meta as `.corrupt` with a number, where the original draws one at random.
//!
//! The objects share the directory and nothing else: an end that moved reaches readers and
//! snapshots only when they are told.

mod apply;
mod base;
mod confirm;
mod distance;
mod end_update;
mod error;
mod json;
mod names;
mod open;
mod read_ahead;
mod reader;
mod reader_meta;
mod reading;
mod remove;
mod retention;
mod sealed;
mod sequential;
mod sidecar;
mod skipping;
mod snapshot;
mod snapshot_reading;
mod start_meta;
mod subject;
mod truncate;
mod write_buffer;
mod writer;
mod writer_meta;

pub use apply::failure;
pub use error::{LogError, ReadFailure};
pub use reader::Reader;
pub use snapshot::Snapshot;
pub use subject::OriginalSeglog;
pub use writer::{PutDone, Writer};
