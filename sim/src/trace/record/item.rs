//! Messages as the judge keeps them: those to be delivered, and those that no longer are.

/// A message that is to be delivered.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) bytes: Vec<u8>,
    /// Which put it was, counted from 0; an invented one has that of the one before it.
    pub(super) number: u64,
    /// It need not, or must not, be there.
    pub(super) mark: Option<Mark>,
}

/// Why an item need not be delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    /// What is broken if it really is delivered; nothing where damage explains it.
    pub(super) suspicion: Option<usize>,
    /// The step since which it is to be delivered.
    pub(super) since: usize,
}

/// A message that is no longer to be delivered.
#[derive(Debug, Clone)]
pub(super) struct Gone {
    pub(super) item: Item,
    pub(super) why: Why,
}

/// Why it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// It was read.
    Read,
    /// It was dropped by an empty.
    Dropped,
    /// It was lost in this step.
    Lost {
        /// What is broken if it really stays away; nothing where damage explains it.
        suspicion: Option<usize>,
        /// The step that lost it.
        since: usize,
    },
}

impl Why {
    pub(super) fn is_lost(self) -> bool {
        matches!(self, Self::Lost { .. })
    }
}
