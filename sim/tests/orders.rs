//! The shared handle under thousands of orders of its threads, drawn and in order of priority.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use crashline::diskqueue::{DiskQueue, Error, Options};
use crashline::fs::Fs;
use crashline::shared::{Primitives, SharedQueue};
use crashline_sim::explore::{ExploreLimits, explore};
use crashline_sim::fault::{FaultFs, FaultPlan};
use crashline_sim::generate::sequence;
use crashline_sim::orders::{Ended, SimPrimitives, under_schedule};
use crashline_sim::scenario::{Clause, RunKind};
use crashline_sim::simfs::SimFs;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const ORDERS: u64 = 1_500;

type Queue = SharedQueue<SimPrimitives>;

/// A queue on a fresh disk whose calls fail by `plan`.
fn queue(primitives: &SimPrimitives, plan: &[&str], sync_every: u64) -> (Queue, FaultFs, SimFs) {
    let sim = SimFs::new();
    sim.create_dir(Path::new("/data")).unwrap();
    sim.sync_dir(Path::new("/")).unwrap();
    let lines: Vec<String> = plan.iter().map(|line| (*line).to_owned()).collect();
    let faults = FaultFs::over_sim(sim.clone(), FaultPlan::parse(&lines).unwrap());
    let fs: Arc<dyn Fs> = Arc::new(faults.clone());
    let options = Options {
        sync_every,
        sync_timeout_ms: 10,
        ..Options::default()
    };
    let opened = DiskQueue::open(fs, Path::new("/data"), OsStr::new("queue"), options);
    let queue = opened.unwrap().queue;
    let shared = SharedQueue::with_primitives(queue, primitives.clone());
    (shared, faults, sim)
}

/// Runs `body` under many orders; all of them must come to their end.
fn in_many_orders(body: fn(&SimPrimitives)) {
    for seed in 0..ORDERS {
        assert_eq!(under_schedule(seed, body), Ended::Finished, "seed {seed}");
    }
}

fn start(
    primitives: &SimPrimitives,
    queue: &Queue,
    body: impl FnOnce(Queue) + Send + 'static,
) -> <SimPrimitives as Primitives>::Thread {
    let queue = queue.clone();
    primitives.spawn("thread", move || body(queue)).unwrap()
}

#[test]
fn producers_keep_their_order_and_nothing_is_lost() {
    in_many_orders(|primitives| {
        let (queue, _, _) = queue(primitives, &[], 2);
        let seen = Arc::new(Mutex::new(Vec::new()));
        let mut threads = Vec::new();
        for producer in 0..3_u8 {
            threads.push(start(primitives, &queue, move |queue| {
                queue.put(&[producer, 0]).unwrap();
                queue.put_batch(&[[producer, 1], [producer, 2]]).unwrap();
                queue.put(&[producer, 3]).unwrap();
            }));
        }
        let seen_by_one = Arc::clone(&seen);
        threads.push(start(primitives, &queue, move |queue| {
            for _ in 0..12 {
                let message = queue.read().unwrap();
                seen_by_one.lock().unwrap().push(message);
            }
        }));
        threads.into_iter().for_each(SimPrimitives::join);
        queue.close().unwrap();
        let seen = seen.lock().unwrap();
        for producer in 0..3 {
            let own = seen.iter().filter(|message| message[0] == producer);
            assert!(own.map(|message| message[1]).eq(0..4), "{seen:?}");
        }
        // Nobody's message comes between those of a batch.
        let mut pairs = seen.windows(2).filter(|pair| pair[0][1] == 1);
        assert!(pairs.all(|pair| pair[1] == [pair[0][0], 2]), "{seen:?}");
    });
}

#[test]
fn a_close_wakes_everybody_and_ends_everything() {
    in_many_orders(|primitives| {
        let (queue, _, _) = queue(primitives, &[], 1);
        let reader = |queue: Queue| {
            while let Ok(message) = queue.read() {
                assert_eq!(message, b"one");
            }
            assert!(matches!(queue.read(), Err(Error::Closed)));
        };
        let threads = [
            start(primitives, &queue, reader),
            start(primitives, &queue, reader),
            start(primitives, &queue, |queue| {
                let put = queue.put(b"one");
                assert!(matches!(put, Ok(()) | Err(Error::Closed)));
            }),
            start(primitives, &queue, |queue| {
                let waited = queue.read_timeout(Duration::from_secs(1));
                assert!(matches!(waited, Ok(_) | Err(Error::Closed)));
            }),
            start(primitives, &queue, |queue| queue.close().unwrap()),
        ];
        threads.into_iter().for_each(SimPrimitives::join);
        assert!(matches!(queue.put(b"late"), Err(Error::Closed)));
        assert!(matches!(queue.sync(), Err(Error::Closed)));
    });
}

#[test]
fn a_read_waits_as_long_as_it_was_told() {
    in_many_orders(|primitives| {
        let (queue, _, _) = queue(primitives, &[], 1);
        let before = primitives.now();
        let none = queue.read_timeout(Duration::from_millis(30)).unwrap();
        assert_eq!(none, None);
        assert_eq!(primitives.now() - before, Duration::from_millis(30));
        queue.close().unwrap();
    });
}

