//! What the engines with segments have in common: records, their sums, the side files of our own,
//! and numbers as text. All of it is pure.
//!
//! `loss` is what an engine tells of damage, `frame` one record, `side` the blocks of which our own
//! files consist, `sums` the blocks that vouch for records, `text` the numbers in metas and notes.

pub(crate) mod frame;
pub(crate) mod loss;
pub(crate) mod side;
pub(crate) mod sums;
pub(crate) mod text;
