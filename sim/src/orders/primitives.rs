//! The primitives of the shared handle as coroutines of one thread, with a clock that stands still
//! until it is moved.

use crashline::shared::Primitives;
use shuttle::sync::{Condvar, Mutex, MutexGuard};
use shuttle::thread::JoinHandle;
use std::fmt;
use std::io;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// Primitives whose every step is a choice of the scheduler. Clones have one clock.
#[derive(Debug, Clone, Default)]
pub struct SimPrimitives {
    pub(super) clock: Arc<Clock>,
}

/// The time of one run, and who waits for it. Its own mutex is no choice of the scheduler.
#[derive(Default)]
pub(super) struct Clock {
    time: std::sync::Mutex<Time>,
}

#[derive(Default)]
struct Time {
    now: Duration,
    next: u64,
    sleepers: Vec<Sleeper>,
}

/// Who waits for a time. It stays until it has woken up: one that was told too early is told again.
struct Sleeper {
    id: u64,
    until: Duration,
    condvar: Arc<Condvar>,
}

impl fmt::Debug for Clock {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.lock();
        write!(to, "{:?}, {} wait", time.now, time.sleepers.len())
    }
}

impl Clock {
    fn lock(&self) -> std::sync::MutexGuard<'_, Time> {
        self.time.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn now(&self) -> Duration {
        self.lock().now
    }

    /// Whether anybody waits for a time.
    pub(super) fn has_sleepers(&self) -> bool {
        !self.lock().sleepers.is_empty()
    }

    /// Moves on to the next time that anybody waits for, and wakes all that waited for it.
    pub(super) fn pass(&self) {
        let due: Vec<Arc<Condvar>> = {
            let mut time = self.lock();
            let Some(next) = time.sleepers.iter().map(|sleeper| sleeper.until).min() else {
                return;
            };
            time.now = time.now.max(next);
            let now = time.now;
            let due = time.sleepers.iter().filter(|sleeper| sleeper.until <= now);
            due.map(|sleeper| Arc::clone(&sleeper.condvar)).collect()
        };
        for condvar in due {
            condvar.notify_all();
        }
    }

    fn fall_asleep(&self, condvar: &Arc<Condvar>, timeout: Duration) -> u64 {
        let mut time = self.lock();
        time.next += 1;
        let sleeper = Sleeper {
            id: time.next,
            until: time.now.saturating_add(timeout),
            condvar: Arc::clone(condvar),
        };
        time.sleepers.push(sleeper);
        time.next
    }

    fn wake_up(&self, id: u64) {
        self.lock().sleepers.retain(|sleeper| sleeper.id != id);
    }
}

impl Primitives for SimPrimitives {
    type Mutex<T: Send + 'static> = Mutex<T>;
    type Guard<'a, T: Send + 'static> = MutexGuard<'a, T>;
    type Condvar = Arc<Condvar>;
    type Thread = JoinHandle<()>;

    fn mutex<T: Send + 'static>(&self, value: T) -> Mutex<T> {
        Mutex::new(value)
    }

    fn lock<T: Send + 'static>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn condvar(&self) -> Arc<Condvar> {
        Arc::new(Condvar::new())
    }

    fn wait<'a, T: Send + 'static + 'a>(
        condvar: &Arc<Condvar>,
        guard: MutexGuard<'a, T>,
    ) -> MutexGuard<'a, T> {
        condvar.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_timeout<'a, T: Send + 'static + 'a>(
        &self,
        condvar: &Arc<Condvar>,
        guard: MutexGuard<'a, T>,
        timeout: Duration,
    ) -> MutexGuard<'a, T> {
        let id = self.clock.fall_asleep(condvar, timeout);
        let guard = Self::wait(condvar, guard);
        self.clock.wake_up(id);
        guard
    }

    fn notify_one(condvar: &Arc<Condvar>) {
        condvar.notify_one();
    }

    fn notify_all(condvar: &Arc<Condvar>) {
        condvar.notify_all();
    }

    fn spawn(
        &self,
        name: &str,
        body: impl FnOnce() + Send + 'static,
    ) -> io::Result<JoinHandle<()>> {
        let builder = shuttle::thread::Builder::new().name(name.to_owned());
        builder.spawn(body)
    }

    fn join(thread: JoinHandle<()>) {
        drop(thread.join());
    }

    fn now(&self) -> Duration {
        self.clock.now()
    }
}
