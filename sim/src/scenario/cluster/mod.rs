//! What is done with several hosts that keep one log alike: puts, leader changes, and faults of
//! hosts, disks and links.
//!
//! Hosts are numbered from 0. Time is in ticks of one simulated millisecond; every step but a wait
//! takes effect between two ticks.

mod program;
mod step;

pub use program::{ClusterOptions, ClusterProgram};
pub use step::ClusterStep;
