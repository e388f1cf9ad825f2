//! Results as text for a person and as events for a program.
//!
//! Everything here is a function from values to text: nothing is printed, read or measured, so
//! equal results give equal bytes. No line is wider than [`WIDTH`] columns.

mod annotations;
mod contract;
mod event;
mod fold;
mod junit;
mod layout;
mod paint;
mod power;
mod summary;
mod tables;
mod timeline;
mod vectors;

pub use annotations::annotations;
pub use contract::{ClauseText, clause_text};
pub use event::{progress_event, summary_event, violation_event};
pub use junit::junit;
pub use layout::{WIDTH, columns, thousands, wrapped};
pub use paint::{Ink, Paint};
pub use power::{Power, PowerRow};
pub use summary::{failure, replay_command, result_line, verdict_word};
pub use tables::{clause_table, reached_lines, run_table, run_word};
pub use timeline::timeline;
pub use vectors::{VectorInfo, vectors};
