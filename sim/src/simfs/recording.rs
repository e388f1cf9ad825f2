//! [`Recording`]: what a run did to the disk, for the exploration of its crashes.

use super::calls::Call;
use super::effect::{Effect, Entry};
use super::layer::Layer;
use super::sector::Arena;
use std::sync::Arc;

/// The durable start of a run, and everything that happened since. Shares all bytes with the
/// filesystem it was taken from, and does not change with it.
#[derive(Debug, Clone)]
pub struct Recording {
    pub(crate) base: Arc<Layer>,
    pub(crate) lower: Vec<Arc<Arena>>,
    pub(crate) log: Vec<Entry>,
    pub(crate) history: usize,
    pub(crate) calls: Vec<Call>,
    /// The number that the first inode made by this run would have.
    pub(crate) first_inode: u32,
    pub(crate) next_inode: u32,
    pub(crate) boot: u64,
}

impl Recording {
    /// The effects and marks, in order.
    #[must_use]
    pub fn log(&self) -> &[Entry] {
        &self.log
    }

    /// How many entries at the start of the log are older than this run: effects of a killed
    /// process that were not yet durable. No crash of this run falls before their end.
    #[must_use]
    pub fn history(&self) -> usize {
        self.history
    }

    /// The calls, if they were recorded.
    #[must_use]
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// The effects alone: the n-th has the number n.
    pub fn effects(&self) -> impl Iterator<Item = &Effect> {
        self.log.iter().filter_map(|entry| match entry {
            Entry::Effect(effect) => Some(effect),
            Entry::Mark(_) => None,
        })
    }
}
