//! The vocabulary of offset stores: queues, options, operations and their answers.
//!
//! Numbers are signed and taken as they are, as in the originals.

mod op;
mod options;
mod outcome;
mod program;

pub use op::{OffsetOp, OffsetQueue, ReadFrom};
pub use options::{OffsetDialect, OffsetOptions};
pub use outcome::{OffsetOutcome, OffsetReply, OffsetTable};
pub use program::OffsetProgram;
