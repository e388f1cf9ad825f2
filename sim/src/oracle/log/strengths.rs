//! What the subject of a run of logs can be held to.

use crate::scenario::Loss;

/// The abilities that the oracle takes into account. They are facts about the subject's
/// operations, never excuses: a clause that applies is judged whatever the subject does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogStrengths {
    /// A failed operation tells how much of it took place (C4).
    pub tells_applied: bool,
    /// The disk's syncs keep what they cover; else [`crate::oracle::Asked`] says what is left.
    pub syncs_keep: bool,
    /// The side files of the hardened engine (sums, cuts, locks, spares) may lie beside the
    /// original's.
    pub seglog_files: bool,
    /// The disk takes writes in small parts, so that one in place can be torn within a sector: a
    /// copy of a meta is then told as lost although nothing but a crash has happened.
    pub writes_are_short: bool,
    /// Runs of the machine can be told apart: else what no sum vouches for may be gone after a
    /// kill.
    pub boot_is_known: bool,
}

impl LogStrengths {
    /// Whether a crash or a failed write alone can have left what `loss` tells of.
    pub(super) fn tear(&self, loss: &Loss) -> bool {
        self.writes_are_short && loss.file.contains(".meta.")
    }

    /// The whole contract of a segmented log.
    pub const SEGLOG: Self = Self {
        tells_applied: true,
        syncs_keep: true,
        seglog_files: true,
        writes_are_short: false,
        boot_is_known: true,
    };

    /// The twin of the original: no side files, no lock, and it cannot tell what a failed
    /// operation did.
    pub const ORIGINAL_SEGLOG: Self = Self {
        tells_applied: false,
        syncs_keep: true,
        seglog_files: false,
        writes_are_short: false,
        boot_is_known: true,
    };
}
