//! The history of one recorded run of a FIFO queue as an automaton.

mod answers;
mod bounds;
mod cursors;
mod history;
mod look;
mod owed;
mod place;
mod run;
mod state;

pub use history::FifoHistory;
pub use run::FifoOracle;
pub use state::FaultNote;
