//! What a recorded run of a log or an offset store is watched by: the timeline of a replay, or
//! nothing.

use super::timeline::Entry;
use super::words::of_calls;
use crate::simfs::Call;

/// Sees the steps of a run with operations `Op` and answers `Answer`.
pub(crate) trait StepWatch<Op, Answer> {
    /// A step begins.
    fn begin(&mut self, step: u32, op: &Op);
    /// A step ended, with these file calls, which are none unless `wants_calls`.
    fn end(&mut self, step: u32, answer: &Answer, calls: &[Call]);
    /// Whether file calls are to be kept.
    fn wants_calls(&self) -> bool;
}

/// Watches nothing.
pub(crate) struct NoSteps;

impl<Op, Answer> StepWatch<Op, Answer> for NoSteps {
    fn begin(&mut self, _step: u32, _op: &Op) {}
    fn end(&mut self, _step: u32, _answer: &Answer, _calls: &[Call]) {}
    fn wants_calls(&self) -> bool {
        false
    }
}

/// Writes down everything, in these words.
pub(crate) struct StepsInWords<Op, Answer> {
    pub(crate) entries: Vec<Entry>,
    of_op: fn(&Op) -> String,
    of_answer: fn(&Answer) -> String,
}

impl<Op, Answer> StepsInWords<Op, Answer> {
    /// Nothing was written down yet.
    pub(crate) fn new(of_op: fn(&Op) -> String, of_answer: fn(&Answer) -> String) -> Self {
        Self {
            entries: Vec::new(),
            of_op,
            of_answer,
        }
    }
}

impl<Op, Answer> StepWatch<Op, Answer> for StepsInWords<Op, Answer> {
    fn begin(&mut self, step: u32, op: &Op) {
        self.entries.push(Entry::Begin {
            step,
            call: (self.of_op)(op),
        });
    }

    fn end(&mut self, step: u32, answer: &Answer, calls: &[Call]) {
        self.entries.extend(of_calls(calls));
        self.entries.push(Entry::End {
            step,
            answer: (self.of_answer)(answer),
        });
    }

    fn wants_calls(&self) -> bool {
        true
    }
}
