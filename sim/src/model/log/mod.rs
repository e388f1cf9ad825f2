//! The reference model of a segmented log: one list of messages, and for each reader and snapshot a
//! few places in it. There are no files; a segment is only a border in the list, kept where the
//! contract makes it matter (rolls, retention, skips). No operation is cut off; between two of them
//! the process may be killed (`killed`).
//!
//! Where the contract leaves a choice, the model tells every possible answer, each with what it
//! leads to. Where no clause speaks, it tells what the original does.

mod answer;
mod content;
mod core;
mod killed;
mod place;
mod reader;
mod reader_moves;
mod reading;
mod recovered;
mod retention;
mod snapshot;
mod writer;

pub use answer::{LogAnswer, Possible};
pub use core::LogModel;
pub use place::Place;
pub use reading::Reading;
pub use recovered::LogRecovered;
