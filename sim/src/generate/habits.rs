//! Sizes of messages and segments that meet borders, and ways in which readers behave.

use super::{Abilities, Choices};
use crate::scenario::FifoOptions;

/// What a record adds to its message.
const HEADER_BYTES: u32 = 4;

/// The least size that carries a message's number.
const NUMBERED_BYTES_MIN: u32 = 4;

/// A limit on sizes is never below this, so that what is put after recovery can be told apart.
const LIMIT_BYTES_MIN: u32 = 8;

/// The sizes of the messages of one scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sizes {
    /// From, to: one range is taken for each message. Never empty.
    ranges: Vec<(u32, u32)>,
}

/// Ranges worth having: usual messages, the header's own size, the borders of a sector and of a
/// page with and without the header, more than one page, and those too small to carry a number.
const RANGES: &[(u32, u32)] = &[
    (8, 8),
    (72, 72),
    (4, 40),
    (46, 46),
    (100, 300),
    (506, 514),
    (508, 508),
    (1000, 1100),
    (4090, 4100),
    (9000, 9000),
    (0, 0),
    (0, 3),
    (1, 6),
];

impl Sizes {
    /// Draws one to three ranges.
    pub(super) fn draw(choices: &mut Choices, abilities: Abilities) -> Self {
        let least = if abilities.short {
            0
        } else {
            NUMBERED_BYTES_MIN
        };
        let count = 1 + choices.weighted(&[4, 2, 1]);
        let ranges = (0..count)
            .map(|_| {
                let index = choices.weighted(&[9, 9, 9, 6, 4, 4, 3, 3, 2, 1, 1, 2, 2]);
                let (low, high) = RANGES.get(index).copied().unwrap_or((8, 8));
                (low.max(least), high.max(least))
            })
            .collect();
        Self { ranges }
    }

    /// Draws the size of one message.
    pub(super) fn one(&self, choices: &mut Choices) -> u32 {
        let (low, high) = choices.pick(&self.ranges);
        choices.between(low, high)
    }

    /// The largest size there is.
    fn largest(&self) -> u32 {
        self.ranges.iter().map(|range| range.1).max().unwrap_or(0)
    }

    /// The smallest size there is.
    fn smallest(&self) -> u32 {
        self.ranges.iter().map(|range| range.0).min().unwrap_or(0)
    }
}

/// How the reader behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// Reads only by chance.
    Idle,
    /// Reads after every put, so that it stands at the end.
    KeepsUp,
    /// Reads so many messages behind the end.
    Lags(u32),
    /// Drains the queue now and then.
    Bursts,
}

impl Reader {
    /// Draws a behaviour.
    pub(super) fn draw(choices: &mut Choices) -> Self {
        match choices.weighted(&[4, 3, 3, 2]) {
            0 => Self::Idle,
            1 => Self::KeepsUp,
            2 => Self::Lags(choices.between(1, 6)),
            _ => Self::Bursts,
        }
    }
}

/// Draws options: a segment that holds from one message to all of them, often exactly full.
pub(super) fn options(choices: &mut Choices, abilities: Abilities, sizes: &Sizes) -> FifoOptions {
    let record = sizes.largest() + HEADER_BYTES;
    let segment_bytes_max = match choices.weighted(&[3, 6, 3, 3, 2, 2]) {
        0 => 100 * 1024 * 1024,
        // Exactly so many of the largest records.
        1 => record * choices.between(1, 4),
        // One byte too few, or one more than needed.
        2 => (record * choices.between(1, 4)).saturating_add_signed(choices.pick(&[-1, 1])),
        3 => choices.between(1, 256),
        4 => 512 * choices.between(1, 3),
        _ => 4096 * choices.between(1, 4),
    };
    let sync_every = match choices.weighted(&[3, 4, 4, 4, 1, 1]) {
        0 => 2500,
        1 => 1,
        2 => 2,
        3 => 4,
        4 => 7,
        _ => 0,
    };
    let message_bytes_min = if choices.chance(1, 4) {
        sizes.smallest()
    } else {
        0
    };
    let message_bytes_max = if choices.chance(1, 4) {
        sizes.largest().max(LIMIT_BYTES_MIN)
    } else {
        FifoOptions::default().message_bytes_max
    };
    let usual = FifoOptions::default();
    if !abilities.segments {
        return usual;
    }
    FifoOptions {
        segment_bytes_max: u64::from(segment_bytes_max.max(1)),
        message_bytes_min,
        message_bytes_max,
        sync_every: if abilities.owed { sync_every } else { 0 },
        sync_timeout_ms: choices.pick(&[2000, 10]),
    }
}
