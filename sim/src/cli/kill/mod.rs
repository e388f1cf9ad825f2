//! `kill`: real processes on a real filesystem, killed at random moments, and the conditions that a
//! real machine puts them in. What they did is judged as on the simulated disk.

mod child;
mod command;
mod conditions;
mod place;
mod process;
mod round;

pub(super) use child::Part;
pub(super) use command::kill;
