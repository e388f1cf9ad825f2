//! Every call of short runs fails once, in several ways: an operation that fails says so, nothing
//! acknowledged is lost, and the store goes on.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::run::{Op, Run};
use super::support::{Disk, fixtures, options, queue};
use crashline::offsets::{Dialect, Table};
use crashline_sim::crash::{profile, worst};
use crashline_sim::fault::FaultPlan;

/// How a call fails; the number of the call goes before it.
const KINDS: &[&str] = &[
    "any on *: EIO",
    "change on *: ENOSPC",
    "write_at on *: EIO after 3 bytes",
    "write_at on *: ENOSPC after 20 bytes",
    "sync on *: EIO, clean",
    "sync on *: EIO, reverted",
    "sync on *: ENOSPC, next",
    "any on *: EINTR",
    "read_at on *: short 5 bytes",
];

/// Opens what a crash leaves now, and compares it with what is known.
fn crash(run: &Run, disk: &Disk, what: &str) {
    let opened = disk.open_as(options(run.dialect)).unwrap();
    assert!(opened.losses.is_empty(), "{what}: {:?}", opened.losses);
    let found = opened.store.table().unwrap();
    assert!(
        run.now().allows(found),
        "{what}: {found:?} of {:?}",
        run.now()
    );
}

fn power_cut(run: &Run) -> Disk {
    Disk(worst(
        &run.disk.0.recording(),
        profile("posix-min").unwrap(),
    ))
}

/// Opens, at the second attempt if the fault strikes here.
fn reopen(run: &mut Run) {
    if run.apply(Op::Open).is_err() {
        run.apply(Op::Open).unwrap();
    }
}

fn run_with(start: &Start, ops: &[Op], line: &str) -> bool {
    let plan = FaultPlan::parse(&[line.to_owned()]).unwrap();
    let disk = Disk::with(&start.files());
    let mut run = Run::new(disk, start.dialect, start.table.clone(), plan);
    let mut failed = 0;
    for op in [Op::Open].iter().chain(ops) {
        let what = format!("{op:?} of {ops:?}, {line}");
        if !run.is_open() && !matches!(op, Op::Open | Op::Kill) {
            reopen(&mut run);
        }
        if run.apply(*op).is_err() {
            failed += 1;
            assert!(failed < 2, "{what}: one fault, {failed} errors");
            let killed = run.disk.0.tree();
            let killed = Disk(crashline_sim::simfs::SimFs::from_tree(&killed).unwrap());
            crash(&run, &killed, &format!("a kill after {what}"));
            crash(&run, &power_cut(&run), &format!("a power cut after {what}"));
        }
    }
    let what = format!("{ops:?}, {line}");
    if !run.is_open() {
        reopen(&mut run);
    }
    run.apply(Op::Update(2, 77)).unwrap();
    if run.apply(Op::PersistAll).is_err() {
        run.apply(Op::PersistAll).unwrap();
    }
    for _ in 0..2 {
        let cut = power_cut(&run);
        let opened = cut.open_as(options(run.dialect)).unwrap();
        assert_eq!(opened.store.table().unwrap(), &run.now().table, "{what}");
        let left = cut.names().into_iter().find(|name| name.contains(".tmp"));
        assert_eq!(left, None, "{what}");
        if run.is_open() && run.apply(Op::Close).is_err() {
            run.apply(Op::Close).unwrap();
        }
    }
    run.faults.fired_count() > 0
}

/// What lies there first.
struct Start {
    dialect: Dialect,
    main: Option<Vec<u8>>,
    table: Table,
}

impl Start {
    fn files(&self) -> Vec<(&str, &[u8])> {
        let name = match self.dialect {
            Dialect::Go => "offset.json",
            Dialect::Java => "offsets.json",
        };
        self.main
            .iter()
            .map(|bytes| (name, bytes.as_slice()))
            .collect()
    }
}

fn check(start: &Start, ops: &[Op]) {
    for kind in KINDS {
        let mut call = 1;
        while run_with(start, ops, &format!("{call} {kind}")) {
            call += 1;
            assert!(call < 2000, "{ops:?}: {kind}");
        }
        assert!(call > 3, "{ops:?}: {kind} fired {call} times");
    }
}

use Op::{Close, Kill, Open, Persist, PersistAll, Update};

const OPS: &[Op] = &[
    Update(0, 5),
    Persist(&[0]),
    Update(1, 6),
    PersistAll,
    Update(0, 7),
    Kill,
    Persist(&[0]),
    Update(0, 8),
    Close,
    Open,
    Update(1, 1),
    Persist(&[1]),
];

#[test]
fn a_new_store() {
    let start = Start {
        dialect: Dialect::Go,
        main: None,
        table: Table::new(),
    };
    check(&start, OPS);
}

#[test]
fn stores_that_clients_left() {
    for fixture in fixtures() {
        let start = Start {
            dialect: fixture.dialect,
            main: Some(fixture.bytes),
            table: fixture.table,
        };
        check(&start, OPS);
    }
}

#[test]
fn a_full_disk_is_said_and_passes() {
    let plan = FaultPlan::parse(&["3- write_at on *: ENOSPC".to_owned()]).unwrap();
    let mut run = Run::new(Disk::empty(), Dialect::Go, Table::new(), plan);
    for op in [Open, Update(0, 5), PersistAll, Update(0, 6)] {
        run.apply(op).unwrap();
    }
    for _ in 0..20 {
        let error = run.apply(Persist(&[0])).unwrap_err();
        assert!(error.is_full_disk(), "{error}");
        assert!(!run.disk.names().contains(&"offset.json.tmp".to_owned()));
    }
    let full = Disk(run.disk.0.clone());
    drop(full.look_as(options(Dialect::Go)));
    run.faults.heal();
    run.apply(Persist(&[0])).unwrap();
    assert_eq!(power_cut(&run).store().table().unwrap()[&queue(0)], 6);
}
