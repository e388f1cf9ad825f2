//! Why a check or a replay could not be made.

/// An error that is no finding.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// A name that does not exist, or a scenario that makes no sense: the user's to mend.
    #[error("{0}")]
    Usage(String),
    /// Something of ours broke.
    #[error("defect of crashline itself: {0}")]
    Defect(String),
}

impl CheckError {
    /// A scenario that cannot be run, for this reason.
    pub(crate) fn bad_scenario(reason: impl std::fmt::Display) -> Self {
        Self::Usage(format!("the scenario cannot be run: {reason}"))
    }

    /// Something of ours broke, in this way.
    pub(crate) fn defect(reason: impl std::fmt::Display) -> Self {
        Self::Defect(reason.to_string())
    }
}
