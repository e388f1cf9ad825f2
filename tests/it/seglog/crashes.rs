//! Every crash that a disk may have within short runs: what opening finds is a run of what was
//! written, as cut by what was acknowledged, and an open is durable.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::support::{Disk, message, record, small};
use crashline::seglog::{LogWriter, LossKind, Position};
use crashline_sim::crash::{Image, Limits, Point, State, Visitor, profile, walk, worst};
use crashline_sim::scenario::CrashKind;
use crashline_sim::simfs::SimFs;

/// What is done in a run.
#[derive(Debug, Clone, Copy)]
enum Op {
    Open,
    /// The process dies and the log is opened again.
    Kill,
    Put(usize),
    Raw(u8),
    Flush(bool),
    FlushBuffer,
    /// Takes so many messages back.
    Rollback(usize),
    Empty,
    NewStart(u64, u64),
    /// Up to the segment before the last two.
    Clean,
    Close,
    Delete,
}

/// What the log is: its start, and its messages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Log {
    offset: u64,
    count: u64,
    messages: Vec<Vec<u8>>,
}

impl Log {
    fn end(&self) -> u64 {
        let sizes = self.messages.iter().map(|message| 4 + message.len() as u64);
        self.offset + sizes.sum::<u64>()
    }

    /// Whether this is a leading part of `whole` that reaches to `least`, or to its end.
    fn is_part_of(&self, whole: &Self, least: u64) -> bool {
        self.offset == whole.offset
            && self.count == whole.count
            && whole.messages.starts_with(&self.messages)
            && self.end() >= least.min(whole.end())
    }

    /// Drops messages up to a new start.
    fn clean_to(&mut self, start: &Position) {
        while self.offset < start.offset {
            let message = self.messages.remove(0);
            self.offset += 4 + message.len() as u64;
            self.count += 1;
        }
        assert_eq!((self.offset, self.count), (start.offset, start.count));
    }
}

/// What is known after an operation.
#[derive(Debug, Clone, Default)]
struct After {
    log: Log,
    is_deleted: bool,
    flushed: u64,
    durable: u64,
}

/// A run that goes on.
struct Run {
    disk: Disk,
    writer: Option<LogWriter>,
    next: u8,
    history: Vec<After>,
}

impl Run {
    fn new() -> Self {
        Self {
            disk: Disk::empty(),
            writer: None,
            next: 0,
            history: vec![After::default()],
        }
    }

    fn message(&mut self, size: usize) -> Vec<u8> {
        self.next += 1;
        vec![self.next; size]
    }

    fn apply(&mut self, op: Op) {
        let mut after = self.history.last().unwrap().clone();
        after.is_deleted = matches!(op, Op::Delete);
        let is_durable = self.change(op, &mut after.log);
        if let Some(writer) = &self.writer {
            let log = &after.log;
            let end = writer.write_end();
            assert_eq!(end.offset, log.end(), "{op:?}");
            assert_eq!(end.count, log.count + log.messages.len() as u64, "{op:?}");
            after.flushed = writer.read_end().position.offset;
        }
        if is_durable {
            after.durable = after.log.end();
        }
        self.history.push(after);
        self.disk.0.mark(u32::try_from(self.history.len()).unwrap());
    }

