//! The vocabulary of segmented logs: positions, options, operations and their answers.
//!
//! A log has one writer, any number of named readers and a snapshot, which share nothing but the
//! directory. All numbers are signed and taken as they are, as in the original: what a damaged
//! meta says can be told, too.

mod op;
mod options;
mod outcome;
mod position;
mod program;
mod state;

pub use op::{CleanTarget, LogOp, ReaderOp, SnapshotOp, WriterOp};
pub use options::LogOptions;
pub use outcome::{LogMessage, LogOutcome, LogReply, Stands};
pub use position::LogPosition;
pub use program::{LogPayloads, LogProgram};
pub use state::{LogStates, ReaderState, SnapshotState, WriterState};
