//! Judges runs of segmented logs: a log with its writer, readers and snapshot.
//!
//! The reference model goes along with a run; for every mark there is what a crash there allows,
//! and what came back after one crash is a small observation that is held against it.

mod chain;
mod damage;
mod debts;
mod directory;
mod explain;
mod failures;
mod fits;
mod flight;
mod guess;
mod history;
mod judge;
mod losses;
mod marks;
mod moved;
mod names;
mod observation;
mod planted;
mod promises;
mod reading;
mod recovered;
mod recovery;
mod reopened;
mod run;
mod strengths;
mod ways;
mod windows;

#[cfg(test)]
mod tests;

pub use damage::{HeldPlaces, LogDamageCase, LogDamageObserver, SettledLog, Walker};
pub use history::LogHistory;
pub use judge::judge_log;
pub use observation::{LogFinding, LogObservation};
pub use planted::log_staying;
pub use recovery::LogRecovery;
pub use run::LogOracle;
pub use strengths::LogStrengths;
pub use windows::LogWindows;
