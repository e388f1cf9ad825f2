//! Steps that make sense one after the other: the queue's state is tracked, so that closed
//! queues are opened again and readers know how far they lag.

use super::habits::Reader;
use super::swarm::Weights;
use super::track::Track;
use super::{Abilities, Choices, Swarm};
use crate::scenario::{Action, FifoOptions, Step};

/// Makes the steps of one scenario.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    swarm: &'a Swarm,
    abilities: Abilities,
    track: Track,
    steps: Vec<Step>,
    now_ms: u64,
}

impl<'a> Writer<'a> {
    /// A writer for these settings.
    pub(super) fn new(swarm: &'a Swarm, abilities: Abilities) -> Self {
        let mut writer = Self {
            swarm,
            abilities,
            track: Track::new(swarm.options),
            steps: Vec::new(),
            now_ms: 0,
        };
        writer.settle();
        writer
    }

    /// Draws all steps.
    pub(super) fn write(mut self, choices: &mut Choices) -> Vec<Step> {
        while self.steps.len() < self.swarm.steps as usize {
            self.one(choices);
            self.read_by_habit(choices);
        }
        self.steps
    }

    fn add(&mut self, action: Action) {
        self.track.follow(&action);
        self.steps.push(Step::queue(action));
        self.settle();
    }

    /// The twin of an original gets its time to work.
    fn settle(&mut self) {
        if self.abilities.settle && self.track.open {
            self.steps.push(Step::queue(Action::Settle));
        }
    }

    fn one(&mut self, choices: &mut Choices) {
        let Weights {
            put,
            batch,
            read,
            peek,
            depth,
            sync,
            tick,
            reopen,
            kill,
            empty,
            delete,
            look,
            refused,
        } = self.swarm.weights;
        let weights = [
            put, read, sync, batch, peek, depth, tick, reopen, kill, empty, delete, look, refused,
        ];
        match choices.weighted(&weights) {
            0 => self.put(choices),
            1 => self.add(Action::Read),
            2 => self.add(Action::Sync),
            3 => self.batch(choices),
            4 => self.add(Action::Peek),
            5 => self.add(Action::Depth),
            6 => self.tick(choices),
            7 => {
                self.add(Action::Close);
                self.open(choices);
            }
            8 => {
                self.add(Action::Kill);
                self.open(choices);
            }
            9 => self.add(Action::Empty),
            10 => {
                self.add(Action::Delete);
                self.open(choices);
            }
            11 => self.look(choices),
            _ => self.refused(choices),
        }
    }

    fn size(&self, choices: &mut Choices) -> u32 {
        let options = self.track.options;
        let size = self.swarm.sizes.one(choices);
        size.clamp(options.message_bytes_min, options.message_bytes_max)
    }

    fn put(&mut self, choices: &mut Choices) {
        let size = self.size(choices);
        self.add(Action::Put { size });
    }

    fn batch(&mut self, choices: &mut Choices) {
        let count = match choices.weighted(&[8, 2, 1]) {
            0 => choices.between(2, 5),
            1 => choices.between(0, 1),
            _ => choices.between(60, 70),
        };
        let sizes = (0..count).map(|_| self.size(choices)).collect();
        self.add(Action::PutBatch { sizes });
    }

    fn tick(&mut self, choices: &mut Choices) {
        let timeout = self.track.options.sync_timeout_ms;
        self.now_ms = match choices.weighted(&[6, 3, 1, 1]) {
            0 => self.now_ms.saturating_add(timeout),
            1 => self.now_ms.saturating_add(timeout / 2),
            2 => self.now_ms / 2,
            _ => self.now_ms,
        };
        self.add(Action::Tick {
            now_ms: self.now_ms,
        });
    }

    fn open(&mut self, choices: &mut Choices) {
        let changed = self.swarm.options_change && choices.chance(1, 2);
        let options = changed.then(|| self.other_options(choices));
        self.add(Action::Open { options });
    }

    /// Other limits and another segment size: stored messages must stay readable.
    fn other_options(&self, choices: &mut Choices) -> FifoOptions {
        let now = self.track.options;
        let message_bytes_max = choices.pick(&[now.message_bytes_max, 8, 16, 100_000]);
        let message_bytes_min = choices.pick(&[now.message_bytes_min, 0, 4, 50]);
        FifoOptions {
            segment_bytes_max: choices.pick(&[
                now.segment_bytes_max,
                (now.segment_bytes_max / 2).max(1),
                now.segment_bytes_max.saturating_mul(2),
                1,
            ]),
            message_bytes_min: message_bytes_min.min(message_bytes_max),
            message_bytes_max,
            sync_every: choices.pick(&[now.sync_every, 1, 3]),
            sync_timeout_ms: now.sync_timeout_ms,
        }
    }

    fn look(&mut self, choices: &mut Choices) {
        self.add(if choices.chance(1, 3) {
            Action::Kill
        } else {
            Action::Close
        });
        self.add(Action::OpenReadOnly);
        for _ in 0..choices.between(0, 3) {
            self.add(match choices.below(3) {
                0 => Action::Read,
                1 => Action::Depth,
                _ => Action::Peek,
            });
        }
        self.add(Action::Close);
        self.open(choices);
    }

    fn refused(&mut self, choices: &mut Choices) {
        let options = self.track.options;
        let large = options.message_bytes_max.saturating_add(1);
        let size = match options.message_bytes_min.checked_sub(1) {
            Some(small) if choices.chance(1, 2) => small,
            _ => large,
        };
        // Refused payloads are still made, so a limit that nothing real exceeds is left alone.
        if size > 1 << 17 {
            return self.add(Action::Depth);
        }
        if self.abilities.batch && choices.chance(1, 3) {
            let good = self.size(choices);
            return self.add(Action::PutBatch {
                sizes: vec![good, size],
            });
        }
        self.add(Action::Put { size });
    }

    fn read_by_habit(&mut self, choices: &mut Choices) {
        let wanted = match self.swarm.reader {
            Reader::Idle => return,
            Reader::KeepsUp => self.track.depth(),
            Reader::Lags(behind) => self.track.depth().saturating_sub(behind as usize),
            Reader::Bursts if choices.chance(1, 10) => self.track.depth() + 1,
            Reader::Bursts => 0,
        };
        let room = (self.swarm.steps as usize).saturating_sub(self.steps.len());
        for _ in 0..wanted.min(room) {
            self.add(Action::Read);
        }
    }
}
