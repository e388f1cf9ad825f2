//! Generated sequences on the model: what the contract promises of every one of them, checked by a
//! ledger of what was put, and that they reach what they are meant to.

use crashline_sim::generate::{Choices, LogGenerator};
use crashline_sim::model::{LogAnswer, LogModel, Place};
use crashline_sim::scenario::{LogOp, LogReply, ReaderState, SnapshotOp, WriterOp, WriterState};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

const SCENARIOS: u64 = 600;
const STEPS: usize = 60;

/// A model that is driven, with what was put in it by offset.
struct Run {
    choices: Choices,
    generator: LogGenerator,
    model: LogModel,
    ledger: BTreeMap<i64, Vec<u8>>,
    reached: BTreeSet<String>,
}

impl Run {
    fn new(seed: u64) -> Self {
        let mut choices = Choices::from_seed(seed);
        let generator = LogGenerator::draw(&mut choices);
        let model = LogModel::new(generator.options());
        Self {
            choices,
            generator,
            model,
            ledger: BTreeMap::new(),
            reached: BTreeSet::new(),
        }
    }

    /// Carries out the next operation; which of its possible answers it gives is drawn.
    fn step(&mut self) {
        let view = self.model.view();
        let (op, bytes) = self.generator.next(&mut self.choices, &view);
        let mut possible = self.model.apply(&op, &bytes);
        assert!(!possible.is_empty(), "{op:?} may do nothing at all");
        let number = u32::try_from(possible.len()).expect("there are few");
        let chosen = self.choices.below(number) as usize;
        let chosen = possible.swap_remove(chosen);
        let before = std::mem::replace(&mut self.model, chosen.after);
        self.note_reached(&op, &chosen.answer, &before);
        match &chosen.answer {
            LogAnswer::Reply(reply) => {
                self.check_reply(&op, reply, &before);
                self.note_in_ledger(&op, &bytes, &before);
            }
            LogAnswer::Refused | LogAnswer::Closed => self.check_nothing_changed(&op, &before),
        }
        self.check_writer(&op, &before);
        for name in ["a", "b"] {
            for state in self.model.reader(name) {
                self.check_reader(&state);
            }
        }
    }

    /// C4: a refusal changes nothing.
    fn check_nothing_changed(&self, op: &LogOp, before: &LogModel) {
        assert_eq!(self.model.writer(), before.writer(), "{op:?}");
        assert_eq!(self.model.boundaries(), before.boundaries(), "{op:?}");
        for name in ["a", "b"] {
            let states = before.reader(name);
            for state in self.model.reader(name) {
                assert!(states.contains(&state), "{op:?}: {state:?} of {states:?}");
            }
        }
    }

    /// L1, L5: offsets grow by what was written; start, read end and write end stand in order, and
    /// the start goes back for nothing but a new one.
    fn check_writer(&self, op: &LogOp, before: &LogModel) {
        let (Some(now), Some(then)) = (self.model.writer(), before.writer()) else {
            return;
        };
        let [start, read_end, end] =
            [now.queue_start, now.read_end, now.write_end].map(Place::from);
        assert!(start <= read_end && read_end <= end, "{op:?}: {now:?}");
        let is_new_start = matches!(op, LogOp::Writer(WriterOp::ResetWriteWithQueueStart { .. }));
        assert!(
            is_new_start || start >= then.queue_start.into(),
            "{op:?}: {now:?}"
        );
        let first = self.ledger.keys().next().copied();
        assert_eq!(start.offset, first.unwrap_or(end.offset), "{op:?}: {now:?}");
        let puts = i64::try_from(self.ledger.len()).expect("there are few");
        assert_eq!(end.count - start.count, puts, "{op:?}: {now:?}");
    }

    /// L8, L12: positions stand in order, and the depth is what lies between.
    fn check_reader(&self, state: &ReaderState) {
        let ReaderState {
            confirmed,
            read,
            end,
            depth,
            depth_size,
            waiting,
        } = *state;
        assert!(
            confirmed.offset <= end.offset && read.offset <= end.offset,
            "{state:?}"
        );
        assert_eq!(depth, end.count - confirmed.count, "{state:?}");
        assert_eq!(depth_size, end.offset - confirmed.offset, "{state:?}");
        assert_eq!(waiting, depth == 0, "{state:?}");
        assert!(depth >= 0 && depth_size >= 0, "{state:?}");
        if let Some(WriterState { queue_start, .. }) = self.model.writer() {
            assert!(confirmed.offset >= queue_start.offset, "{state:?}");
        }
    }

