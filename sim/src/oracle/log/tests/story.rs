//! A story: a run that the reference model answers, unless an answer is made up; and what came
//! back after a crash, told as a list of messages.

use crate::model::{LogAnswer, LogModel};
use crate::oracle::{
    LogHistory, LogObservation, LogOracle, LogRecovery, LogStrengths, Violation, judge_log,
};
use crate::scenario::{
    Clause, CrashKind, LogMessage, LogOp, LogOptions, LogOutcome, LogPosition, LogReply, LogStates,
    ReaderOp, ReaderState, SnapshotOp, WriterOp, WriterState,
};

/// Three records of 8 bytes finish a segment.
pub(super) fn options() -> LogOptions {
    LogOptions {
        segment_bytes_max: 36,
        message_bytes_max: 99,
        ..LogOptions::default()
    }
}

/// The message of a number: 8 bytes.
pub(super) fn body(number: u64) -> Vec<u8> {
    number.to_be_bytes().to_vec()
}

/// The place behind so many messages of 8 bytes, in segments of three.
pub(super) fn position(count: i64) -> LogPosition {
    LogPosition {
        segment: count / 3,
        position: 12 * (count % 3),
        offset: 12 * count,
        count,
    }
}

pub(super) const FLUSH: WriterOp = WriterOp::Flush { fsync: false };
pub(super) const SYNC: WriterOp = WriterOp::Flush { fsync: true };

/// What all objects of a model say.
pub(super) fn states(model: &LogModel) -> LogStates {
    let readers = model.reader_names().filter_map(|name| {
        let state = model.reader(name).first().copied()?;
        Some((name.to_owned(), state))
    });
    LogStates {
        writer: model.writer(),
        readers: readers.collect(),
        snapshot: model.snapshot().first().copied(),
    }
}

/// A run.
pub(super) struct Story {
    pub(super) oracle: LogOracle,
    pub(super) model: LogModel,
    pub(super) step: u32,
    pub(super) violations: Vec<Violation>,
    puts: u64,
}

impl Story {
    /// Of a log that is open for writing.
    pub(super) fn new() -> Self {
        Self::with(LogStrengths::SEGLOG)
    }

    pub(super) fn with(strengths: LogStrengths) -> Self {
        let mut story = Self {
            oracle: LogOracle::new(options(), strengths),
            model: LogModel::new(options()),
            step: 0,
            violations: Vec::new(),
            puts: 0,
        };
        story.write(WriterOp::Open);
        story
    }

    /// The mark behind the last step.
    pub(super) fn now(&self) -> u32 {
        2 * self.step
    }

    /// The mark in the last step.
    pub(super) fn inside(&self) -> u32 {
        2 * self.step - 1
    }

    /// A step that the model answers.
    pub(super) fn go(&mut self, op: &LogOp, bytes: &[u8]) {
        let possible = self.model.apply(op, bytes).swap_remove(0);
        let outcome = match possible.answer {
            LogAnswer::Reply(reply) => LogOutcome::ok(reply),
            LogAnswer::Refused => refused(),
            LogAnswer::Closed => panic!("a story asks nothing that is closed"),
        };
        self.model = possible.after;
        let states = states(&self.model);
        self.say(op, bytes, &outcome, &states);
    }

    /// A step with an answer that is made up.
    pub(super) fn say(
        &mut self,
        op: &LogOp,
        bytes: &[u8],
        outcome: &LogOutcome,
        states: &LogStates,
    ) {
        let violations = self.oracle.end(self.step, op, bytes, outcome, states);
        self.violations.extend(violations);
        self.step += 1;
    }

    pub(super) fn write(&mut self, op: WriterOp) -> &mut Self {
        self.go(&LogOp::Writer(op), &[]);
        self
    }

    pub(super) fn read(&mut self, name: &str, op: ReaderOp) -> &mut Self {
        self.go(&LogOp::Reader(name.to_owned(), op), &[]);
        self
    }

    pub(super) fn look(&mut self, op: SnapshotOp) -> &mut Self {
        self.go(&LogOp::Snapshot(op), &[]);
        self
    }

    /// Puts so many messages, each of the next number.
    pub(super) fn put(&mut self, count: u64) -> &mut Self {
        for _ in 0..count {
            let number = self.puts;
            self.put_of(number);
        }
        self
    }

    /// Puts the message of a number.
    pub(super) fn put_of(&mut self, number: u64) -> &mut Self {
        self.puts = number + 1;
        self.go(&LogOp::Writer(WriterOp::Put { size: 8 }), &body(number));
        self
    }

    /// Puts a batch.
    pub(super) fn batch(&mut self, count: u32) -> &mut Self {
        let (op, bytes) = self.batch_of(count);
        self.go(&op, &bytes);
        self
    }

