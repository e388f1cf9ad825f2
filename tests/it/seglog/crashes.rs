//! Every crash that a disk may have within short runs: what opening finds is a run of what was
//! written, as cut by what was acknowledged, and an open is durable.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::run::{After, Log, Op, Run, observed};
use super::support::{Disk, message, small};
use crashline::seglog::LossKind;
use crashline_sim::crash::{Image, Limits, Point, State, Visitor, profile, walk, worst};
use crashline_sim::fault::FaultPlan;
use crashline_sim::scenario::CrashKind;
use crashline_sim::simfs::SimFs;

/// Opens every image, and judges every state by what was acknowledged before.
struct Judge<'a> {
    history: &'a [After],
    profile: &'static str,
    /// What opening found, and the least that is left of it by a crash in that.
    found: Vec<(Log, Log)>,
    judged: u64,
}

impl Judge<'_> {
    /// What opening finds, which a power cut right behind it does not change.
    fn open(&self, fs: SimFs) -> Log {
        let disk = Disk(fs);
        let before = disk.files();
        let looked = disk.look("L", small()).writer;
        assert_eq!(disk.files(), before, "looking writes nothing");
        let looked = observed(&disk, &looked);
        let opened = disk.open("L", small()).unwrap();
        let is_damage = opened
            .losses
            .iter()
            .any(|loss| loss.kind == LossKind::Damaged);
        assert!(!is_damage, "{:?}\n{:?}", opened.losses, names(&disk));
        let found = observed(&disk, &opened.writer);
        assert_eq!(looked, found, "looking shows what opening finds");
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

/// Opens what a crash in a recovery left, and keeps the least that was found.
struct Again<'a> {
    found: &'a Log,
    least: Log,
}

impl Visitor for Again<'_> {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        let disk = Disk(image.mount());
        let writer = disk.writer();
        let mut again = observed(&disk, &writer);
        if again.messages.last().is_some_and(|last| last == b"on") {
            again.messages.pop();
        }
        assert!(
            again.is_part_of(self.found, 0),
            "{again:?} of {:?}",
            self.found
        );
        if again.end() < self.least.end() {
            self.least = again;
        }
        0
    }

    fn state(&mut self, _: &Point, _: &State<'_>, _: u32) {}
}

impl Judge<'_> {
    /// What a power cut leaves at least in the recovery from one and the first put after it.
    fn crash_in_recovery(&self, image: &Image<'_>, found: &Log) -> Log {
        let disk = Disk(image.mount());
        disk.writer().put(b"on").unwrap();
        let limits = Limits {
            states_max: 40,
            samples: 4,
            ..Limits::default()
        };
        let mut again = Again {
            found,
            least: found.clone(),
        };
        let recording = disk.0.recording();
        let profile = profile(self.profile).unwrap();
        walk(&recording, profile, &limits, 3, &mut again);
        again.least
    }
}

fn names(disk: &Disk) -> Vec<(String, usize)> {
    let files = disk.files().into_iter();
    files.map(|(name, bytes)| (name, bytes.len())).collect()
}

impl Visitor for Judge<'_> {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        let found = self.open(image.mount());
        let is_looked_at =
            image.kind() == CrashKind::PowerCut && self.found.len().is_multiple_of(5);
        let least = match is_looked_at {
            true => self.crash_in_recovery(image, &found),
            false => found.clone(),
        };
        self.found.push((found, least));
        u32::try_from(self.found.len() - 1).unwrap()
    }

    fn state(&mut self, point: &Point, state: &State<'_>, outcome: u32) {
        self.judged += 1;
        let (found, again) = self.found.get(outcome as usize).unwrap();
        let before = self.history.get(point.marks as usize).unwrap();
        let next = self.history.get(point.marks as usize + 1).unwrap_or(before);
        let least = match state.kind() {
            CrashKind::Kill => before.flushed,
            CrashKind::PowerCut => before.durable,
        };
        let is_right = [found, again].into_iter().all(|found| {
            found.is_part_of(&before.log, least)
                || found.is_part_of(&next.log, least)
                || next.is_deleted && found.messages.is_empty()
        });
        assert!(
            is_right,
            "{:?} lost {} effects behind {} operations, at least to {least}:\n{found:?}\n\
             {again:?}\nof {before:?}\nor {next:?}",
            state.kind(),
            state.lost_count(),
            point.marks,
        );
    }
}

fn check(ops: &[Op]) {
    for is_boot_unknown in [false, true] {
        check_with(ops, is_boot_unknown);
    }
}

fn check_with(ops: &[Op], is_boot_unknown: bool) {
    let mut run = Run::new(FaultPlan {
        is_boot_unknown,
        ..FaultPlan::default()
    });
    for op in [Op::Open].iter().chain(ops) {
        run.apply(*op).unwrap();
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
fn takeovers_of_what_an_original_left() {
    for fixture in super::support::fixtures() {
        let disk = Disk::with(&fixture.files);
        let mut writer = disk.open("topic-0", fixture.options).unwrap().writer;
        writer.put(b"on").unwrap();
        writer.flush(false).unwrap();
        let recording = disk.0.recording();
        for name in ["posix-min", "ext4-ordered"] {
            let limits = Limits {
                states_max: 300,
                samples: 20,
                ..Limits::default()
            };
            let mut visitor = Takeover(&fixture);
            walk(&recording, profile(name).unwrap(), &limits, 7, &mut visitor);
        }
    }
}

/// Opens every image of a log that an original left.
struct Takeover<'a>(&'a super::support::Fixture);

impl Visitor for Takeover<'_> {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        let disk = Disk(image.mount());
        let opened = disk.open("topic-0", self.0.options).unwrap();
        let damage = opened
            .losses
            .iter()
            .any(|loss| loss.kind == LossKind::Damaged);
        assert!(!damage, "{}: {:?}", self.0.title, opened.losses);
        assert_eq!(opened.writer.queue_start(), self.0.start);
        let messages = disk.messages("topic-0", &opened.writer);
        assert!(messages.starts_with(&self.0.messages), "{}", self.0.title);
        assert!(messages.len() <= self.0.messages.len() + 1);
        0
    }

    fn state(&mut self, _: &Point, _: &State<'_>, _: u32) {}
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
