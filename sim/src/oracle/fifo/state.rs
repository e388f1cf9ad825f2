//! The state of a queue as its caller may know it: where the reader stands, where the queue ends,
//! what is durable, and what a crash here allows.
//!
//! It is driven by what was seen, never by bytes, so that a second pass over the same run, with
//! the knowledge of the first, gives the exact windows.

use super::cursors::{Cursors, Shelf};
use super::fault_note::FaultNote;
use super::owed::Owed;
use super::seen::{Mode, Seen, StepSeen};
use crate::oracle::{Barrier, Cause, Durable, Messages, Strengths};
use crate::scenario::{Action, Applied, Clause, FifoOptions};

/// The automaton.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub strengths: Strengths,
    pub options: FifoOptions,
    pub mode: Mode,
    /// Where the reader of the object that writes stands.
    pub cursors: Cursors,
    /// Where the reader of an object that only looks stands.
    pub look: Option<Cursors>,
    /// Numbers below it have been asked for.
    pub end: u32,
    pub durable: Durable,
    pub barrier: Option<Barrier>,
    owed: Owed,
    /// An owed sync may have failed unseen: it promises nothing until an asked one succeeds.
    pub sync_doubt: bool,
    /// The page cache may have lost bytes that were not written again yet.
    pub taken_back: bool,
    /// Runs of the machine can be told apart.
    pub boot_is_known: bool,
    pub sync_failed_step: Option<u32>,
    /// The step in which space last ran out, as long as the object that met it is open.
    pub disk_full_step: Option<u32>,
    /// Some later sync will fail, nobody knows when: syncs owed promise nothing any more.
    pub sync_fails_later: bool,
    /// Bytes may be wrong without anybody having been told: the damage rule holds.
    pub corrupted: bool,
    /// How often that happened.
    pub corruptions: u32,
    /// It was opened since: bytes that a silent fault put behind the end may count as written.
    pub adopts: bool,
    /// A failed empty or delete may have taken place, which only a crash will show.
    pub perhaps_emptied: Option<u32>,
}

impl State {
    /// A new queue, just opened.
    pub(super) fn new(strengths: Strengths, options: FifoOptions) -> Self {
        Self {
            strengths,
            options,
            mode: Mode::Open,
            cursors: Cursors::at(0),
            look: None,
            end: 0,
            durable: Durable {
                read: 0,
                end: 0,
                cause: Cause::Start,
                step: 0,
            },
            barrier: None,
            owed: Owed::default(),
            sync_doubt: false,
            taken_back: false,
            boot_is_known: true,
            sync_failed_step: None,
            disk_full_step: None,
            sync_fails_later: false,
            corrupted: false,
            corruptions: 0,
            adopts: false,
            perhaps_emptied: None,
        }
    }

    /// A fault fires in this step.
    pub(super) fn fault(&mut self, step: u32, note: FaultNote, messages: &Messages) {
        self.sync_doubt = true;
        if note.is_sync() {
            self.sync_failed_step = Some(step);
        }
        if note == FaultNote::Full {
            self.disk_full_step = Some(step);
        }
        self.sync_fails_later |= note == FaultNote::SyncFailsLater;
        self.corrupted |= note == FaultNote::Corrupted;
        self.corruptions += u32::from(note == FaultNote::Corrupted);
        // An empty message is told from bytes that nobody wrote by its sum alone.
        let unsynced = messages.range(self.durable.end, self.end);
        let has_empty = unsynced.iter().any(|put| put.size == 0);
        self.taken_back |= note.takes_back(self.boot_is_known && !has_empty);
    }

    /// Opening an object that is still open drops it first: as if its process had died. Options
    /// are those of all later opens, too, whether this one succeeds or not.
    pub(super) fn begin_open(&mut self, action: &Action) {
        if let Action::Open {
            options: Some(options),
        } = action
        {
            self.options = *options;
        }
        let opens = matches!(action, Action::Open { .. } | Action::OpenReadOnly);
        if opens && matches!(self.mode, Mode::Open | Mode::ReadOnly) {
            self.mode = Mode::Killed;
            self.look = None;
        }
    }

    /// The step is over. `stood` is where the reader stood after an open that followed a kill,
    /// where that is known.
    pub(super) fn apply(&mut self, at: &StepSeen<'_>, shelf: &Shelf, stood: Option<u32>) {
        self.end = self.end.max(at.numbers.1);
        self.begin_open(at.action);
        match at.seen {
            Seen::Ignored | Seen::Refused => {}
            Seen::Failed(applied) => self.apply_failed(at, applied),
            Seen::Done | Seen::Message(_) => {
                if self.mode == Mode::Open && !matches!(at.action, Action::Kill) {
                    // A sync owed by a read before is done by now.
                    self.settle_owed(at.step);
                }
                self.apply_done(at, shelf, stood);
            }
        }
    }

