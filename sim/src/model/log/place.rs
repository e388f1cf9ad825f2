//! A place in the log: how many bytes and how many messages lie before it, removed ones included.

use crate::scenario::LogPosition;

/// A place in the log. Segment and byte in it follow from the log's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Place {
    /// The virtual offset.
    pub offset: i64,
    /// The number of messages before it.
    pub count: i64,
}

impl From<LogPosition> for Place {
    fn from(at: LogPosition) -> Self {
        Self {
            offset: at.offset,
            count: at.count,
        }
    }
}
