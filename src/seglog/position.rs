//! Positions in the log, and the end that a writer hands to its readers.

/// A place in the log. The parts of one that was handed out always describe the same place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Position {
    /// The segment's number.
    pub segment: u64,
    /// Bytes from the start of the segment.
    pub position: u64,
    /// The virtual offset: bytes put before this place since the log began.
    pub offset: u64,
    /// Messages put before this place since the log began.
    pub count: u64,
}

impl Position {
    /// Whether both are one place: the end of a finished segment is the start of the next.
    #[must_use]
    pub fn is_same_place(&self, other: &Self) -> bool {
        self.offset == other.offset && self.count == other.count
    }

    /// The start of the next segment, where this one ends here.
    #[must_use]
    pub(super) fn in_next_segment(self) -> Self {
        Self {
            segment: self.segment + 1,
            position: 0,
            ..self
        }
    }

    /// This place moved over `messages` messages of `bytes` bytes within its segment.
    #[must_use]
    pub(super) fn moved(self, bytes: u64, messages: u64) -> Self {
        Self {
            position: self.position + bytes,
            offset: self.offset + bytes,
            count: self.count + messages,
            ..self
        }
    }

    /// The virtual offset at which the segment of this place starts.
    #[must_use]
    pub(super) fn segment_offset(&self) -> u64 {
        self.offset.saturating_sub(self.position)
    }
}

/// Where the log ends, as readers and snapshots are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct End {
    /// The end.
    pub position: Position,
    /// The generation of the log: another one means that the end was cut in between.
    pub generation: u64,
}
