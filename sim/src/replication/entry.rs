//! A place in the history of a replicated log.

use std::fmt;

/// What one leader wrote up to here: one epoch has one leader, which only appends, so two logs with
/// one entry are alike up to it. Ordered by epoch first: of several replicas the greatest holds
/// every committed message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Entry {
    /// Of the leader that wrote the messages before this place; 0 where nobody did.
    pub(crate) epoch: u64,
    /// The virtual offset behind them.
    pub(crate) offset: u64,
    /// The count behind them.
    pub(crate) count: u64,
}

impl fmt::Display for Entry {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            epoch,
            offset,
            count,
        } = self;
        write!(to, "epoch {epoch}, offset {offset}, count {count}")
    }
}