#[test]
fn a_group_shares_its_sync() {
    static SYNCS: AtomicU64 = AtomicU64::new(0);
    in_many_orders(|primitives| {
        let (queue, _, sim) = queue(primitives, &[], 1);
        sim.set_call_log(true);
        let threads: Vec<_> = (0..4)
            .map(|_| start(primitives, &queue, |queue| queue.put(b"durable").unwrap()))
            .collect();
        threads.into_iter().for_each(SimPrimitives::join);
        let calls = sim.calls();
        let segment = |path: &Path| path.extension() == Some(OsStr::new("dat"));
        let syncs = calls
            .iter()
            .filter(|call| call.name == "sync_data" && segment(&call.path));
        let syncs = syncs.count() as u64;
        assert!((1..=4).contains(&syncs), "{syncs}");
        SYNCS.fetch_add(syncs, Ordering::Relaxed);
        queue.close().unwrap();
    });
    let syncs = SYNCS.load(Ordering::Relaxed);
    assert!(syncs < ORDERS * 4, "{syncs} syncs for {} puts", ORDERS * 4);
}

#[test]
fn the_error_of_an_owed_sync_reaches_one_sync_or_close() {
    in_many_orders(|primitives| {
        let plan = ["1 sync on *.??????.dat: EIO, clean"];
        let (queue, faults, _) = queue(primitives, &plan, 1);
        let failures = Arc::new(AtomicU64::new(0));
        let mut threads = Vec::new();
        for _ in 0..2 {
            threads.push(start(primitives, &queue, |queue| {
                queue.put(b"one").unwrap()
            }));
            let failures = Arc::clone(&failures);
            threads.push(start(primitives, &queue, move |queue| {
                let failed = u64::from(queue.sync().is_err());
                failures.fetch_add(failed, Ordering::Relaxed);
            }));
        }
        threads.into_iter().for_each(SimPrimitives::join);
        faults.heal();
        let failed = u64::from(queue.close().is_err());
        assert_eq!(failures.load(Ordering::Relaxed) + failed, 1);
        assert_eq!(faults.fired_count(), 1);
    });
}

/// How many messages are left where a disk lost everything that was not durable.
fn durable_depth(sim: &SimFs) -> u64 {
    let profile = crashline_sim::crash::profile("posix-min").unwrap();
    let left = crashline_sim::crash::worst(&sim.recording(), profile);
    let fs: Arc<dyn Fs> = Arc::new(left);
    let options = Options::default();
    let opened = DiskQueue::open(fs, Path::new("/data"), OsStr::new("queue"), options);
    opened.unwrap().queue.depth().unwrap()
}

#[test]
fn the_background_thread_does_the_syncs_that_are_due() {
    in_many_orders(|primitives| {
        let (queue, _, sim) = queue(primitives, &[], 1_000);
        queue.start_ticker(Duration::from_millis(4)).unwrap();
        let producer = start(primitives, &queue, |queue| queue.put(b"one").unwrap());
        SimPrimitives::join(producer);
        assert_eq!(queue.read().unwrap(), b"one");
        // A tick may be late where its thread gets no turn, but not for ever.
        let is_durable = (0..20).any(|_| {
            let waited = queue.read_timeout(Duration::from_millis(20));
            assert_eq!(waited.unwrap(), None);
            durable_depth(&sim) == 0
        });
        assert!(is_durable);
        // The last handle ends the thread.
        drop(queue);
    });
}

#[test]
fn generated_programs_break_nothing() {
    let mut recovered = 0;
    for index in 0..40 {
        let scenario = sequence("shared-diskqueue", 7, index, RunKind::Orders, "posix-min");
        let explored = explore(&scenario, &ExploreLimits::default()).unwrap();
        assert!(explored.broken.is_empty(), "{:?}", explored.broken);
        recovered += explored.states_recovered;
    }
    assert!(recovered > 1_000, "{recovered}");
}

#[test]
fn every_defect_of_the_handle_is_found() {
    for info in crashline::shared::QUIRKS {
        let clause: Clause = info.clause.parse().unwrap();
        let found = (0..300).any(|index| {
            let run = RunKind::Orders;
            let mut scenario = sequence("shared-diskqueue", 3, index, run, "strict-prefix");
            scenario.quirks = vec![info.name.to_owned()];
            let explored = explore(&scenario, &ExploreLimits::default()).unwrap();
            explored.broken.contains_key(&clause)
        });
        assert!(found, "{} does not break {clause}", info.name);
    }
}

#[test]
fn an_order_is_a_function_of_its_seed() {
    for index in 0..20 {
        let scenario = sequence("shared-diskqueue", 5, index, RunKind::Orders, "posix-min");
        let limits = ExploreLimits::default();
        let one = explore(&scenario, &limits).unwrap();
        let other = explore(&scenario, &limits).unwrap();
        assert_eq!(one.digest, other.digest, "{index}");
        assert_eq!(one.states_judged, other.states_judged);
    }
}
