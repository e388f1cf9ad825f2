//! Offset stores as subjects: the traits, and the engine behind them.

mod api;
mod engine;

pub use api::{OffsetObject, OffsetRequest, OffsetSubject};
pub use engine::OffsetsSubject;
