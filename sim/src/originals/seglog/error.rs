//! Why a call on the log failed.

use std::io;

/// Why a call failed. The words are ours; the original's say as much.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// It was closed or deleted.
    #[error("it is closed")]
    Exiting,
    /// The size of the message is not within the limits.
    #[error("a message of {size} bytes is not within {min} to {max} bytes")]
    Size {
        /// Its size in bytes.
        size: i64,
        /// The smallest accepted.
        min: i64,
        /// The largest accepted.
        max: i64,
    },
    /// The new end does not lie where it may.
    #[error("the offset or count is not one that the log can end at")]
    InvalidOffset,
    /// The log's start cannot be found out.
    #[error("where the log starts is not known")]
    StartUnknown,
    /// More would be removed than is allowed.
    #[error("the segment ends behind what may be removed")]
    CleanLimit,
    /// The bytes behind a meta's text are not those that end it.
    #[error("the meta is not ended as it should be")]
    Unsealed,
    /// The confirmed offset does not lie between confirmed and read position.
    #[error("the offset to confirm is not one that was read")]
    ConfirmOffset,
    /// The confirmed count is not known, or not that of the read position.
    #[error("the count to confirm does not fit")]
    ConfirmCount,
    /// The position lies before what may be moved to, or its count does not fit.
    #[error("the position cannot be moved to")]
    Move,
    /// The position lies behind the end.
    #[error("the position lies behind the end")]
    MoveBehindEnd,
    /// The position lies before the start.
    #[error("the position was cleaned")]
    Cleaned,
    /// No position lies so many bytes away.
    #[error("no position lies that far away")]
    Step,
    /// The snapshot only moves forward.
    #[error("it cannot move backward")]
    Backward,
    /// Nothing lies behind this segment.
    #[error("it is at the end of the log")]
    EndOfLog,
    /// The reader does not know how many messages lie before its position.
    #[error("the count at the read position is missing")]
    CountMissing,
    /// The read position lies in a segment behind the end.
    #[error("the read position lies behind the end")]
    ReadBehindEnd,
    /// There are fewer bytes than were to be read.
    #[error("the bytes ended early")]
    EndOfFile,
    /// The length of a message cannot be one.
    #[error("{0} is no length of a message")]
    MessageSize(i32),
    /// The filesystem failed, or a meta does not fit its format.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The call took more steps than its bound; the object must be dropped.
    #[error("cut off after {0} steps")]
    CutOff(u64),
}

impl LogError {
    /// Whether a file was missing.
    pub(super) fn is_not_found(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

/// A failed read, and the offset that it tells.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct ReadFailure {
    /// The virtual offset of the read position, or 0.
    pub offset: i64,
    /// Why it failed.
    pub error: LogError,
}
