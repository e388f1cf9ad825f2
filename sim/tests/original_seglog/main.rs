//! The twin of the segmented log: it opens and reads what the original left, and does wrong what
//! the original does wrong. A twin is never improved.

mod fixtures;
mod opening;
mod reading;
mod support;
mod writing;
