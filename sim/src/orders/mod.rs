//! The shared handle under many orders of its threads: who runs when is decided by the seed.
//!
//! A scenario of this kind names a thread with every step (its object): `producer-1`, `reader-2`
//! (reads block), `poller-1` (reads wait a little), `ticker`, `closer`. All run at the same time,
//! each its steps in order, as coroutines on one thread: only one runs at a time, and at every
//! lock, wait, wake-up, write and sync the scheduler picks the next one. When all others wait, time
//! passes to the next timeout; where there is none, nobody can go on any more, which is a finding.
//! When the producers have ended, the queue is closed, as soon as nobody needs it any more.
//!
//! Calls and answers go into a [`Story`] and, as marks, into the disk's recording, so that every
//! crash of such a run can be judged: by thread, what was acknowledged must be there, and what was
//! in flight may.
//!
//! Invariants: a run is a function of its scenario; `story`, `judge` and `after` see no engine.

mod after;
mod judge;
mod order;
mod primitives;
mod program;
mod recover;
mod run;
mod scheduler;
mod slow_fs;
mod story;

pub use after::{Came, judge_after};
pub use judge::judge_story;
pub use primitives::SimPrimitives;
pub use program::{Actor, Program};
pub use recover::drain;
pub use run::{Ran, run};
pub use scheduler::{Ended, under_schedule};
pub use story::{Event, Op, Story};
