//! A queue for many threads: [`SharedQueue`], a handle over [`DiskQueue`](crate::diskqueue).
//!
//! ```
//! use crashline::diskqueue::{DiskQueue, Error, Options};
//! use crashline::fs::RealFs;
//! use crashline::shared::SharedQueue;
//! use std::ffi::OsStr;
//! use std::sync::Arc;
//!
//! # let directory = tempfile::tempdir().expect("a directory");
//! # let directory = directory.path();
//! // Every put is durable when it returns.
//! let options = Options { sync_every: 1, ..Options::default() };
//! let opened = DiskQueue::open(Arc::new(RealFs), directory, OsStr::new("jobs"), options)?;
//! let queue = SharedQueue::new(opened.queue);
//!
//! let readers: Vec<_> = (0..2)
//!     .map(|_| {
//!         let queue = queue.clone();
//!         std::thread::spawn(move || {
//!             let mut count = 0;
//!             loop {
//!                 match queue.read() {
//!                     Ok(message) => assert!(message.starts_with(b"job ")),
//!                     // Told once; what is behind the damage comes next.
//!                     Err(Error::Damage { losses }) => panic!("lost: {losses:?}"),
//!                     Err(Error::Closed) => return count,
//!                     Err(error) => panic!("cannot read: {error}"),
//!                 }
//!                 count += 1;
//!             }
//!         })
//!     })
//!     .collect();
//! std::thread::scope(|scope| {
//!     for producer in 0..4 {
//!         let queue = &queue;
//!         scope.spawn(move || queue.put(format!("job {producer}").as_bytes()));
//!     }
//! });
//! while queue.depth()? > 0 {
//!     std::thread::yield_now();
//! }
//! queue.close()?;
//! let counts = readers.into_iter().map(|reader| reader.join().expect("it did not panic"));
//! assert_eq!(counts.sum::<u32>(), 4);
//! assert!(matches!(queue.put(b"too late"), Err(Error::Closed)));
//! # Ok::<(), Error>(())
//! ```
//!
//! # What is promised
//! - All of the engine's clauses hold for every call: what is durable when, which errors tell what.
//! - Puts and batches of one producer keep their order, and so do any two puts of which one
//!   returned before the other began. A batch is not torn apart by messages of others.
//! - Each message goes to one reader. A blocked read wakes for a put, and gets
//!   [`Error::Closed`](crate::diskqueue::Error::Closed) once the queue is closed or deleted.
//! - An error belongs to the call that failed: a put fails for its own reasons only. A sync that is
//!   owed (`sync_every`, the background thread) and fails is told by the next sync or close.
//! - A read counts as returned once it has taken its message: a sync of another thread may make
//!   that durable before the reader has done anything with it.
//! - A thread that panics inside a call gives the queue up, as if its process had died: all others
//!   get [`Error::Abandoned`](crate::diskqueue::Error::Abandoned), nobody hangs or panics. No code
//!   of the caller runs inside a call, so only a defect of the engine can do this.
//!
//! # What it costs
//! One thread at a time has the engine. A put that finds it free writes its message at once,
//! without a copy. Otherwise it leaves a copy of its message with the others that wait, and the
//! first of them to find the engine free writes all of them with one write and does the sync that
//! they owe once (group commit): with `sync_every` of 1 and 16 threads, some 8 to 16 puts share a
//! sync. Nobody waits for others to come.
//!
//! # What blocks what
//! - A call waits for the operation that has the engine, at worst for its fsyncs, and for a few
//!   others: producers and the other calls go first by turns of at most 16.
//! - A blocked read does not have the engine while it waits for a message.
//! - [`SharedQueue::close`] waits for the operation that runs. It does not wait for blocked reads,
//!   but wakes them.
//! - The handle's mutex is held for a few instructions, or for the one write of a put that owes no
//!   sync; never during an fsync.
//!
//! # Time
//! [`SharedQueue::start_ticker`] starts a thread that does syncs whose timeout has passed; or the
//! caller calls [`SharedQueue::tick`]. Nothing else asks for the time but reads with a timeout.
//!
//! # Reading order
//! `primitives` (what is asked of the machine), `state` (under the mutex), `group` (what is written
//! together), `turn` (who has the engine), `inner` (how they work together), `queue` (the handle).

mod group;
mod inner;
mod primitives;
mod queue;
mod quirks;
mod state;
mod turn;

pub use primitives::{Primitives, StdPrimitives};
pub use queue::SharedQueue;
pub use quirks::{QUIRKS, Quirk, QuirkInfo, Quirks};
