//! Traces of a segmented log: its own operations, results and positions. What is common to all
//! traces stands one level up.

mod answer;
mod arguments;
mod engine;
mod file;
mod history;
mod judge;
mod lines;
mod parse;
mod player;
mod results;
mod same;
mod twin;

pub(super) use answer::examine_log;
pub use file::{LogCall, LogTrace, LogTraceStep, Recorded as LogRecorded, Shown};
pub use judge::{LogJudgement, judge_log};
pub(super) use parse::{ENGINE, VERSION};
pub use twin::replay_log_twin;
