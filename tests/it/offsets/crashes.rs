//! Every crash that a disk may have within short runs: what opening finds is the last snapshot
//! that was acknowledged or the one in flight, and an open is durable.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::run::{After, Op, Run};
use super::support::{Disk, fixtures, options, queue};
use crashline::offsets::{Dialect, Source, Table};
use crashline_sim::crash::{Image, Limits, Point, State, Visitor, profile, walk};
use crashline_sim::fault::FaultPlan;

const PROFILES: [&str; 4] = ["posix-min", "ext4-ordered", "strict-prefix", "xfs"];

/// Opens every image, and judges every state by what was acknowledged before.
struct Judge<'a> {
    history: &'a [After],
    dialect: Dialect,
    found: Vec<Table>,
    judged: u64,
}

impl Judge<'_> {
    /// What opening finds, which a power cut right behind it does not change.
    fn open(&self, disk: &Disk) -> Table {
        let options = options(self.dialect);
        let before = disk.tree();
        let looked = disk.look_as(options);
        assert_eq!(disk.tree(), before, "looking writes nothing");
        let mut opened = disk.open_as(options).unwrap();
        assert!(opened.losses.is_empty(), "{:?}", opened.losses);
        assert_ne!(opened.source, Source::Lost);
        assert_eq!(opened.kept_aside, 0);
        let found = opened.store.table().unwrap().clone();
        assert_eq!(looked.store.table().unwrap(), &found, "looking shows it");
        assert_eq!(looked.source, opened.source);
        let left = disk.names().into_iter().find(|name| name.contains(".tmp"));
        assert_eq!(left, None, "what a crash left is removed");
        let cut = disk.after_power_cut();
        assert_eq!(
            cut.look_as(options).store.table().unwrap(),
            &found,
            "an open is durable"
        );

        let store = &mut opened.store;
        store.update(&queue(9), 9, false).unwrap();
        assert!(store.persist(&[queue(9)]).unwrap().wrote);
        let mut grown = found.clone();
        grown.insert(queue(9), 9);
        let cut = disk.after_power_cut();
        assert_eq!(
            cut.look_as(options).store.table().unwrap(),
            &grown,
            "a persist is durable"
        );
        found
    }
}

impl Visitor for Judge<'_> {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        let disk = Disk(image.mount());
        let found = self.open(&disk);
        self.found.push(found);
        u32::try_from(self.found.len() - 1).unwrap()
    }

    fn state(&mut self, point: &Point, state: &State<'_>, outcome: u32) {
        self.judged += 1;
        let found = self.found.get(outcome as usize).unwrap();
        let before = self.history.get(point.marks as usize).unwrap();
        let next = self.history.get(point.marks as usize + 1).unwrap_or(before);
        assert!(
            before.allows(found) || next.allows(found),
            "{:?} lost {} effects behind {} operations: {found:?} of {before:?} or {next:?}",
            state.kind(),
            state.lost_count(),
            point.marks,
        );
    }
}

fn check_on(disk: Disk, dialect: Dialect, file: Table, ops: &[Op]) {
    let mut run = Run::new(disk, dialect, file, FaultPlan::default());
    for op in [Op::Open].iter().chain(ops) {
        run.apply(*op).unwrap();
    }
    let recording = run.disk.0.recording();
    let limits = Limits {
        states_max: 300,
        samples: 20,
        ..Limits::default()
    };
    for name in PROFILES {
        let mut judge = Judge {
            history: &run.history,
            dialect,
            found: Vec::new(),
            judged: 0,
        };
        let summary = walk(&recording, profile(name).unwrap(), &limits, 7, &mut judge);
        assert!(judge.judged > summary.points, "{ops:?}: {summary:?}");
    }
}

fn check(ops: &[Op]) {
    for dialect in [Dialect::Go, Dialect::Java] {
        check_on(Disk::empty(), dialect, Table::new(), ops);
    }
}

use Op::{Close, Increase, Kill, Open, Persist, PersistAll, Remove, Update};

#[test]
fn the_first_persist() {
    check(&[Update(0, 5), Persist(&[0])]);
    check(&[Update(0, 5), Update(1, 6), PersistAll, Close]);
    check(&[PersistAll, Update(0, 1), Close]);
}

#[test]
fn persists_one_after_the_other() {
    check(&[
        Update(0, 5),
        Persist(&[0]),
        Update(1, 7),
        Increase(0, 9),
        Persist(&[1]),
        Update(0, 2),
        PersistAll,
    ]);
    check(&[
        Update(0, 5),
        Update(1, 6),
        PersistAll,
        Remove(0),
        Persist(&[0, 1]),
        PersistAll,
        Close,
    ]);
}

#[test]
fn kills_and_reopens() {
    check(&[
        Update(0, 5),
        PersistAll,
        Update(0, 6),
        Kill,
        Update(1, 7),
        Persist(&[1, 2]),
        Kill,
        Close,
        Open,
        Increase(1, 3),
        Close,
    ]);
}

#[test]
fn takeovers_of_what_a_client_left() {
    for fixture in fixtures() {
        let name = match fixture.dialect {
            Dialect::Go => "offset.json",
            Dialect::Java => "offsets.json",
        };
        let backup = format!("{name}.bak");
        for files in [
            // As the Go client leaves it, as the Java client does, and without a backup.
            vec![(name, fixture.bytes.as_slice()), (backup.as_str(), &[])],
            vec![
                (name, fixture.bytes.as_slice()),
                (backup.as_str(), &fixture.bytes),
            ],
            vec![(name, fixture.bytes.as_slice())],
        ] {
            let ops = [Update(0, 5000), Persist(&[0]), Close];
            let disk = Disk::with(&files);
            check_on(disk, fixture.dialect, fixture.table.clone(), &ops);
        }
    }
}

#[test]
fn takeovers_of_what_a_dying_client_left() {
    let fixture = fixtures().swap_remove(0);
    let temporary = "offset.json.tmp";
    // It died between removing the file and renaming the new one.
    for backup in [None, Some(b"".as_slice()), Some(b"{\"offsetTable\":{}}")] {
        let mut files = vec![(temporary, fixture.bytes.as_slice())];
        files.extend(backup.map(|bytes| ("offset.json.bak", bytes)));
        let ops = [Update(0, 5000), Persist(&[0])];
        check_on(Disk::with(&files), Dialect::Go, fixture.table.clone(), &ops);
    }
}
