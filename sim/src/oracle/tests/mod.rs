//! The oracle on hand-written histories: for every clause one that keeps and one that breaks it.

mod errors;
mod power;
mod running;
mod story;
mod tails;
