//! Reference models: right by inspection, and sharing nothing with the engines they are compared
//! with, lest they share a defect.

mod fifo;

pub use fifo::{Answer, FifoModel};