    pub(super) fn batch_of(&mut self, count: u32) -> (LogOp, Vec<u8>) {
        let mut bytes = Vec::new();
        for _ in 0..count {
            bytes.extend(8_u32.to_be_bytes());
            bytes.extend(body(self.puts));
            self.puts += 1;
        }
        let op = WriterOp::PutRaw {
            sizes: vec![8; count as usize],
            count: i32::try_from(count).unwrap(),
            missing: 0,
        };
        (LogOp::Writer(op), bytes)
    }

    pub(super) fn rollback(&mut self, to: i64) -> &mut Self {
        let count = self.model.end().count - to;
        self.write(WriterOp::Rollback {
            offset: 12 * to,
            count: u64::try_from(count).unwrap(),
        })
    }

    /// The reader opens, or is told the end, reads so many messages and confirms them.
    pub(super) fn confirm(&mut self, name: &str, count: u32) -> &mut Self {
        let end = self.model.writer().unwrap().read_end;
        self.read(name, ReaderOp::UpdateQueueEnd { end, force: false });
        for _ in 0..count {
            self.read(name, ReaderOp::TryReadOne);
        }
        let all = ReaderOp::ConfirmRead {
            offset: -1,
            count: 0,
        };
        self.read(name, all)
    }

    pub(super) fn clauses(&self) -> Vec<Clause> {
        self.violations.iter().map(|one| one.clause).collect()
    }

    /// The run, in which nothing was wrong.
    pub(super) fn history(self) -> LogHistory {
        assert_eq!(self.violations, []);
        self.oracle.finish()
    }
}

pub(super) fn refused() -> LogOutcome {
    use crate::scenario::{Applied, FailureKind};
    LogOutcome::failed(FailureKind::Refused, Applied::No, "refused")
}

/// What came back: where the log starts, the numbers of its messages, and its readers.
#[derive(Clone, Default)]
pub(super) struct Came {
    pub(super) start: i64,
    pub(super) numbers: Vec<u64>,
    pub(super) readers: Vec<(&'static str, i64)>,
}

impl Came {
    pub(super) fn of(numbers: impl IntoIterator<Item = u64>) -> Self {
        Self::from(0, numbers)
    }

    pub(super) fn from(start: i64, numbers: impl IntoIterator<Item = u64>) -> Self {
        Self {
            start,
            numbers: numbers.into_iter().collect(),
            readers: Vec::new(),
        }
    }

    pub(super) fn reader(mut self, name: &'static str, at: i64) -> Self {
        self.readers.push((name, at));
        self
    }

    /// What the objects say.
    pub(super) fn states(&self) -> LogStates {
        let end = self.start + i64::try_from(self.numbers.len()).unwrap();
        let mut states = LogStates {
            writer: Some(WriterState {
                queue_start: position(self.start),
                write_end: position(end),
                read_end: position(end),
            }),
            ..LogStates::default()
        };
        for (name, at) in &self.readers {
            states
                .readers
                .insert((*name).to_owned(), reader_at(*at, end));
        }
        states
    }

    /// The recovery that shows this.
    pub(super) fn recovery<'h>(&self, history: &'h LogHistory) -> LogRecovery<'h> {
        let mut recovery = LogRecovery::new(history, options(), Some(CrashKind::Kill));
        let (done, states) = (LogOutcome::ok(LogReply::Done), self.states());
        recovery.writer_opened(&done, &states);
        for (name, _) in &self.readers {
            recovery.reader_opened(name, &done, &states);
        }
        for (at, number) in (self.start..).zip(&self.numbers) {
            recovery.message(&message(at, *number));
        }
        recovery.snapshot_ended(&LogOutcome::ok(LogReply::Nothing));
        recovery
    }

    pub(super) fn seen(&self, history: &LogHistory) -> LogObservation {
        self.recovery(history).finish()
    }
}

pub(super) fn message(at: i64, number: u64) -> LogMessage {
    LogMessage {
        offset: 12 * at,
        moved: 12,
        count: at + 1,
        bytes: body(number),
    }
}

pub(super) fn reader_at(at: i64, end: i64) -> ReaderState {
    ReaderState {
        confirmed: position(at),
        read: position(at),
        end: position(end),
        depth: end - at,
        depth_size: 12 * (end - at),
        waiting: end == at,
    }
}

/// The clause that this breaks after a crash of this kind at a mark.
pub(super) fn judged(
    history: &LogHistory,
    mark: u32,
    kind: CrashKind,
    came: &Came,
) -> Option<Clause> {
    let windows = history
        .windows_at(mark)
        .expect("it was followed up to there");
    judge_log(windows, kind, &came.seen(history)).map(|violation| violation.clause)
}
