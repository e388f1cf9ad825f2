//! What an offset store can be held to.

/// The abilities that the oracle takes into account. They are facts about the subject's
/// operations, never excuses: a clause that applies is judged whatever the subject does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OffsetStrengths {
    /// A persist says whether it wrote, a removal what it removed, a failure that it failed.
    pub tells: bool,
    /// The disk keeps what its syncs cover.
    pub syncs_keep: bool,
}

impl OffsetStrengths {
    /// The whole contract.
    pub const OFFSETS: Self = Self {
        tells: true,
        syncs_keep: true,
    };

    /// The twins: their calls tell nothing.
    pub const ORIGINAL: Self = Self {
        tells: false,
        syncs_keep: true,
    };
}
