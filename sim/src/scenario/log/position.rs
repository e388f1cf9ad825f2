//! A place in a log, told in three ways at once.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A place in a log. `(n, size of n)` and `(n + 1, 0)` are the same place at a segment's end.
/// Its text form is a list of the four numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(from = "[i64; 4]", into = "[i64; 4]")]
pub struct LogPosition {
    /// The number of the segment.
    pub segment: i64,
    /// Bytes from the start of that segment.
    pub position: i64,
    /// The virtual offset: bytes from the start of the log, removed ones included.
    pub offset: i64,
    /// Messages from the start of the log, removed ones included.
    pub count: i64,
}

impl LogPosition {
    /// Stands for the read end that the writer shows at the moment of the call: a program that
    /// names it still makes sense when a step before it is left out.
    pub const SHOWN: Self = Self {
        segment: -1,
        position: -1,
        offset: -1,
        count: -1,
    };

    /// Whether this place lies behind `other` by segment and byte alone.
    #[must_use]
    pub fn is_behind(&self, other: &Self) -> bool {
        (self.segment, self.position) > (other.segment, other.position)
    }

    /// Whether this place is `other` by segment and byte alone.
    #[must_use]
    pub fn is_at(&self, other: &Self) -> bool {
        (self.segment, self.position) == (other.segment, other.position)
    }
}

impl From<[i64; 4]> for LogPosition {
    fn from([segment, position, offset, count]: [i64; 4]) -> Self {
        Self {
            segment,
            position,
            offset,
            count,
        }
    }
}

impl From<LogPosition> for [i64; 4] {
    fn from(at: LogPosition) -> Self {
        [at.segment, at.position, at.offset, at.count]
    }
}

impl fmt::Display for LogPosition {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            segment,
            position,
            offset,
            count,
        } = self;
        write!(to, "({segment}, {position}) offset {offset} count {count}")
    }
}
