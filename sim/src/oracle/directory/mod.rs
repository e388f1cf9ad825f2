//! Judges the names and sizes in a queue's directory: C8, C9, Q8, Q12. The grammar of file names
//! and of records here is the oracle's own, written from the format page, not from an engine.

mod files;
mod names;
mod planted;
mod rules;
mod segment;

pub use files::FileSeen;
pub use names::{Role, role};
pub use planted::{Staying, is_looked_into, staying};
pub(super) use planted::{beside_staying, check_staying, staying_by};
pub(in crate::oracle) use rules::{Moment, check};
pub(in crate::oracle) use segment::record_bytes;