    /// L1, L7: a put tells the end before it, a read gives what was put there.
    fn check_reply(&self, op: &LogOp, reply: &LogReply, before: &LogModel) {
        match reply {
            LogReply::Put { offset, size, end } => {
                let writer = before.writer().expect("it put something");
                assert_eq!(*offset, writer.write_end.offset, "{op:?}");
                assert_eq!(offset + size, end.offset, "{op:?}");
            }
            LogReply::Message(message) => {
                let there = self.ledger.get(&message.offset);
                assert_eq!(there, Some(&message.bytes), "{op:?}: {message:?}");
            }
            LogReply::Raw(bytes) => {
                let LogOp::Snapshot(SnapshotOp::ReadRaw { size }) = op else {
                    panic!("{op:?} reads no bytes");
                };
                assert_eq!(bytes.len(), *size as usize, "{op:?}");
            }
            LogReply::Done
            | LogReply::Position(_)
            | LogReply::Start(_)
            | LogReply::HadData(_)
            | LogReply::Changed(_)
            | LogReply::Nothing => {}
        }
    }

    /// Carries over to the ledger what the operation did to the log, by its arguments alone.
    fn note_in_ledger(&mut self, op: &LogOp, bytes: &[u8], before: &LogModel) {
        let LogOp::Writer(op) = op else { return };
        let end = before.writer().map_or(0, |writer| writer.write_end.offset);
        match op {
            WriterOp::Put { .. } => {
                self.ledger.insert(end, bytes.to_vec());
            }
            WriterOp::PutRaw { sizes, .. } => {
                let (mut offset, mut rest) = (end, bytes);
                for size in sizes {
                    let record = 4 + *size as usize;
                    let (record, behind) = rest.split_at(record);
                    self.ledger.insert(offset, record.split_at(4).1.to_vec());
                    offset += i64::from(*size) + 4;
                    rest = behind;
                }
            }
            WriterOp::Rollback { offset, .. } | WriterOp::ResetWriteEnd { offset, .. } => {
                self.ledger.retain(|at, _| at < offset);
            }
            WriterOp::ResetWriteWithQueueStart { .. }
            | WriterOp::Empty
            | WriterOp::Delete
            | WriterOp::RemoveTo { .. } => self.ledger.clear(),
            WriterOp::CleanOldData { dry_run: false, .. } => {
                let start = self.model.writer().expect("it is open").queue_start;
                self.ledger.retain(|at, _| *at >= start.offset);
            }
            WriterOp::CleanOldData { .. }
            | WriterOp::Open
            | WriterOp::OpenReadOnly
            | WriterOp::Flush { .. }
            | WriterOp::FlushBuffer
            | WriterOp::TryFixWriteEnd { .. }
            | WriterOp::Close => {}
        }
    }

    fn reach(&mut self, what: impl Into<String>) {
        self.reached.insert(what.into());
    }

    fn note_reached(&mut self, op: &LogOp, answer: &LogAnswer, before: &LogModel) {
        let name = match op {
            LogOp::Writer(op) => format!("{op:?}"),
            LogOp::Reader(_, op) => format!("reader {op:?}"),
            LogOp::Snapshot(op) => format!("snapshot {op:?}"),
            LogOp::Kill => panic!("the model knows no kill"),
        };
        let name = name.split(" {").next().unwrap_or_default().to_owned();
        let ended = match answer {
            LogAnswer::Reply(LogReply::Nothing) => "gives nothing",
            LogAnswer::Reply(_) => "done",
            LogAnswer::Refused => "refused",
            LogAnswer::Closed => "closed",
        };
        self.reach(format!("{name} {ended}"));
        if let (Some(then), Some(now)) = (before.writer(), self.model.writer())
            && ended == "done"
        {
            self.note_corners(op, before, &then, &now);
        }
    }

