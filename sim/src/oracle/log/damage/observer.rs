//! Follows a log that is opened after its files were damaged.

use super::aside::Aside;
use super::held::HeldPlaces;
use super::layout::Layout;
use super::places::{ReaderSeen, check_writer};
use super::reading::{Reading, twice};
use super::settled::SettledLog;
use super::verdict::odd_file;
use crate::model::Place;
use crate::oracle::log::chain::HEADER_BYTES;
use crate::oracle::log::names::{LogRole, log_role};
use crate::oracle::{NamedFile, Violation};
use crate::scenario::{
    Clause, Failure, FailureKind, LogOutcome, LogReply, LogStates, Loss, WriterState,
};

/// A log and what was done to its files.
#[derive(Debug, Clone, Copy)]
pub struct LogDamageCase<'a> {
    /// What it was; nothing where that is not known.
    pub settled: Option<&'a SettledLog>,
    /// Where its readers stood.
    pub held: &'a HeldPlaces,
    /// Its process was killed, and did not close it.
    pub is_killed: bool,
    /// Its name.
    pub log: &'a str,
    /// All files before the damage.
    pub before: &'a [NamedFile],
    /// All files after it.
    pub after: &'a [NamedFile],
}

/// Who reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walker<'w> {
    /// The snapshot, from the log's start.
    Snapshot,
    /// The reader of this name, from its confirmed position.
    Reader(&'w str),
}

/// Follows one opening of damaged files: the writer, then the readers, a snapshot that reads all
/// there is, a put, all readers to the end, a close, and a second opening. Every failure that
/// reports damage is passed by reading on.
#[derive(Debug)]
pub struct LogDamageObserver<'a> {
    pub(super) case: LogDamageCase<'a>,
    pub(super) layout: Option<Layout>,
    writer: Option<WriterState>,
    /// What the writer's open told.
    pub(super) told: Vec<Loss>,
    /// What was told by all.
    pub(super) losses: Vec<Loss>,
    pub(super) readings: Vec<Reading>,
    pub(super) put: Option<(Place, Vec<u8>)>,
    pub(super) aside: Aside,
    pub(super) violation: Option<Violation>,
}

impl<'a> LogDamageObserver<'a> {
    /// An observer of what comes after this damage.
    #[must_use]
    pub fn new(case: LogDamageCase<'a>) -> Self {
        let layout = case
            .settled
            .and_then(|settled| Layout::of(settled, case.log, case.before, case.after));
        Self {
            case,
            layout,
            writer: None,
            told: Vec::new(),
            losses: Vec::new(),
            readings: Vec::new(),
            put: None,
            aside: Aside::default(),
            violation: None,
        }
    }

