//! The oracle on hand-written histories: for every clause one that keeps and one that breaks it.

mod directory;
mod errors;
mod messages;
mod power;
mod running;
mod story;
mod tails;

pub(in crate::oracle) use story::{delivered, tell};
