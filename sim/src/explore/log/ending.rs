//! The end of a program after which it is known what the files of its log hold.

use crate::scenario::{LogOp, LogProgram, ReaderOp, Scenario, WriterOp};
use std::collections::BTreeMap;

/// The program, ending with everything closed, or with everything flushed and a kill: only then it
/// is known what the files hold. Which of both is up to the scenario's seed, unless the program
/// ends with one of them already.
pub(super) fn with_known_end(scenario: &Scenario) -> Scenario {
    let mut scenario = scenario.clone();
    let is_killed = scenario.seed.is_multiple_of(4);
    if let Some(program) = &mut scenario.log {
        end(program, is_killed);
    }
    scenario
}

fn end(program: &mut LogProgram, is_killed: bool) {
    let open = Open::after(&program.steps);
    if open.is_at_rest && open.is_none() {
        return;
    }
    let steps = &mut program.steps;
    if open.writer != Access::Full {
        // A reader that only looked on is opened by the writer that follows.
        if open.writer == Access::Look {
            steps.push(LogOp::Writer(WriterOp::Close));
        }
        steps.push(LogOp::Writer(WriterOp::Open));
    }
    let readers: Vec<String> = open.readers.keys().cloned().collect();
    for (name, is_open) in open.readers {
        if !is_open {
            steps.push(LogOp::Reader(name, ReaderOp::Open));
        }
    }
    if is_killed {
        steps.push(LogOp::Writer(WriterOp::Flush { fsync: true }));
        let flush = |name| LogOp::Reader(name, ReaderOp::Flush { fsync: true });
        steps.extend(readers.into_iter().map(flush));
        steps.push(LogOp::Kill);
    } else {
        let close = |name| LogOp::Reader(name, ReaderOp::Close);
        steps.extend(readers.into_iter().map(close));
        steps.push(LogOp::Writer(WriterOp::Close));
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    None,
    Look,
    Full,
}

/// What is open after some steps, if all of them succeed.
#[derive(Debug)]
struct Open {
    writer: Access,
    /// All readers that are not deleted, and whether they are open.
    readers: BTreeMap<String, bool>,
    /// All that was done is durable.
    is_at_rest: bool,
}

impl Open {
    fn after(steps: &[LogOp]) -> Self {
        let mut open = Self {
            writer: Access::None,
            readers: BTreeMap::new(),
            is_at_rest: false,
        };
        let mut is_flushed = false;
        for step in steps {
            let was = open.writer;
            open.take(step);
            open.is_at_rest = match step {
                LogOp::Writer(WriterOp::Close) if was == Access::Full => true,
                LogOp::Kill if was == Access::Full => is_flushed,
                // Who only looks on changes nothing.
                LogOp::Writer(_) if was != Access::Full && open.writer != Access::Full => {
                    open.is_at_rest
                }
                LogOp::Writer(_) | LogOp::Reader(..) | LogOp::Snapshot(_) | LogOp::Kill => false,
            };
            is_flushed = match step {
                LogOp::Writer(WriterOp::Flush { fsync: true }) => true,
                LogOp::Reader(_, ReaderOp::Flush { fsync: true }) => is_flushed,
                LogOp::Writer(_) | LogOp::Reader(..) | LogOp::Snapshot(_) | LogOp::Kill => false,
            };
        }
        open
    }

    fn is_none(&self) -> bool {
        self.writer == Access::None && !self.readers.values().any(|is_open| *is_open)
    }

    fn take(&mut self, step: &LogOp) {
        match step {
            LogOp::Writer(WriterOp::Open) if self.writer == Access::None => {
                self.writer = Access::Full;
            }
            LogOp::Writer(WriterOp::OpenReadOnly) if self.writer == Access::None => {
                self.writer = Access::Look;
            }
            LogOp::Writer(WriterOp::Close) => self.writer = Access::None,
            LogOp::Writer(WriterOp::Delete | WriterOp::RemoveTo { .. })
                if self.writer != Access::Full => {}
            LogOp::Writer(WriterOp::Delete | WriterOp::RemoveTo { .. }) | LogOp::Kill => {
                self.writer = Access::None;
                for is_open in self.readers.values_mut() {
                    *is_open = false;
                }
            }
            LogOp::Reader(name, ReaderOp::Open) => {
                self.readers.insert(name.clone(), true);
            }
            LogOp::Reader(name, ReaderOp::Close) => {
                self.readers.insert(name.clone(), false);
            }
            LogOp::Reader(name, ReaderOp::Delete) => {
                self.readers.remove(name);
            }
            LogOp::Writer(_) | LogOp::Reader(..) | LogOp::Snapshot(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{LogOptions, SnapshotOp};

    fn ended(steps: &[LogOp], is_killed: bool) -> Vec<LogOp> {
        let mut program = LogProgram {
            options: LogOptions::default(),
            steps: steps.to_vec(),
        };
        end(&mut program, is_killed);
        let once = program.steps.clone();
        end(&mut program, is_killed);
        assert_eq!(program.steps, once, "an end is ended once");
        once
    }

    #[test]
    fn what_is_open_is_closed_or_flushed_and_killed() {
        let reader = |op| LogOp::Reader("a".to_owned(), op);
        let open = [LogOp::Writer(WriterOp::Open), reader(ReaderOp::Open)];
        let close = [reader(ReaderOp::Close), LogOp::Writer(WriterOp::Close)];
        assert_eq!(ended(&open, false), [&open[..], &close[..]].concat());
        let sync = LogOp::Writer(WriterOp::Flush { fsync: true });
        let flush = [sync, reader(ReaderOp::Flush { fsync: true }), LogOp::Kill];
        assert_eq!(ended(&open, true), [&open[..], &flush[..]].concat());
    }

    #[test]
    fn what_was_killed_or_looks_on_is_opened_first() {
        let open = LogOp::Writer(WriterOp::Open);
        let killed = [open.clone(), LogOp::Kill];
        let close = LogOp::Writer(WriterOp::Close);
        let expected = [open.clone(), LogOp::Kill, open.clone(), close.clone()];
        assert_eq!(ended(&killed, false), expected);
        let look = LogOp::Writer(WriterOp::OpenReadOnly);
        let expected = [look.clone(), close.clone(), open.clone(), close.clone()];
        assert_eq!(ended(std::slice::from_ref(&look), false), expected);
        let put = LogOp::Writer(WriterOp::Put { size: 1 });
        let killed = [open.clone(), put, LogOp::Kill];
        let delete = LogOp::Writer(WriterOp::Delete);
        let refused = [look.clone(), delete, open.clone(), close.clone()];
        let steps = [&killed[..], &refused[..]].concat();
        let expected = [&steps[..], &[open.clone(), close.clone()]].concat();
        assert_eq!(
            ended(&steps, false),
            expected,
            "a look makes nothing durable"
        );
        let looked = [open.clone(), close.clone(), look.clone(), close.clone()];
        assert_eq!(ended(&looked, false), looked, "nor does it undo anything");
        let read = LogOp::Snapshot(SnapshotOp::ReadOne);
        let later = [open.clone(), close.clone(), read.clone()];
        let expected = [open.clone(), close.clone(), read, open, close];
        assert_eq!(ended(&later, false), expected);
    }
}
