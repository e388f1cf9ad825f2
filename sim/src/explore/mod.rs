//! One scenario through all its crashes, and many scenarios within a budget.

mod guard;
mod plan;
mod result;
mod schedule;
mod timeline;

pub use plan::{CheckPlan, Progress};
pub use result::{CheckReport, ClauseRow, Found, Row, Verdict};
pub use timeline::{Entry, Timeline};
