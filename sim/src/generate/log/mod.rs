//! Sequences of operations on a segmented log. What is worth doing next depends on where things
//! stand, so a generator is asked for one operation at a time and told that each time.

mod generator;
mod kinds;
mod places;
mod readers;
mod stories;
mod view;

pub use generator::LogGenerator;
pub use view::LogView;
