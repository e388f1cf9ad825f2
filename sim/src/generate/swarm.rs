//! The settings of one scenario, drawn once before its steps: a random part of what could be done,
//! since scenarios that do everything at once rarely do one thing often enough.

use super::habits::{Reader, Sizes};
use super::{Abilities, Choices, habits};
use crate::scenario::FifoOptions;

/// How often each kind of step comes, relative to the others; 0 is never.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weights {
    /// Puts, single ones.
    pub put: u32,
    /// Batches.
    pub batch: u32,
    /// Reads beside those of the reader's habit.
    pub read: u32,
    /// Peeks.
    pub peek: u32,
    /// Depths.
    pub depth: u32,
    /// Syncs.
    pub sync: u32,
    /// Ticks.
    pub tick: u32,
    /// Close and open, perhaps with other options.
    pub reopen: u32,
    /// Kill and open.
    pub kill: u32,
    /// Empty.
    pub empty: u32,
    /// Delete and open.
    pub delete: u32,
    /// Close, open for reading only, look around, close, open.
    pub look: u32,
    /// Puts of a size that is refused.
    pub refused: u32,
}

/// The settings of one scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swarm {
    /// About how many steps.
    pub steps: u32,
    /// How the queue is opened first.
    pub options: FifoOptions,
    /// How often each kind of step comes.
    pub weights: Weights,
    /// The sizes of messages.
    pub sizes: Sizes,
    /// How the reader behaves.
    pub reader: Reader,
    /// Options change when the queue is reopened.
    pub options_change: bool,
}

impl Swarm {
    /// Draws the settings.
    pub fn draw(choices: &mut Choices, abilities: Abilities) -> Self {
        let sizes = Sizes::draw(choices, abilities);
        let steps = match choices.weighted(&[5, 5, 2]) {
            0 => choices.between(1, 10),
            1 => choices.between(8, 24),
            _ => choices.between(24, 60),
        };
        let options_change = abilities.segments && choices.chance(1, 2);
        let mut weights = Weights::draw(choices, abilities);
        if options_change {
            weights.reopen = weights.reopen.max(4);
        }
        Self {
            steps,
            options: habits::options(choices, abilities, &sizes),
            weights,
            reader: Reader::draw(choices),
            options_change,
            sizes,
        }
    }
}

impl Swarm {
    /// Sees to it that failed syncs and puts are followed by what shows them.
    #[must_use]
    pub(super) fn for_errors(mut self, abilities: Abilities) -> Self {
        if abilities.sync {
            self.weights.sync = self.weights.sync.max(4);
        }
        if abilities.batch {
            self.weights.batch = self.weights.batch.max(3);
        }
        self.steps = self.steps.max(4);
        self
    }

    /// Leaves out all steps after which it is not known what stands in which file.
    #[must_use]
    pub(super) fn for_damage(mut self) -> Self {
        self.weights.kill = 0;
        self.weights.empty = 0;
        self.weights.delete = 0;
        self.weights.look = 0;
        self.options.segment_bytes_max = self.options.segment_bytes_max.max(64);
        self
    }
}

impl Weights {
    /// Every kind of step but the put is on or off, and rare or frequent.
    fn draw(choices: &mut Choices, abilities: Abilities) -> Self {
        let mut weight = |able: bool, rare: u32, often: u32| {
            if !able {
                return 0;
            }
            match choices.weighted(&[4, 3, 2]) {
                0 => 0,
                1 => rare,
                _ => often,
            }
        };
        Self {
            put: 24,
            batch: weight(abilities.batch, 3, 12),
            read: weight(true, 3, 10),
            peek: weight(abilities.peek, 1, 4),
            depth: weight(true, 1, 4),
            sync: weight(abilities.sync, 3, 10),
            tick: weight(abilities.owed, 2, 8),
            reopen: weight(true, 1, 5),
            kill: weight(true, 1, 4),
            empty: weight(abilities.empty, 1, 3),
            delete: weight(abilities.empty, 1, 2),
            look: weight(abilities.look, 1, 2),
            refused: weight(abilities.segments, 1, 3),
        }
    }
}