    fn apply_done(&mut self, at: &StepSeen<'_>, shelf: &Shelf, stood: Option<u32>) {
        match at.action {
            Action::Put { .. } | Action::PutBatch { .. } => {
                if at.numbers.0 < at.numbers.1 {
                    self.count();
                    self.settle_owed(at.step);
                }
            }
            Action::Read => {
                if matches!(at.seen, Seen::Message(_)) && self.mode == Mode::Open {
                    self.count();
                }
            }
            Action::Sync => self.make_durable(Cause::Sync, at.step),
            Action::Tick { now_ms } => {
                let point = (self.cursors.low(), self.end);
                let due = self.owed.tick(*now_ms, self.options.sync_timeout_ms, point);
                self.promise_owed(due, at.step);
            }
            Action::Empty => self.drop_all(Cause::Empty, at.step),
            Action::Delete => {
                self.drop_all(Cause::Delete, at.step);
                self.mode = Mode::Closed;
            }
            Action::Close => self.close(at.step),
            Action::Kill => {
                self.mode = Mode::Killed;
                self.look = None;
            }
            Action::Open { .. } => self.open(at.step, shelf, stood),
            Action::OpenReadOnly => {
                self.look = Some(match self.mode {
                    Mode::Killed => self.after_kill(shelf, stood),
                    Mode::Open | Mode::ReadOnly | Mode::Closed => self.cursors.clone(),
                });
                self.mode = Mode::ReadOnly;
            }
            Action::Peek | Action::Depth | Action::Settle => {}
        }
    }

    fn apply_failed(&mut self, at: &StepSeen<'_>, applied: Applied) {
        if matches!(at.action, Action::Empty | Action::Delete) {
            self.perhaps_emptied = Some(self.end);
            match applied {
                Applied::Yes => self.cursors = Cursors::at(self.end),
                Applied::Unknown => self.cursors.add(self.end),
                Applied::No | Applied::Leading(_) => {}
            }
        }
    }

    fn count(&mut self) {
        let point = (self.cursors.low(), self.end);
        self.owed.count(point, self.options.sync_every);
    }

    fn settle_owed(&mut self, step: u32) {
        let due = self.owed.due(self.options.sync_every);
        self.promise_owed(due, step);
    }

    /// A sync that was owed has made a state durable, unless a newer one is already.
    fn promise_owed(&mut self, due: Option<(u32, u32)>, step: u32) {
        if let Some((read, end)) = due
            && self.strengths.owes_syncs
            && !self.sync_doubt
            && !self.sync_fails_later
            && (read, end) >= (self.durable.read, self.durable.end)
            && end >= self.durable.end
        {
            self.durable = Durable {
                read,
                end,
                cause: Cause::Owed,
                step,
            };
        }
    }

    fn make_durable(&mut self, cause: Cause, step: u32) {
        self.durable = Durable {
            read: self.cursors.low(),
            end: self.end,
            cause,
            step,
        };
        self.owed.clear();
        self.sync_doubt = false;
        self.taken_back = false;
        self.perhaps_emptied = None;
    }

    fn drop_all(&mut self, cause: Cause, step: u32) {
        self.cursors = Cursors::at(self.end);
        self.make_durable(cause, step);
        let clause = if cause == Cause::Delete {
            Clause::Q12
        } else {
            Clause::Q7
        };
        self.barrier = Some(Barrier {
            number: self.end,
            clause,
            step,
        });
    }

    fn close(&mut self, step: u32) {
        if self.mode == Mode::Open {
            self.make_durable(Cause::Close, step);
            self.mode = Mode::Closed;
        } else if self.mode == Mode::ReadOnly {
            // A look changes nothing; what is on disk may still be what a kill left.
            let clean = matches!(self.durable.cause, Cause::Close | Cause::Delete);
            self.mode = if clean { Mode::Closed } else { Mode::Killed };
        }
        self.look = None;
    }

    fn open(&mut self, step: u32, shelf: &Shelf, stood: Option<u32>) {
        self.adopts |= self.corrupted;
        if self.corrupted {
            // A damaged meta costs redelivery of what the files still hold.
            let dropped = self.barrier.map_or(0, |barrier| barrier.number);
            self.cursors = Cursors::between(dropped, self.cursors.high(), shelf);
        } else if self.mode == Mode::Killed {
            self.cursors = self.after_kill(shelf, stood);
        }
        if !self.strengths.keeps_reads {
            self.cursors = Cursors::at(0);
        }
        self.mode = Mode::Open;
        self.disk_full_step = None;
        self.owed.restart();
        self.make_durable(Cause::Open, step);
    }

    fn after_kill(&self, shelf: &Shelf, stood: Option<u32>) -> Cursors {
        if !self.strengths.keeps_reads {
            return Cursors::at(0);
        }
        match stood {
            Some(place) => Cursors::at(place),
            None => Cursors::between(self.durable.read, self.high(), shelf),
        }
    }

    /// The highest place where the reader may stand after a crash.
    pub(super) fn high(&self) -> u32 {
        self.cursors.high().max(self.perhaps_emptied.unwrap_or(0))
    }

    /// Where the reader of the open object stands.
    pub(super) fn reader(&self) -> &Cursors {
        self.look.as_ref().unwrap_or(&self.cursors)
    }

    /// Where the reader of the open object stands.
    pub(super) fn reader_mut(&mut self) -> &mut Cursors {
        self.look.as_mut().unwrap_or(&mut self.cursors)
    }
}
