//! The reference model of an offset store: a table in memory and a table in the file.
//!
//! Nothing of a file's bytes is known here: it has one whole snapshot at any time. After a crash
//! it is the last one that was acknowledged, or the one that was in flight.

mod answer;
mod store;

pub use answer::OffsetAnswer;
pub use store::OffsetModel;
