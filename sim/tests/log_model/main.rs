//! The reference model of the segmented log: against the records of the original, and against
//! what the contract says of any sequence of operations.

mod engine;
mod generated;
mod objects;
mod record;
