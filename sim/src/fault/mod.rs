//! Calls that fail by plan, and damage behind a program's back.
//!
//! A [`FaultPlan`] names calls, not probabilities: "the third `write_at` on `*.dat` fails with
//! `ENOSPC` after 100 bytes". It is plain text, so that reports and ports can carry it; the same
//! plan on the same calls fires the same faults. [`FaultFs`] carries it out over a simulated disk,
//! where a failed sync has its true after-effect, or over any other filesystem. [`Damage`] changes
//! bytes as if it had always been so.

mod damage;
mod damage_apply;
mod fault_file;
mod fault_fs;
mod glob;
mod kinds;
mod plan;
mod plan_show;
mod plan_text;
mod state;
mod sticky;

pub use damage::Damage;
pub use damage_apply::{CannotDamage, Touched};
pub use fault_fs::FaultFs;
pub use kinds::{KINDS, KindInfo};
pub use plan::{CallName, Fault, FaultKind, FaultPlan, Space, SyncFailure, Which};
pub use state::{DamagedRange, Fired};
