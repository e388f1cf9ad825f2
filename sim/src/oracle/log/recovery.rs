//! Follows one recovery of a log, and judges all of it that does not depend on where the crash
//! fell.

use super::chain::{behind, mix};
use super::history::LogHistory;
use super::names::is_segment;
use super::observation::{LogFinding, LogObservation};
use crate::model::Place;
use crate::oracle::Violation;
use crate::scenario::{
    Clause, CrashKind, Failure, FailureKind, LogMessage, LogOptions, LogOutcome, LogReply,
    LogStates, ReaderState, WriterState,
};
use std::sync::Arc;

/// Follows one recovery. There are millions of them: what the run put is not copied.
#[derive(Debug)]
pub struct LogRecovery<'h> {
    pub(super) history: &'h LogHistory,
    pub(super) options: LogOptions,
    pub(super) crash: Option<CrashKind>,
    pub(super) writer: Option<WriterState>,
    pub(super) readers: Vec<(String, ReaderState)>,
    /// The readers that reported a loss.
    pub(super) losses: Vec<String>,
    /// Where the next message must stand.
    pub(super) next: Place,
    pub(super) messages: Vec<Arc<[u8]>>,
    /// The offsets of the messages.
    pub(super) offsets: Vec<Place>,
    pub(super) sum: u128,
    pub(super) is_read: bool,
    pub(super) finding: Option<LogFinding>,
    /// What a look before the recovery showed.
    pub(super) looked: Option<WriterState>,
    /// The crash had cut a move off, and the log was moved again before it was looked at.
    pub(super) is_moved_again: bool,
}

impl<'h> LogRecovery<'h> {
    /// An observer of a recovery with these options, after this crash of this run; no crash stands
    /// for files that were only opened again.
    #[must_use]
    pub fn new(history: &'h LogHistory, options: LogOptions, crash: Option<CrashKind>) -> Self {
        Self {
            history,
            options,
            crash,
            writer: None,
            readers: Vec::new(),
            losses: Vec::new(),
            next: Place::default(),
            messages: Vec::new(),
            offsets: Vec::new(),
            sum: 0,
            is_read: false,
            finding: None,
            looked: None,
            is_moved_again: false,
        }
    }

    pub(super) fn found(&mut self, clause: Clause, evidence: impl Into<String>) {
        if self.finding.is_none() {
            self.finding = Some(LogFinding {
                clause,
                evidence: evidence.into(),
            });
        }
    }

