//! Many lanes of work on a few threads, with a result that does not depend on the threads.
//!
//! A lane is one engine on one profile in one kind of run; its items are numbered scenarios. Items
//! run in any order, but are folded strictly by number, and a lane ends at the item whose fold
//! says so: what ran beyond it is thrown away. So the folded results are a function of the plan.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A lane's results so far, folded in order.
pub(crate) trait Lane: Send {
    /// What one item gives.
    type Item: Send;

    /// Takes the next item in order; `false` ends the lane.
    fn fold(&mut self, item: Self::Item) -> bool;

    /// Whether another lane has made all that would still come needless.
    fn is_over(&self) -> bool {
        false
    }
}

struct Slot<L: Lane> {
    lane: L,
    next: u64,
    folded: u64,
    waiting: BTreeMap<u64, L::Item>,
    done: bool,
}

struct Shared<L: Lane> {
    slots: Vec<Slot<L>>,
    turn: usize,
}

/// Runs all lanes to their end on `jobs` threads, or until `stop` is set. `run(lane, item)` makes
/// an item. `after` is called after every fold. Returns the lanes, and whether all of them ended
/// by themselves.
pub(crate) fn run_lanes<L: Lane>(
    lanes: Vec<L>,
    jobs: usize,
    stop: &AtomicBool,
    run: &(dyn Fn(usize, u64) -> L::Item + Sync),
    after: &(dyn Fn(&L) + Sync),
) -> (Vec<L>, bool) {
    let slots = lanes
        .into_iter()
        .map(|lane| Slot {
            lane,
            next: 0,
            folded: 0,
            waiting: BTreeMap::new(),
            done: false,
        })
        .collect();
    let shared = Mutex::new(Shared { slots, turn: 0 });
    let finished = Condvar::new();
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| work(&shared, &finished, jobs.max(1) as u64, stop, run, after));
        }
    });
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    let complete = shared.slots.iter().all(|slot| slot.done);
    (
        shared.slots.into_iter().map(|slot| slot.lane).collect(),
        complete,
    )
}

fn work<L: Lane>(
    shared: &Mutex<Shared<L>>,
    finished: &Condvar,
    ahead_max: u64,
    stop: &AtomicBool,
    run: &(dyn Fn(usize, u64) -> L::Item + Sync),
    after: &(dyn Fn(&L) + Sync),
) {
    let mut guard = lock(shared);
    while !stop.load(Ordering::Relaxed) {
        let Some((lane, item)) = claim(&mut guard, ahead_max) else {
            if guard.slots.iter().all(|slot| slot.done) {
                break;
            }
            // Every open lane waits for an item that another thread is at.
            guard = finished.wait(guard).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        drop(guard);
        let result = run(lane, item);
        guard = lock(shared);
        if let Some(slot) = guard.slots.get_mut(lane) {
            slot.waiting.insert(item, result);
            fold_what_is_next(slot, after);
        }
        finished.notify_all();
    }
    drop(guard);
    finished.notify_all();
}

/// The next item of the lane whose turn it is; a lane never runs far ahead of its fold.
fn claim<L: Lane>(shared: &mut Shared<L>, ahead_max: u64) -> Option<(usize, u64)> {
    let count = shared.slots.len();
    for step in 0..count {
        let lane = (shared.turn + step) % count;
        let slot = shared.slots.get_mut(lane)?;
        slot.done |= slot.lane.is_over();
        if !slot.done && slot.next < slot.folded + ahead_max {
            slot.next += 1;
            let item = slot.next - 1;
            shared.turn = lane + 1;
            return Some((lane, item));
        }
    }
    None
}

fn fold_what_is_next<L: Lane>(slot: &mut Slot<L>, after: &(dyn Fn(&L) + Sync)) {
    while !slot.done
        && let Some(item) = slot.waiting.remove(&slot.folded)
    {
        slot.folded += 1;
        slot.done = !slot.lane.fold(item);
        after(&slot.lane);
    }
}

fn lock<L: Lane>(shared: &Mutex<Shared<L>>) -> MutexGuard<'_, Shared<L>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sum {
        limit: u64,
        items: Vec<u64>,
    }

    impl Lane for Sum {
        type Item = u64;

        fn fold(&mut self, item: u64) -> bool {
            self.items.push(item);
            self.items.iter().sum::<u64>() < self.limit
        }
    }

    fn run(jobs: usize) -> Vec<Vec<u64>> {
        let lanes = vec![
            Sum {
                limit: 100,
                items: vec![],
            },
            Sum {
                limit: 7,
                items: vec![],
            },
        ];
        let stop = AtomicBool::new(false);
        let item = |lane: usize, item: u64| (lane as u64 + 1) * item;
        let (lanes, complete) = run_lanes(lanes, jobs, &stop, &item, &|_| ());
        assert!(complete);
        lanes.into_iter().map(|lane| lane.items).collect()
    }

    #[test]
    fn threads_change_nothing() {
        let alone = run(1);
        assert_eq!(alone[1], [0, 2, 4, 6]);
        for jobs in 2..6 {
            assert_eq!(run(jobs), alone);
        }
    }

    #[test]
    fn a_stop_leaves_lanes_unfinished() {
        let stop = AtomicBool::new(true);
        let lanes = vec![Sum {
            limit: 1,
            items: vec![],
        }];
        let (lanes, complete) = run_lanes(lanes, 2, &stop, &|_, _| 1, &|_| ());
        assert!(!complete && lanes[0].items.is_empty());
    }
}
