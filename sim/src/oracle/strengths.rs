//! What a subject can be held to, and what is left of that on a disk whose syncs keep nothing.

use crate::scenario::{Clause, CrashKind};

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
    /// The disk's syncs keep what they cover; else [`Asked`] says what is left of the contract.
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

/// Whether a clause is asked for after a crash.
///
/// On a disk that lies, or whose plain sync promises nothing, nothing has to be there after a power
/// cut. What is there must be right: no wrong data are delivered (Q1) as long as something vouches
/// for the right ones. Losing the sums costs detection, and that alone; so where the same power cut
/// took the sums, the meta without which they do not count, or the cut of what an earlier recovery
/// rejected, lost bytes cannot be told from bytes that were put (C7), and Q1 is not asked for. Two
/// opens in a row may differ in the depth (C2): the first may be the one that reports a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Whatever was lost.
    Always,
    /// Where all that was written to meta, sums, spare and lock is there, no cut was lost, and no
    /// segment came back that was set aside.
    WhereVouched,
    /// Nobody can keep it.
    Never,
}

impl Asked {
    /// Whether this clause is asked for after this kind of crash.
    #[must_use]
    pub fn of(clause: Clause, kind: CrashKind, syncs_keep: bool) -> Self {
        use Clause::{C1, C3, C9, C10, C14, Q1};
        if syncs_keep || kind == CrashKind::Kill {
            return Self::Always;
        }
        if matches!(clause, C1 | C3 | C9 | C10 | C14) {
            Self::Always
        } else if clause == Q1 {
            Self::WhereVouched
        } else {
            Self::Never
        }
    }

    /// What is asked for on a disk, in words.
    #[must_use]
    pub fn words(syncs_keep: bool) -> &'static str {
        match syncs_keep {
            true => "the whole contract",
            false => {
                "after a kill the whole contract; after a power cut C1, C3, C9, C10 and C14, \
                 and Q1 where it left meta and sums whole"
            }
        }
    }
}
