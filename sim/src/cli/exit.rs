//! What the command's exit code means.

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
