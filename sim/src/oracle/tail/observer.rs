//! Follows what happens after one crash: any sequence of opening, looking, reading, putting,
//! syncing, closing and crashing again. It decides all that does not depend on where the first
//! crash fell.
//!
//! What the queue held when it was first opened again, and what was put after that, is one
//! sequence; the observer learns it as it is read. Numbers of messages put after recovery start
//! where those of the recorded run end.

use super::matching;
use super::sequence::Sequence;
use crate::oracle::{
    FifoHistory, Finding, Item, Observation, Strengths, What, wrong_second_opener,
};
use crate::scenario::{Clause, CrashKind, Outcome, Reply};

/// Why the object that is open now was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Reopened {
    /// After the crash that is judged.
    First,
    /// After a clean close.
    AfterClose,
    /// After an object was dropped that had only been opened and looked at.
    Idle,
    /// With other options, after an object was dropped that had only been looked at, and that
    /// showed the same as the one before.
    Otherwise,
    /// After a further crash.
    AfterCrash(CrashKind),
}

/// Follows one recovery. Everything is borrowed or small: there are millions of them.
#[derive(Debug)]
pub struct TailObserver<'h> {
    pub(super) history: &'h FifoHistory,
    pub(super) sequence: Sequence,
    pub(super) finding: Option<Finding>,
    pub(super) doubt: Option<Finding>,
    /// Files of which a loss was reported.
    pub(super) lost_files: Vec<String>,
    pub(super) reopened: Reopened,
    /// Nothing but looking has happened since the last open.
    pub(super) idle: bool,
    pub(super) opened: bool,
    pub(super) closed: bool,
    /// What peek showed at the place where the reader still stands.
    pub(super) peeked: Option<Option<Item>>,
    pub(super) drained: bool,
    /// Every crash was a kill, the one that is judged included.
    pub(super) only_kills: bool,
    /// Finished segments must be gone by now.
    pub(super) settled: bool,
    /// The numbers of segments are used up, as the queue said.
    pub(super) refused: bool,
}

impl<'h> TailObserver<'h> {
    /// An observer of what follows a crash in this run.
    #[must_use]
    pub fn new(history: &'h FifoHistory) -> Self {
        Self {
            history,
            sequence: Sequence::default(),
            finding: None,
            doubt: None,
            lost_files: Vec::new(),
            reopened: Reopened::First,
            idle: true,
            opened: false,
            closed: false,
            peeked: None,
            drained: false,
            only_kills: false,
            settled: false,
            refused: false,
        }
    }

    /// Says what kind of crash is judged, or that there was none; else the strictest rules of the
    /// directory are left out.
    #[must_use]
    pub fn after(mut self, crash: Option<CrashKind>) -> Self {
        self.only_kills = crash != Some(CrashKind::PowerCut);
        self
    }

    /// What the subject on this disk is held to.
    #[must_use]
    pub fn strengths(&self) -> Strengths {
        self.history.strengths()
    }

