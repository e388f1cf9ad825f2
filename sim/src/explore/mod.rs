//! One scenario through all its crashes, and many scenarios within a budget.

mod check;
mod damage;
mod damages;
mod engines;
mod error;
mod items;
mod killed;
mod one;
mod orders;
mod plan;
mod record;
mod regressions;
mod replay;
mod result;
mod schedule;
mod script;
mod session;
mod tail;
mod timeline;
mod totals;
mod visit;
mod words;
mod workload;

pub use check::{check, survey};
pub use engines::{ENGINES, EngineInfo, engine};
pub use error::CheckError;
pub use killed::{LastWords, LeftFiles, delivered, judge_killed};
pub use one::{ExploreLimits, Explored, explore, find_break};
pub(crate) use one::{engine_of, profile_of};
pub use plan::{CheckPlan, Progress, Shard};
pub(crate) use record::{NoWatch, Recorded, record};
pub use regressions::regressions;
pub use replay::{Replayed, replay, replay_for};
pub use result::{CheckReport, ClauseRow, Found, Row, Verdict};
pub use timeline::{Entry, Timeline};
pub use workload::{Reader, Workload, build_only};
