//! What the command's exit code means.

use crate::explore::Verdict;

/// How a command ended, as its exit code tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Everything asked for was judged, and nothing broke a clause.
    Pass,
    /// A clause was broken; for `dump`: damage or loss was seen.
    Violation,
    /// Wrong flags, a directory or file that cannot be used.
    Usage,
    /// Something could not be decided.
    Unknown,
    /// There was nothing to check.
    Nothing,
    /// A defect of the command itself.
    Internal,
    /// A signal ended it; what was found so far was told.
    Interrupted,
}

impl Exit {
    /// How a command ends whose result is this verdict.
    #[must_use]
    pub fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Pass => Self::Pass,
            Verdict::Fail => Self::Violation,
            Verdict::Unknown(_) => Self::Unknown,
            Verdict::Nothing => Self::Nothing,
        }
    }

    /// The exit code.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Pass => 0,
            Self::Violation => 1,
            Self::Usage => 2,
            Self::Unknown => 3,
            Self::Nothing => 4,
            Self::Internal => 70,
            Self::Interrupted => 130,
        }
    }
}
