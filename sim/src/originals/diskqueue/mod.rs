//! The twin of nsqio's go-diskqueue v1.1.0.
//!
//! Files: `NAME.diskqueue.NNNNNN.dat` hold records of a 4-byte big-endian length and a body;
//! `NAME.diskqueue.meta.dat` holds depth, read place and write place as text; a segment that could
//! not be read is kept as `.bad`. A temporary meta carries a number where the original draws one
//! at random.
//!
//! The original answers a call and works on afterwards, in the loop that serves all calls: after
//! a read it still moves on and removes the finished segment, after any call it does the sync that
//! is owed and reads one message ahead. That work is a step of its own here, [`Queue::settle`];
//! every operation settles first what the one before left, as the loop serves one call at a time.

mod files;
mod meta;
mod queue;
mod record_reader;
mod subject;
mod turn;
mod writing;

pub use queue::{Queue, QueueError, QueueOptions};
pub use subject::OriginalDiskqueue;