    /// Whether a violation was found; going on shows nothing more.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.violation.is_some()
    }

    /// The writer was opened.
    pub fn writer_opened(&mut self, outcome: &LogOutcome, states: &LogStates) {
        self.worked("the open", outcome);
        self.told.extend(outcome.losses.iter().cloned());
        let (Some(layout), Some(writer)) = (&mut self.layout, states.writer) else {
            return;
        };
        self.writer = Some(writer);
        if self.case.is_killed {
            layout.adopt(writer.write_end.into());
        }
        let problem = check_writer(layout, &writer, &self.told)
            .or_else(|| twice(&self.told))
            .or_else(|| odd_file(layout, &self.told));
        self.judged(problem);
    }

    /// A reader that the log knows was opened.
    pub fn reader_opened(&mut self, name: &str, outcome: &LogOutcome, states: &LogStates) {
        self.worked("a reader's open", outcome);
        let (Some(layout), Some(writer)) = (&self.layout, self.writer) else {
            return;
        };
        let known = self.case.settled.and_then(|settled| {
            let mut readers = settled.readers.iter();
            readers.find(|(known, _)| known == name)
        });
        let (Some((_, was)), Some(now)) = (known, states.readers.get(name)) else {
            return;
        };
        let seen = ReaderSeen {
            name,
            log: self.case.log,
            was: *was,
            now: *now,
            losses: &outcome.losses,
        };
        let problem = seen.check(layout, self.case.held, &writer);
        self.judged(problem);
    }

    /// Somebody begins to read from here, up to where the writer says that the log ends.
    pub fn begins(&mut self, walker: Walker<'_>, from: Place) {
        let who = match walker {
            Walker::Snapshot => "the snapshot".to_owned(),
            Walker::Reader(name) => format!("reader {name}"),
        };
        let end = self.writer.map(|writer| writer.write_end);
        self.readings.push(Reading {
            who,
            from,
            to: end.map_or(Place::default(), Place::from),
            ..Reading::default()
        });
    }

    /// One answer to a read; whether it is to be read on.
    pub fn read(&mut self, outcome: &LogOutcome) -> bool {
        self.losses.extend(outcome.losses.iter().cloned());
        let bytes: usize = self.case.before.iter().map(|(_, bytes)| bytes.len()).sum();
        let Some(reading) = self.readings.last_mut() else {
            return false;
        };
        reading.losses.extend(outcome.losses.iter().cloned());
        match &outcome.result {
            Ok(LogReply::Message(message)) => {
                reading.messages.push(message.clone());
                // Each takes a byte at least, and what was put afterwards is one more.
                self.is_bounded(bytes)
            }
            Ok(_) => {
                reading.is_ended = true;
                false
            }
            Err(failure) if failure.kind == FailureKind::Damage => {
                reading.failures += 1;
                self.is_bounded(bytes)
            }
            Err(failure) => {
                self.fail("reading", failure);
                false
            }
        }
    }

    /// C12: damage is passed, so there are no more answers than bytes.
    fn is_bounded(&mut self, bytes: usize) -> bool {
        let Some(reading) = self.readings.last() else {
            return false;
        };
        if reading.messages.len() + reading.failures <= bytes + self.case.before.len() {
            return true;
        }
        let evidence = format!("{}: reading goes on and on and never ends", reading.who);
        self.found(Clause::C12, evidence);
        false
    }

    /// A message was put.
    pub fn put(&mut self, bytes: &[u8], outcome: &LogOutcome) {
        let is_refused =
            matches!(&outcome.result, Err(failure) if failure.kind == FailureKind::Refused);
        if is_refused && self.is_used_up(bytes) {
            return;
        }
        self.worked("a put", outcome);
        let Some(writer) = self.writer else { return };
        let end = Place::from(writer.write_end);
        if let Ok(LogReply::Put { offset, .. }) = &outcome.result {
            if *offset != end.offset {
                let evidence = format!(
                    "a put was told offset {offset}, and the log ended at {}",
                    writer.write_end
                );
                self.found(Clause::L1, evidence);
            }
            self.put = Some((end, bytes.to_vec()));
        }
    }

    /// It was asked what could be removed of the log, which may be nothing.
    pub fn cleaned(&mut self, outcome: &LogOutcome) {
        self.losses.extend(outcome.losses.iter().cloned());
        if let Err(failure) = &outcome.result {
            self.fail_by("a try of retention", failure, Some(Clause::L6));
        }
    }

    /// An operation was called that must work.
    pub fn worked(&mut self, name: &'static str, outcome: &LogOutcome) {
        self.losses.extend(outcome.losses.iter().cloned());
        if let Err(failure) = &outcome.result {
            self.fail(name, failure);
        }
    }

    /// C13: there is no offset or no count left for a message.
    fn is_used_up(&self, bytes: &[u8]) -> bool {
        let end = self
            .writer
            .map_or(Place::default(), |writer| writer.write_end.into());
        let size = i64::try_from(bytes.len()).ok();
        let size = size.and_then(|size| size.checked_add(HEADER_BYTES));
        let offset = size.and_then(|size| end.offset.checked_add(size));
        offset.is_none() || end.count == i64::MAX
    }

    /// What the open objects say of themselves could not be told.
    pub fn cannot_tell(&mut self, failure: &Failure) {
        self.fail("asking for the depth", failure);
    }

    /// A reader confirmed all that it read: it stands at the end.
    pub fn confirmed(&mut self, name: &str, states: &LogStates) {
        let (Some(writer), Some(reader)) = (states.writer, states.readers.get(name)) else {
            return;
        };
        let (at, end) = (Place::from(reader.confirmed), Place::from(writer.read_end));
        if at != end || reader.depth != 0 {
            let evidence = format!(
                "reader {name} read and confirmed all, stands at {} and tells a depth of {}, and \
                 the log ends at {}",
                reader.confirmed, reader.depth, writer.read_end
            );
            self.found(Clause::C12, evidence);
        }
    }

    /// All was closed and opened once more: it is as it was, and no loss of before is told again.
    pub fn opened_again(&mut self, losses: &[Loss], closed: &LogStates, now: &LogStates) {
        let ends = |states: &LogStates| {
            let writer = states.writer;
            let writer = writer.map(|one| [one.queue_start, one.write_end].map(Place::from));
            let readers = states.readers.iter();
            let readers = readers.map(|(name, one)| (name.clone(), Place::from(one.confirmed)));
            (writer, readers.collect::<Vec<_>>())
        };
        if ends(closed) != ends(now) {
            let evidence = format!(
                "closed as {:?} and opened again, the log is {:?}",
                ends(closed),
                ends(now)
            );
            self.found(Clause::C11, evidence);
        }
        // A segment that is missing between others stays so: whoever opens the log meets that.
        let is_missing = |loss: &Loss| {
            let is_segment = matches!(log_role(self.case.log, &loss.file), LogRole::Segment(_));
            is_segment && self.case.after.iter().all(|(name, _)| *name != loss.file)
        };
        let mut again = losses.iter().filter(|loss| self.told.contains(loss));
        if let Some(loss) = again.find(|loss| !is_missing(loss)) {
            let evidence = format!(
                "the loss at {} in `{}` was reported by one open and by the next",
                loss.offset, loss.file
            );
            self.found(Clause::C7, evidence);
        }
    }

    /// The files as they are now: those kept aside must stay as they are.
    pub fn directory(&mut self, files: &[NamedFile]) {
        self.aside.note(files);
    }
}
