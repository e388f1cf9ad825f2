//! A place in the log: a segment and an offset in it.

pub use crate::records::text::NUMBER_MAX;

/// A place in the log. Ordered as the log is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    /// The segment's number.
    pub segment: u64,
    /// Bytes from the start of the segment.
    pub offset: u64,
}

impl Position {
    /// The place at `offset` of `segment`.
    #[must_use]
    pub const fn new(segment: u64, offset: u64) -> Self {
        Self { segment, offset }
    }

    /// The start of a segment.
    #[must_use]
    pub const fn start_of(segment: u64) -> Self {
        Self { segment, offset: 0 }
    }
}
