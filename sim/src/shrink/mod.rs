//! Makes a failing scenario smaller while it goes on breaking the same clause.

mod candidates;
mod search;

pub use search::{Shrunk, shrink};