    /// Changes engine and model; whether that is durable.
    fn change(&mut self, op: Op, log: &mut Log) -> bool {
        if matches!(op, Op::Open | Op::Kill) {
            self.writer = None;
            let writer = self.disk.writer();
            *log = observed(&self.disk, &writer);
            self.writer = Some(writer);
            return true;
        }
        if let Op::Put(size) = op {
            let message = self.message(size);
            self.writer.as_mut().unwrap().put(&message).unwrap();
            log.messages.push(message);
            return false;
        }
        if let Op::Raw(count) = op {
            let bodies: Vec<Vec<u8>> = (1..=count).map(|size| self.message(size.into())).collect();
            let batch: Vec<u8> = bodies.iter().flat_map(|body| record(body)).collect();
            let writer = self.writer.as_mut().unwrap();
            writer.put_raw(&batch, count.into()).unwrap();
            log.messages.extend(bodies);
            return false;
        }
        let writer = self.writer.as_mut().unwrap();
        match op {
            Op::Flush(fsync) => writer.flush(fsync).unwrap(),
            Op::FlushBuffer => assert!(writer.flush_buffer().is_ok()),
            Op::Rollback(count) => {
                log.messages.truncate(log.messages.len() - count);
                writer.rollback(log.end(), count as u64).unwrap();
            }
            Op::Empty => {
                writer.empty().unwrap();
                log.clean_to(&writer.queue_start());
            }
            Op::NewStart(offset, count) => {
                writer.reset_write_with_queue_start(offset, count).unwrap();
                *log = Log {
                    offset,
                    count,
                    messages: Vec::new(),
                };
            }
            Op::Clean => {
                let target = crashline::seglog::CleanTarget::Offset(u64::MAX);
                let start = writer.clean_old_data(target, false, None, true).unwrap();
                log.clean_to(&start.unwrap());
            }
            Op::Close => {
                writer.close().unwrap();
                self.writer = None;
            }
            Op::Delete => {
                writer.delete().unwrap();
                self.writer = None;
                *log = Log::default();
            }
            Op::Open | Op::Kill | Op::Put(_) | Op::Raw(_) => unreachable!("done above"),
        }
        !matches!(op, Op::Flush(false) | Op::FlushBuffer)
    }
}

/// What an open log holds.
fn observed(disk: &Disk, writer: &LogWriter) -> Log {
    let start = writer.queue_start();
    Log {
        offset: start.offset,
        count: start.count,
        messages: disk.messages_between("L", start, writer.read_end().position),
    }
}

/// Opens every image, and judges every state by what was acknowledged before.
struct Judge<'a> {
    history: &'a [After],
    profile: &'static str,
    found: Vec<Log>,
    judged: u64,
}

impl Judge<'_> {
    /// What opening finds, which a power cut right behind it does not change.
    fn open(&self, fs: SimFs) -> Log {
        let disk = Disk(fs);
        let opened = disk.open("L", small()).unwrap();
        let is_damage = opened
            .losses
            .iter()
            .any(|loss| loss.kind == LossKind::Damaged);
        assert!(!is_damage, "{:?}\n{:?}", opened.losses, names(&disk));
        let found = observed(&disk, &opened.writer);
        let profile = profile(self.profile).unwrap();
        let again = Disk(worst(&disk.0.recording(), profile));
        let writer = again.writer();
        assert_eq!(observed(&again, &writer), found, "an open is durable");
        drop(opened);
        let mut writer = disk.writer();
        assert_eq!(
            observed(&disk, &writer),
            found,
            "an open finds the same twice"
        );
        let mut grown = found.clone();
        for number in 0..6 {
            writer.put(&message(number)).unwrap();
            grown.messages.push(message(number));
        }
        writer.flush(true).unwrap();
        assert_eq!(observed(&disk, &writer), grown);
        for part in [".spare", ".tmp."] {
            assert_eq!(disk.names_with(part), Vec::<String>::new());
        }
        let again = Disk(worst(&disk.0.recording(), profile));
        let mut writer = again.writer();
        assert_eq!(observed(&again, &writer), grown, "a flush is durable");
        writer.close().unwrap();
        found
    }
}

fn names(disk: &Disk) -> Vec<(String, usize)> {
    let files = disk.files().into_iter();
    files.map(|(name, bytes)| (name, bytes.len())).collect()
}