    /// After what it was opened, in words.
    fn after(&self) -> &'static str {
        match self.crash {
            None => "after a reopening",
            Some(CrashKind::Kill) => "after a kill",
            Some(CrashKind::PowerCut) => "after a power cut",
        }
    }

    pub(super) fn failed(&mut self, what: &str, failure: &Failure, otherwise: Clause) {
        let clause = match failure.kind {
            FailureKind::Panic | FailureKind::CutOff => Clause::C3,
            FailureKind::Damage if otherwise == Clause::C12 => Clause::C7,
            FailureKind::Io(_)
            | FailureKind::Refused
            | FailureKind::Locked
            | FailureKind::Closed
            | FailureKind::Damage
            | FailureKind::Foreign
            | FailureKind::Unsupported => otherwise,
        };
        self.found(
            clause,
            format!("{what} failed {}: {}", self.after(), failure.message),
        );
    }

    /// Whether a violation was found; going on shows nothing more.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.finding.is_some()
    }

    /// The writer was opened, for writing or for reading only.
    pub fn writer_opened(&mut self, outcome: &LogOutcome, states: &LogStates) {
        if let Err(failure) = &outcome.result {
            return self.failed("the open", failure, Clause::C1);
        }
        let Some(writer) = states.writer else {
            return self.found(
                Clause::C1,
                "the writer is closed after an open that succeeded",
            );
        };
        let strengths = self.history.strengths();
        if let Some(loss) = outcome.losses.iter().find(|loss| !strengths.tear(loss)) {
            let evidence = format!(
                "the open reported {} bytes of `{}` as lost {}, which damages nothing",
                loss.size,
                loss.file,
                self.after(),
            );
            // A hole in the log is what no crash leaves; of a meta it is only said that it is lost.
            let clause = match is_segment(&loss.file) {
                true => Clause::L2,
                false => Clause::C7,
            };
            self.found(clause, evidence);
        }
        let start = Place::from(writer.queue_start);
        let end = Place::from(writer.write_end);
        if start.offset > end.offset || start.offset < 0 {
            let (start, end) = (writer.queue_start, writer.write_end);
            self.found(
                Clause::L5,
                format!("the log starts at {start} and ends at {end}"),
            );
        }
        if start.count > end.count || start.count < 0 {
            let (start, end) = (writer.queue_start, writer.write_end);
            self.found(Clause::L1, format!("the log counts from {start} to {end}"));
        }
        if Place::from(writer.read_end) != end {
            let evidence = format!(
                "readers may read up to {}, and the log ends at {}",
                writer.read_end, writer.write_end
            );
            self.found(Clause::L1, evidence);
        }
        self.compare_look(&writer);
        self.next = start;
        self.writer = Some(writer);
    }

    /// A message of the log, in order from the queue start on.
    pub fn message(&mut self, message: &LogMessage) {
        if self.is_broken() {
            return;
        }
        let at = self.next;
        let end = behind(at, &message.bytes);
        if message.offset != at.offset {
            let clause = match message.offset > at.offset {
                true => Clause::L2,
                false => Clause::L1,
            };
            let evidence = format!(
                "a message came from offset {}, where the one at {} was to come",
                message.offset, at.offset
            );
            return self.found(clause, evidence);
        }
        if message.moved != end.offset - at.offset || message.count != end.count {
            let size = message.bytes.len();
            let evidence = format!(
                "the message at offset {} has {size} bytes and is number {}, and told a record of \
                 {} bytes and count {}",
                at.offset, end.count, message.moved, message.count
            );
            return self.found(Clause::L1, evidence);
        }
        let shown = self.writer.map_or(0, |writer| writer.read_end.offset);
        if end.offset > shown {
            let evidence = format!(
                "a message came that ends at offset {}, behind the end at {shown}",
                end.offset
            );
            return self.found(Clause::L7, evidence);
        }
        let (bytes, adds) = match self.history.chains().known(at, &message.bytes) {
            Some((known, adds)) => (Arc::clone(known), adds),
            None => {
                let bytes: Arc<[u8]> = message.bytes.as_slice().into();
                (bytes, mix(at.offset, &message.bytes))
            }
        };
        self.sum = self.sum.wrapping_add(adds);
        self.messages.push(bytes);
        self.offsets.push(at);
        self.next = end;
    }

    /// The answer that ended the reading: it must be that there is no more, at the end.
    pub fn snapshot_ended(&mut self, outcome: &LogOutcome) {
        if self.is_broken() {
            return;
        }
        if let Some(loss) = outcome.losses.first() {
            let evidence = format!(
                "reading reported {} bytes of `{}` as lost {}, which damages nothing",
                loss.size,
                loss.file,
                self.after(),
            );
            return self.found(Clause::C7, evidence);
        }
        let end = self
            .writer
            .map_or(Place::default(), |writer| writer.read_end.into());
        match &outcome.result {
            // The end may be told as an error.
            Err(failure)
                if failure.kind == FailureKind::Refused && self.next.offset == end.offset => {}
            Ok(LogReply::Nothing) => {}
            Err(failure) => return self.failed("reading", failure, Clause::C12),
            Ok(_) => return self.found(Clause::C12, "reading stopped before the end"),
        }
        if self.next.offset != end.offset {
            let evidence = format!(
                "there was said to be no message behind offset {}, and the log ends at {}",
                self.next.offset, end.offset
            );
            return self.found(Clause::C12, evidence);
        }
        if self.next.count != end.count {
            let evidence = format!(
                "the log has messages up to count {}, and says that it ends at {}",
                self.next.count, end.count
            );
            return self.found(Clause::L2, evidence);
        }
        self.is_read = true;
        let standing: Vec<(String, Place)> = self
            .readers
            .iter()
            .map(|(name, reader)| (name.clone(), reader.confirmed.into()))
            .collect();
        for (name, at) in standing {
            self.look_at_boundary(&name, at);
        }
    }

    /// A violation of what was done afterwards becomes part of the observation.
    pub fn broken_later(&mut self, violation: Violation) {
        self.found(violation.clause, violation.evidence);
    }

    /// The recovery is over.
    #[must_use]
    pub fn finish(mut self) -> LogObservation {
        if self.writer.is_none() {
            self.found(Clause::C1, "the log was not opened");
        } else if !self.is_read {
            self.found(Clause::C12, "the log was not read to its end");
        }
        let index = |name: &str| {
            let known = self
                .history
                .readers()
                .iter()
                .position(|known| known == name)?;
            u32::try_from(known).ok()
        };
        let readers = self.readers.iter();
        let mut readers: Vec<(u32, Place)> = readers
            .filter_map(|(name, state)| Some((index(name)?, state.confirmed.into())))
            .collect();
        readers.sort_unstable();
        let mut losses: Vec<u32> = self.losses.iter().filter_map(|name| index(name)).collect();
        losses.sort_unstable();
        LogObservation {
            start: self
                .writer
                .map_or(Place::default(), |writer| writer.queue_start.into()),
            end: self
                .writer
                .map_or(Place::default(), |writer| writer.write_end.into()),
            sum: self.sum,
            readers,
            losses,
            is_moved_again: self.is_moved_again,
            finding: self.finding,
        }
    }
}
