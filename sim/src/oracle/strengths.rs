//! What a subject can be held to.

/// The abilities that the oracle takes into account. They are facts about the subject's
/// operations, never excuses: a clause that applies is judged whatever the subject does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strengths {
    /// The read position outlives the object; without it every open starts at the first message.
    pub keeps_reads: bool,
    /// `sync_every` and `sync_timeout` are promises (Q11).
    pub owes_syncs: bool,
    /// A failed operation tells how much of it took place (C4).
    pub tells_applied: bool,
    /// The disk's syncs keep what they cover. On one that lies, or whose plain sync promises
    /// nothing, nothing has to be there after a power cut; what is there must be right all the
    /// same.
    pub syncs_keep: bool,
    /// The directory is judged by the grammar of the diskqueue format (C8, Q8, Q12).
    pub diskqueue_files: bool,
}

impl Strengths {
    /// The whole contract of a FIFO queue in the diskqueue format.
    pub const DISKQUEUE: Self = Self {
        keeps_reads: true,
        owes_syncs: true,
        tells_applied: true,
        syncs_keep: true,
        diskqueue_files: true,
    };

    /// The twin of the original, which cannot tell what a failed operation did.
    pub const ORIGINAL_DISKQUEUE: Self = Self {
        tells_applied: false,
        ..Self::DISKQUEUE
    };

    /// A log with put, sync, close and open only, read from its first message at every open.
    pub const TOY_LOG: Self = Self {
        keeps_reads: false,
        owes_syncs: false,
        tells_applied: true,
        syncs_keep: true,
        diskqueue_files: false,
    };
}
