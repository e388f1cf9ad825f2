//! Recorded traces: what a real original did, step by step, on a sequence of operations.
//!
//! Three questions are asked of a trace: does the twin do the same ([`replay_twin`]), which
//! clauses does the record break, and does our engine agree as far as it must ([`examine`]). Traces
//! of queues and of segmented logs have their own forms; [`Recording`] tells them apart.
//!
//! A trace is JSON lines: the first says what was recorded and how it was opened, each other one is
//! a step with its result and with what had changed after it. Step 1 is the second line.

mod answer;
mod compare;
mod damage;
mod disk;
mod engine;
mod error;
mod event;
mod file;
mod fingerprint;
mod history;
mod lines;
mod log;
mod parse;
mod player;
mod record;
mod recording;
mod text;
mod twin;

pub use answer::{Answers, examine};
pub use damage::{FileDamage, How};
pub use engine::{Divergence, EngineAnswer};
pub use error::TraceError;
pub use event::{FileAnswer, details, event, in_words};
pub use file::{Operation, OptionsChange, Recorded, Tier, Trace, TraceStep};
pub use log::{
    LogCall, LogJudgement, LogRecorded, LogTrace, LogTraceStep, Shown, judge_log, replay_log_twin,
};
pub use record::Broken;
pub use recording::Recording;
pub use twin::{Difference, replay_twin};
