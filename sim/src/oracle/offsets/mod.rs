//! Judges runs of offset stores. Of a file nothing is known but which whole snapshot it holds: a
//! crash leaves the last acknowledged one, or the one in flight.

mod damage;
mod guess;
mod history;
mod run;
mod strengths;

#[cfg(test)]
mod tests;

pub use damage::{OffsetDamage, OffsetFiles};
pub use history::{OffsetHistory, OffsetObservation, judge_offsets};
pub use run::OffsetOracle;
pub use strengths::OffsetStrengths;
