//! Choices become scenarios. One generator function runs under a seed, under the bytes of a
//! fuzzer, and under a walk through all choices that there are.

mod abilities;
pub(crate) mod after_close;
mod choices;
mod damages;
mod faults;
mod habits;
mod log;
mod offsets;
mod plants;
mod prng;
mod scenario;
mod small;
mod steps;
mod swarm;
mod threads;
mod track;

pub use abilities::Abilities;
pub use choices::{Choices, Walk};
pub use faults::{FaultFiles, fault_plan};
pub use log::{LogGenerator, LogView};
pub use offsets::OffsetGenerator;
pub use plants::log_plants;
pub use prng::Prng;
pub use scenario::{from_bytes, sequence};
pub use small::{SmallTier, small_scenario, small_tier};
pub use swarm::Swarm;
