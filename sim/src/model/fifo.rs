//! The reference model of a FIFO queue that never crashes: a list of message numbers.

use crate::scenario::{Action, FifoOptions};
use std::collections::VecDeque;

/// What an operation must answer. Messages are told by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Success without a value.
    Done,
    /// This message.
    Message(u32),
    /// There is no message.
    Nothing,
    /// So many messages.
    Count(i64),
    /// The size is not acceptable; nothing changed.
    Refused,
    /// The object is not open, or not open for this; nothing changed.
    Closed,
}

/// How the object is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    None,
    Look,
    Full,
}

/// A queue in memory.
#[derive(Debug, Clone)]
pub struct FifoModel {
    options: FifoOptions,
    queue: VecDeque<u32>,
    /// What is left of `queue` for an object that only looks.
    look: usize,
    access: Access,
    next_number: u32,
}

impl FifoModel {
    /// A new queue, open.
    #[must_use]
    pub fn new(options: FifoOptions) -> Self {
        Self {
            options,
            queue: VecDeque::new(),
            look: 0,
            access: Access::Full,
            next_number: 0,
        }
    }

    /// Whether the object is open in any way.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.access != Access::None
    }

    /// Whether the object is open for writing.
    #[must_use]
    pub fn is_writable(&self) -> bool {
        self.access == Access::Full
    }

    /// How many messages there are to read.
    #[must_use]
    pub fn depth(&self) -> usize {
        match self.access {
            Access::Look => self.look,
            Access::None | Access::Full => self.queue.len(),
        }
    }

    /// The options in force.
    #[must_use]
    pub fn options(&self) -> &FifoOptions {
        &self.options
    }

    /// Carries out one operation. Messages get the next numbers, refused ones too.
    pub fn apply(&mut self, action: &Action) -> Answer {
        match action {
            Action::Put { size } => self.put(std::slice::from_ref(size)),
            Action::PutBatch { sizes } => self.put(sizes),
            Action::Open { options } => {
                if self.is_open() {
                    return Answer::Refused;
                }
                self.options = options.unwrap_or(self.options);
                self.access = Access::Full;
                Answer::Done
            }
            Action::OpenReadOnly => {
                if self.is_open() {
                    return Answer::Refused;
                }
                self.access = Access::Look;
                self.look = self.queue.len();
                Answer::Done
            }
            Action::Kill => self.leave(),
            _ if !self.is_open() => Answer::Closed,
            Action::Read => self.read(),
            Action::Peek => self.next().map_or(Answer::Nothing, Answer::Message),
            Action::Depth => Answer::Count(i64::try_from(self.depth()).unwrap_or(i64::MAX)),
            Action::Sync | Action::Tick { .. } | Action::Settle => Answer::Done,
            Action::Close => self.leave(),
            Action::Empty | Action::Delete if self.access == Access::Look => Answer::Closed,
            Action::Empty => {
                self.queue.clear();
                Answer::Done
            }
            Action::Delete => {
                self.queue.clear();
                self.leave()
            }
        }
    }

    fn put(&mut self, sizes: &[u32]) -> Answer {
        let first = self.next_number;
        self.next_number += u32::try_from(sizes.len()).unwrap_or(u32::MAX);
        let limits = self.options.message_bytes_min..=self.options.message_bytes_max;
        if self.access != Access::Full {
            Answer::Closed
        } else if sizes.iter().all(|size| limits.contains(size)) {
            self.queue.extend(first..self.next_number);
            Answer::Done
        } else {
            Answer::Refused
        }
    }

    fn next(&self) -> Option<u32> {
        let skipped = self.queue.len() - self.depth();
        self.queue.get(skipped).copied()
    }

    fn read(&mut self) -> Answer {
        let Some(number) = self.next() else {
            return Answer::Nothing;
        };
        if self.access == Access::Look {
            self.look -= 1;
        } else {
            self.queue.pop_front();
        }
        Answer::Message(number)
    }

    fn leave(&mut self) -> Answer {
        self.access = Access::None;
        Answer::Done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::sequence;
    use crate::scenario::RunKind;

    fn answers(actions: &[Action]) -> Vec<Answer> {
        let options = FifoOptions {
            message_bytes_min: 1,
            message_bytes_max: 10,
            ..FifoOptions::default()
        };
        let mut model = FifoModel::new(options);
        actions.iter().map(|action| model.apply(action)).collect()
    }

    #[test]
    fn first_in_first_out() {
        let put = Action::Put { size: 4 };
        let batch = Action::PutBatch { sizes: vec![4, 4] };
        let run = answers(&[
            put,
            batch,
            Action::Read,
            Action::Peek,
            Action::Depth,
            Action::Read,
            Action::Read,
            Action::Read,
        ]);
        let expected = [
            Answer::Done,
            Answer::Done,
            Answer::Message(0),
            Answer::Message(1),
            Answer::Count(2),
            Answer::Message(1),
            Answer::Message(2),
            Answer::Nothing,
        ];
        assert_eq!(run, expected);
    }

    #[test]
    fn refused_puts_use_numbers_and_change_nothing() {
        let bad = Action::PutBatch { sizes: vec![4, 0] };
        let good = Action::Put { size: 10 };
        let run = answers(&[bad, Action::Depth, good, Action::Read]);
        let expected = [
            Answer::Refused,
            Answer::Count(0),
            Answer::Done,
            Answer::Message(2),
        ];
        assert_eq!(run, expected);
    }

    #[test]
    fn a_look_takes_nothing_away() {
        let open = Action::Open { options: None };
        let run = answers(&[
            Action::Put { size: 4 },
            Action::Close,
            Action::OpenReadOnly,
            Action::Read,
            Action::Depth,
            Action::Empty,
            Action::Close,
            open,
            Action::Depth,
            Action::Delete,
            Action::Read,
        ]);
        let expected = [
            Answer::Done,
            Answer::Done,
            Answer::Done,
            Answer::Message(0),
            Answer::Count(0),
            Answer::Closed,
            Answer::Done,
            Answer::Done,
            Answer::Count(1),
            Answer::Done,
            Answer::Closed,
        ];
        assert_eq!(run, expected);
    }

    #[test]
    fn generated_steps_use_objects_that_are_open() {
        for engine in ["diskqueue", "toylog", "original-diskqueue"] {
            for index in 0..300 {
                let scenario = sequence(engine, 1, index, RunKind::Crashes, "posix-min");
                let mut model = FifoModel::new(scenario.options);
                for step in &scenario.steps {
                    let answer = model.apply(&step.action);
                    assert_ne!(answer, Answer::Closed, "{step:?} in {scenario:?}");
                }
            }
        }
    }

    #[test]
    fn a_generated_twin_settles_after_every_step() {
        for index in 0..300 {
            let scenario = sequence("original-diskqueue", 1, index, RunKind::Crashes, "xfs");
            let mut model = FifoModel::new(scenario.options);
            let mut settled = false;
            for step in &scenario.steps {
                let settles = step.action == Action::Settle;
                assert!(settles || settled || !model.is_open(), "{scenario:?}");
                settled = settles;
                model.apply(&step.action);
            }
        }
    }
}
