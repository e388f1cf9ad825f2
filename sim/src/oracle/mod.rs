//! Judges histories: what was called, what was answered, what came back after a crash. It sees no
//! engine, and nothing here asks a disk anything.
//!
//! A recorded run is fed to [`FifoOracle`] step by step; it judges what needs no crash, and
//! [`FifoOracle::finish`] gives the [`FifoHistory`]: for every position in the run, the
//! [`Windows`] that a crash there allows. What came back after one crash goes through a
//! [`TailObserver`] and becomes a small [`Observation`]; [`judge`] holds it against the windows of
//! every crash point that can leave that image.
//!
//! A FIFO crash is a pair (first, end) of message numbers, never a list of allowed outcomes.

mod damage;
mod directory;
mod fifo;
mod finding;
mod judge;
mod log;
mod messages;
mod observation;
mod offsets;
mod owner;
pub mod sometimes;
mod strengths;
mod tail;
mod violation;
mod windows;

#[cfg(test)]
mod tests;

pub use damage::{DamageCase, DamageObserver, NamedFile};
pub use directory::{FileSeen, Role, Staying, is_looked_into, role, staying};
pub use fifo::{FaultNote, FifoHistory, FifoOracle};
pub use finding::{Finding, What};
pub use judge::{judge, judge_running};
pub use log::{
    HeldPlaces, LogDamageCase, LogDamageObserver, LogFinding, LogHistory, LogObservation,
    LogOracle, LogRecovery, LogStrengths, LogWindows, SettledLog, Walker, judge_log, log_staying,
};
pub use messages::{Item, Messages, NEVER, Put, first_numbers};
pub use observation::{Observation, Run};
pub use offsets::{
    OffsetDamage, OffsetFiles, OffsetHistory, OffsetObservation, OffsetOracle, OffsetStrengths,
    judge_offsets,
};
pub use owner::wrong_second_opener;
pub use strengths::{Asked, Strengths};
pub use tail::TailObserver;
pub use violation::{Verdict, Violation};
pub use windows::{Barrier, Cause, Durable, Window, Windows};
