//! The history of one recorded run of a FIFO queue as an automaton.

mod answers;
mod bounds;
mod cursors;
mod failures;
mod fault_note;
mod history;
mod look;
mod owed;
mod pieces;
mod place;
mod run;
mod seen;
mod state;

pub use fault_note::FaultNote;
pub use history::FifoHistory;
pub use run::FifoOracle;
