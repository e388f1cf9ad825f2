//! The same calls on two filesystems, answer by answer: how the simulated disk is held to the real
//! one where nothing crashes.
//!
//! Calls are drawn from numbers that the caller gives, over few names, small offsets and all
//! orders, errors included. [`compare`] plays one sequence on both and tells the first difference.

mod answer;
mod draw;
mod play;
mod step;

pub use answer::Answer;
pub use draw::draw_step;
pub use play::{Difference, Player, compare};
pub use step::{FileCall, FileStep};
