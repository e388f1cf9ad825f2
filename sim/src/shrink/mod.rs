//! Makes a failing scenario smaller while it goes on breaking the same clause.

mod candidates;
mod cluster_candidates;
mod log_candidates;
mod offset_candidates;
mod search;

pub use search::{Shrunk, shrink};