    /// Whether a violation was found; going on shows nothing more.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.finding.is_some() || self.refused
    }

    /// The number for the next message that is put after recovery.
    #[must_use]
    pub fn next_number(&self) -> u32 {
        self.history.messages().count() + self.sequence.tail_count()
    }

    /// The object was opened for writing.
    pub fn opened(&mut self, outcome: &Outcome) {
        self.note_losses(outcome);
        match &outcome.result {
            Ok(_) => {
                if self.reopened == Reopened::First && self.opened {
                    self.reopened = Reopened::Idle;
                }
                self.opened = true;
                self.idle = true;
                self.settled = false;
                if !self.history.strengths().keeps_reads {
                    self.sequence.rewind();
                }
                // A completed open is the new baseline.
                self.sequence.make_durable();
            }
            Err(failure) => self.fail("open", failure),
        }
    }

    /// The object was opened for writing, with other options than before.
    pub fn opened_otherwise(&mut self, outcome: &Outcome) {
        self.reopened = Reopened::Otherwise;
        self.opened(outcome);
    }

    /// The depth was asked for.
    pub fn depth(&mut self, outcome: &Outcome) {
        self.meet_damage(outcome);
        match &outcome.result {
            Ok(Reply::Count(said)) => self.look_at_depth(*said),
            Ok(_) => {}
            Err(failure) => self.fail("depth", failure),
        }
    }

    /// The next message was asked for without taking it.
    pub fn peeked(&mut self, outcome: &Outcome) {
        self.meet_damage(outcome);
        match &outcome.result {
            Ok(Reply::Message(bytes)) => {
                let item = self.identify(bytes);
                if let Some(known) = self.sequence.known()
                    && known != item
                {
                    self.found(Clause::Q6, What::Peek);
                }
                self.peeked = Some(Some(item));
            }
            Ok(_) => {
                if self.sequence.left().is_some_and(|left| left > 0) {
                    self.found(Clause::Q6, What::PeekNothing);
                }
                self.peeked = Some(None);
            }
            Err(failure) => self.fail("peek", failure),
        }
    }

    /// A message was delivered. `false` asks to stop, since a violation was found.
    pub fn message(&mut self, bytes: &[u8]) -> bool {
        let item = self.identify(bytes);
        match self.peeked.take() {
            Some(Some(shown)) if shown != item => self.found(Clause::Q6, What::Peek),
            Some(None) => self.found(Clause::Q6, What::PeekNothing),
            Some(Some(_)) | None => {}
        }
        self.idle = false;
        match item {
            Item::Garbled(number) => self.found(Clause::Q1, What::Garbled(number)),
            Item::Invented => self.found(Clause::Q1, What::Invented(bytes.len() as u64)),
            Item::Number(_) | Item::Short { .. } => self.take(item),
        }
        self.finding.is_none()
    }

    /// Draining ended with this outcome.
    pub fn drained(&mut self, outcome: &Outcome) {
        self.meet_damage(outcome);
        match &outcome.result {
            Ok(Reply::Message(_)) => {}
            Ok(_) => self.look_at_nothing(),
            Err(failure) => self.fail("read", failure),
        }
    }

    /// One read was called.
    pub fn read(&mut self, outcome: &Outcome) {
        if let Ok(Reply::Message(bytes)) = &outcome.result {
            self.message(bytes);
        } else {
            self.drained(outcome);
        }
    }

    /// While the queue was open somebody else tried to open it for writing (C10).
    pub fn second_opener(&mut self, outcome: &Outcome) {
        if let Some(finding) = wrong_second_opener(outcome) {
            self.finding.get_or_insert(finding);
        }
    }

    /// A message was put; its bytes are those of `payload(number, size)`.
    pub fn put(&mut self, number: u32, size: u32, outcome: &Outcome) {
        self.idle = false;
        match &outcome.result {
            Ok(_) => {
                if self.peeked == Some(None) {
                    self.peeked = None;
                }
                self.sequence.put(number, size);
            }
            Err(failure) => self.fail("put", failure),
        }
    }

    /// A message was put before the crash that is judged, after an earlier one: `durable` if a
    /// sync promised it. Call it before anything is opened.
    pub fn put_before(&mut self, number: u32, size: u32, durable: bool) {
        self.sequence.put(number, size);
        if durable {
            self.sequence.promise_last();
        } else {
            self.sequence.doubt_last();
        }
    }

    /// A sync was asked for.
    pub fn synced(&mut self, outcome: &Outcome) {
        self.idle = false;
        match &outcome.result {
            Ok(_) => {
                self.sequence.make_durable();
                self.settled = true;
            }
            Err(failure) => self.fail("sync", failure),
        }
    }

    /// The object was closed.
    pub fn closed(&mut self, outcome: &Outcome) {
        match &outcome.result {
            Ok(_) => {
                self.sequence.make_durable();
                self.peeked = None;
                self.closed = true;
                self.settled = true;
                self.reopened = Reopened::AfterClose;
            }
            Err(failure) => self.fail("close", failure),
        }
    }

    /// The process died again, or the machine did, with no operation in flight. An object that is
    /// simply dropped was killed.
    pub fn crashed(&mut self, kind: CrashKind) {
        self.peeked = None;
        self.only_kills &= kind == CrashKind::Kill;
        self.settled &= self.closed;
        if !self.closed {
            self.sequence.crash(kind);
        }
        self.reopened = match (self.closed, self.idle, kind) {
            (true, _, _) => Reopened::AfterClose,
            (false, true, CrashKind::Kill) if self.opened => Reopened::Idle,
            (false, _, _) => Reopened::AfterCrash(kind),
        };
        self.closed = false;
    }

    /// How many messages are still to come, where that is known.
    #[must_use]
    pub fn left(&self) -> Option<i64> {
        self.sequence.left()
    }

    /// Everything has happened: what it comes to.
    #[must_use]
    pub fn finish(self) -> Observation {
        let items = self.sequence.recovered(self.history.messages().count());
        let delivered = u32::try_from(items.len()).unwrap_or(u32::MAX);
        let readings = matching::read(self.history.messages(), &items);
        let finding = self.finding.or(readings.wrong);
        Observation {
            runs: readings.runs,
            delivered,
            refused: self.refused,
            has_more_readings: readings.undecided,
            undecided: finding.is_none() && !self.refused && (readings.undecided || !self.drained),
            finding,
            doubt: self.doubt,
        }
    }
}