impl Visitor for Judge<'_> {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        let found = self.open(image.mount());
        self.found.push(found);
        u32::try_from(self.found.len() - 1).unwrap()
    }

    fn state(&mut self, point: &Point, state: &State<'_>, outcome: u32) {
        self.judged += 1;
        let found = self.found.get(outcome as usize).unwrap();
        let before = self.history.get(point.marks as usize).unwrap();
        let next = self.history.get(point.marks as usize + 1).unwrap_or(before);
        let least = match state.kind() {
            CrashKind::Kill => before.flushed,
            CrashKind::PowerCut => before.durable,
        };
        let is_right = found.is_part_of(&before.log, least)
            || found.is_part_of(&next.log, least)
            || next.is_deleted && found.messages.is_empty();
        assert!(
            is_right,
            "{:?} lost {} effects behind {} operations, at least to {least}:\n{found:?}\nof \
             {before:?}\nor {next:?}",
            state.kind(),
            state.lost_count(),
            point.marks,
        );
    }
}

fn check(ops: &[Op]) {
    let mut run = Run::new();
    for op in [Op::Open].iter().chain(ops) {
        run.apply(*op);
    }
    let recording = run.disk.0.recording();
    let limits = Limits {
        states_max: 300,
        samples: 20,
        ..Limits::default()
    };
    for name in ["posix-min", "ext4-ordered", "strict-prefix"] {
        let mut judge = Judge {
            history: &run.history,
            profile: name,
            found: Vec::new(),
            judged: 0,
        };
        let summary = walk(&recording, profile(name).unwrap(), &limits, 7, &mut judge);
        assert!(judge.judged > summary.points, "{ops:?}: {summary:?}");
    }
}

use Op::{
    Clean, Close, Delete, Empty, Flush, FlushBuffer, Kill, NewStart, Open, Put, Raw, Rollback,
};

#[test]
fn puts_flushes_and_rolls() {
    check(&[Put(5), Put(9), Flush(false), Put(3), Flush(true), Put(4)]);
    check(&[
        Put(30),
        Put(20),
        Put(30),
        FlushBuffer,
        Put(20),
        Put(1),
        Close,
    ]);
    check(&[Put(7), Flush(true), Close, Open, Put(3), Flush(false)]);
    check(&[Raw(5), Flush(false), Raw(9), Raw(2), Flush(true)]);
}

#[test]
fn kills() {
    check(&[Put(5), Flush(false), Put(6), Kill, Put(7), Flush(true)]);
    check(&[
        Put(5),
        Flush(true),
        Put(6),
        FlushBuffer,
        Kill,
        Put(70),
        Put(3),
        Kill,
        Put(1),
    ]);
}

#[test]
fn rollbacks() {
    check(&[Put(5), Put(6), Put(7), Rollback(1), Put(9), Flush(true)]);
    check(&[
        Put(5),
        Flush(true),
        Put(6),
        Put(7),
        Flush(false),
        Rollback(2),
        Put(6),
    ]);
    check(&[
        Put(40),
        Put(45),
        Put(5),
        Flush(true),
        Rollback(2),
        Put(4),
        Flush(false),
    ]);
    check(&[
        Put(40),
        Put(45),
        Put(5),
        Rollback(3),
        Put(4),
        Rollback(1),
        Close,
    ]);
}

#[test]
fn new_starts() {
    check(&[Put(5), Put(60), Put(6), Empty, Put(7), Flush(true)]);
    check(&[Put(5), Flush(false), Empty, Empty, Put(6), Kill, Put(7)]);
    check(&[
        Put(50),
        Put(5),
        NewStart(1000, 70),
        Put(6),
        Flush(false),
        NewStart(10, 2),
    ]);
}

#[test]
fn retention_and_delete() {
    check(&[
        Put(50),
        Put(51),
        Put(52),
        Put(5),
        Clean,
        Put(6),
        Flush(true),
    ]);
    check(&[
        Put(50),
        Put(51),
        Flush(true),
        Delete,
        Open,
        Put(6),
        Flush(true),
    ]);
}
