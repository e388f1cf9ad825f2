//! Who runs next: drawn by the seed, in one of two ways.
//!
//! Half of the schedules draw anew at every step. The other half give every thread a priority, run
//! the first that can, and move the running one behind all others at a few drawn steps (PCT): few
//! changes in the right places find what many in random places do not.

use super::primitives::{Clock, SimPrimitives};
use crate::generate::Prng;
use shuttle::scheduler::{Schedule, Scheduler, Task, TaskId};
use shuttle::{Config, FailurePersistence, Runner};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};

/// The coroutine that lets time pass. The first one is the run itself.
const TIME: usize = 1;

/// Time passes without need at one step of so many.
const EARLY_ONE_IN: u32 = 16;

/// Steps of a run in which priorities change, and how often.
const CHANGES_WITHIN: u32 = 160;
const CHANGES: u32 = 3;

/// A run with more steps has no end in sight: only the background thread still goes on.
const STEPS_MAX: u32 = 20_000;

/// Bytes of the stack of a coroutine.
const STACK_BYTES: usize = 512 * 1024;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Everything that it started ended.
    Finished,
    /// Some waited, and nobody could wake them any more.
    Stuck,
}

/// Runs `body` once, with the schedule of `seed`. What it starts with the primitives is scheduled;
/// `body` must join all of it.
pub fn under_schedule(seed: u64, body: impl Fn(&SimPrimitives) + Send + Sync + 'static) -> Ended {
    take_no_notes_of_panics();
    let primitives = SimPrimitives::default();
    let end = Arc::new(End::default());
    let scheduler = Seeded::new(seed, Arc::clone(&primitives.clock), Arc::clone(&end));
    let mut config = Config::new();
    config.stack_size = STACK_BYTES;
    config.failure_persistence = FailurePersistence::None;
    config.silence_warnings = true;
    let told = Arc::clone(&end);
    let run = move || {
        let (clock, over) = (Arc::clone(&primitives.clock), Arc::clone(&told));
        let time = shuttle::thread::spawn(move || {
            while !over.is_over.load(Ordering::Relaxed) {
                clock.pass();
                shuttle::thread::yield_now();
            }
        });
        body(&primitives);
        told.is_over.store(true, Ordering::Relaxed);
        drop(time.join());
    };
    Runner::new(scheduler, config).run(run);
    if end.is_stuck.load(Ordering::Relaxed) {
        Ended::Stuck
    } else {
        Ended::Finished
    }
}

/// The runner's first run installs a hook that prints schedules at every panic of the process. It
/// is installed once, here, and taken out again.
fn take_no_notes_of_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let hook = std::panic::take_hook();
        let clock = Arc::new(Clock::default());
        let scheduler = Seeded::new(0, clock, Arc::default());
        Runner::new(scheduler, Config::new()).run(|| {});
        std::panic::set_hook(hook);
    });
}

/// How far a run has come to its end.
#[derive(Debug, Default)]
struct End {
    /// The body has returned.
    is_over: AtomicBool,
    /// It never will.
    is_stuck: AtomicBool,
}

#[derive(Debug)]
enum Way {
    /// Any that can run.
    Any,
    /// The first of this order that can run; the running one goes to the end at these steps.
    Ordered {
        order: Vec<usize>,
        changes: Vec<u32>,
    },
}

#[derive(Debug)]
struct Seeded {
    prng: Prng,
    way: Way,
    steps: u32,
    has_run: bool,
    clock: Arc<Clock>,
    end: Arc<End>,
}

impl Seeded {
    fn new(seed: u64, clock: Arc<Clock>, end: Arc<End>) -> Self {
        let mut prng = Prng::named(seed, "order of threads");
        let way = if prng.below(2) == 0 {
            Way::Any
        } else {
            let changes = (0..CHANGES).map(|_| prng.below(CHANGES_WITHIN));
            Way::Ordered {
                changes: changes.collect(),
                order: Vec::new(),
            }
        };
        Self {
            prng,
            way,
            steps: 0,
            has_run: false,
            clock,
            end,
        }
    }

    /// One of `runnable`, which is not empty.
    fn pick(&mut self, runnable: &[usize], current: Option<usize>) -> Option<usize> {
        let count = u32::try_from(runnable.len()).unwrap_or(u32::MAX);
        let Way::Ordered { order, changes } = &mut self.way else {
            return runnable.get(self.prng.below(count) as usize).copied();
        };
        for task in runnable {
            if !order.contains(task) {
                let places = u32::try_from(order.len()).unwrap_or(u32::MAX);
                let place = self.prng.below(places.saturating_add(1)) as usize;
                order.insert(place, *task);
            }
        }
        if let Some(current) = current.filter(|_| changes.contains(&self.steps)) {
            order.retain(|task| *task != current);
            order.push(current);
        }
        order.iter().copied().find(|task| runnable.contains(task))
    }
}

impl Scheduler for Seeded {
    fn new_execution(&mut self) -> Option<Schedule> {
        let is_first = !self.has_run;
        self.has_run = true;
        is_first.then(|| Schedule::new(0))
    }

    fn next_task(
        &mut self,
        runnable: &[&Task],
        current: Option<TaskId>,
        _is_yielding: bool,
    ) -> Option<TaskId> {
        self.steps += 1;
        if self.steps > STEPS_MAX {
            self.end.is_stuck.store(true, Ordering::Relaxed);
            return None;
        }
        let all = runnable.iter().map(|task| usize::from(task.id()));
        let others: Vec<usize> = all.filter(|task| *task != TIME).collect();
        let has_sleepers = self.clock.has_sleepers();
        if others.is_empty() {
            // Only time is left, which helps those alone who wait for it.
            let is_over = self.end.is_over.load(Ordering::Relaxed);
            if !is_over && !has_sleepers && current.map(usize::from) == Some(TIME) {
                self.end.is_stuck.store(true, Ordering::Relaxed);
                return None;
            }
            return Some(TaskId::from(TIME));
        }
        let time_can_run = others.len() < runnable.len();
        if time_can_run && has_sleepers && self.prng.below(EARLY_ONE_IN) == 0 {
            return Some(TaskId::from(TIME));
        }
        self.pick(&others, current.map(usize::from))
            .map(TaskId::from)
    }

    fn next_u64(&mut self) -> u64 {
        self.prng.draw()
    }
}
