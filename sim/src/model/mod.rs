//! Reference models: right by inspection, and sharing nothing with the engines they are compared
//! with, lest they share a defect.

mod fifo;
mod log;
mod offsets;
mod shared;

pub use fifo::{Answer, FifoModel};
pub use log::{LogAnswer, LogModel, LogRecovered, Place, Possible, Reading};
pub use offsets::{OffsetAnswer, OffsetModel};
pub(crate) use shared::Shared;