    fn note_corners(
        &mut self,
        op: &LogOp,
        before: &LogModel,
        then: &WriterState,
        now: &WriterState,
    ) {
        let LogOp::Writer(op) = op else { return };
        let full = self.generator.options().segment_bytes_max;
        let position = then.write_end.position.cast_unsigned();
        let segments = now.write_end.segment - then.write_end.segment;
        let readers = ["a", "b"].iter().flat_map(|name| before.reader(name));
        let readers: Vec<ReaderState> = readers.collect();
        let record = |size: &u32| u64::from(*size) + 4;
        match op {
            WriterOp::Put { size } => {
                let waits = |one: &ReaderState| one.waiting && one.end == then.write_end;
                if position + record(size) == full {
                    self.reach("a segment exactly filled");
                }
                if segments == 1 && readers.iter().any(waits) {
                    self.reach("a roll at the tail while a reader waits");
                }
            }
            WriterOp::PutRaw { sizes, .. } => {
                let first = sizes.first().filter(|_| sizes.len() > 1);
                if segments == 1 && first.is_some_and(|first| position + record(first) < full) {
                    self.reach("a batch over a roll");
                }
            }
            WriterOp::Rollback { .. } if segments < 0 => self.reach("a rollback across a roll"),
            WriterOp::Rollback { offset, .. } => {
                if readers.iter().any(|one| one.read.offset > *offset) {
                    self.reach("a rollback below a reader");
                }
            }
            WriterOp::ResetWriteEnd { .. } if segments < -1 => {
                self.reach("a reset across several segments");
            }
            WriterOp::ResetWriteWithQueueStart { offset, .. } => {
                match offset.cmp(&then.queue_start.offset) {
                    Ordering::Less => self.reach("a new start below the old one"),
                    Ordering::Equal => {}
                    Ordering::Greater => self.reach("a new start above the old one"),
                }
            }
            WriterOp::CleanOldData {
                offset_max,
                dry_run,
                ..
            } => self.note_cleaned(*offset_max, *dry_run, &readers, then, now),
            WriterOp::ResetWriteEnd { .. }
            | WriterOp::TryFixWriteEnd { .. }
            | WriterOp::Open
            | WriterOp::OpenReadOnly
            | WriterOp::Flush { .. }
            | WriterOp::FlushBuffer
            | WriterOp::Empty
            | WriterOp::Close
            | WriterOp::Delete
            | WriterOp::RemoveTo { .. } => {}
        }
    }

    fn note_cleaned(
        &mut self,
        offset_max: i64,
        dry_run: bool,
        readers: &[ReaderState],
        then: &WriterState,
        now: &WriterState,
    ) {
        let has_moved = now.queue_start != then.queue_start;
        let at = now.queue_start.offset;
        if dry_run {
            self.reach("retention only asked");
        }
        if has_moved && readers.len() < 2 {
            self.reach("retention with a closed reader");
        }
        if has_moved && offset_max > at {
            self.reach("retention limited within a segment");
        }
        if has_moved && readers.iter().any(|one| one.confirmed.offset == at) {
            self.reach("a reader at the end of a segment that goes");
        }
    }
}

/// What all runs together must have seen.
const REACHED: &[&str] = &[
    "Open done",
    "OpenReadOnly done",
    "Put done",
    "Put refused",
    "Put closed",
    "PutRaw done",
    "PutRaw refused",
    "Flush done",
    "FlushBuffer done",
    "Rollback done",
    "Rollback refused",
    "ResetWriteEnd done",
    "ResetWriteEnd refused",
    "TryFixWriteEnd done",
    "TryFixWriteEnd refused",
    "ResetWriteWithQueueStart done",
    "ResetWriteWithQueueStart refused",
    "CleanOldData done",
    "Empty done",
    "Close done",
    "Delete done",
    "RemoveTo done",
    "reader Open done",
    "reader UpdateQueueEnd done",
    "reader UpdateQueueEnd refused",
    "reader TryReadOne done",
    "reader TryReadOne gives nothing",
    "reader TryReadOne closed",
    "reader ConfirmRead done",
    "reader ConfirmRead refused",
    "reader ResetReadToConfirmed done",
    "reader ResetReadToOffset done",
    "reader ResetReadToOffset refused",
    "reader SkipReadToOffset done",
    "reader SkipReadToOffset refused",
    "reader SkipReadToEnd done",
    "reader SkipToNext done",
    "reader ResetLastReadOne done",
    "reader Flush done",
    "reader Close done",
    "reader Delete done",
    "snapshot Open done",
    "snapshot UpdateQueueEnd done",
    "snapshot SeekTo done",
    "snapshot SeekTo refused",
    "snapshot ResetSeekTo done",
    "snapshot ResetSeekTo refused",
    "snapshot SeekToEnd done",
    "snapshot SkipToNext done",
    "snapshot SkipToNext refused",
    "snapshot ReadOne done",
    "snapshot ReadOne gives nothing",
    "snapshot ReadRaw done",
    "snapshot ReadRaw refused",
    "snapshot Close done",
    "a segment exactly filled",
    "a roll at the tail while a reader waits",
    "a batch over a roll",
    "a rollback below a reader",
    "a rollback across a roll",
    "a reset across several segments",
    "a new start below the old one",
    "a new start above the old one",
    "retention only asked",
    "retention with a closed reader",
    "retention limited within a segment",
    "a reader at the end of a segment that goes",
];

#[test]
fn any_sequence_keeps_the_contract_and_together_they_reach_its_corners() {
    let mut reached = BTreeSet::new();
    for seed in 0..SCENARIOS {
        let mut run = Run::new(seed);
        for _ in 0..STEPS {
            run.step();
        }
        reached.append(&mut run.reached);
    }
    let missing: Vec<&str> = REACHED
        .iter()
        .copied()
        .filter(|what| !reached.contains(*what))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
