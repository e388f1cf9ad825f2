//! What the shared handle asks of the machine: mutual exclusion, waiting, threads and the time.
//!
//! The one module of the crate that names threads and the clock. Everything else in `shared` goes
//! through [`Primitives`], so that a model checker puts its own in their place and decides who
//! runs when and how time passes.
#![expect(
    clippy::disallowed_methods,
    reason = "this file is the door to the machine's threads and clock"
)]

use std::fmt;
use std::io;
use std::ops::DerefMut;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Mutual exclusion, waiting, threads and the time.
pub trait Primitives: fmt::Debug + Send + Sync + 'static {
    /// Guards a value.
    type Mutex<T: Send + 'static>: Send + Sync + 'static;
    /// Holds a mutex that is locked.
    type Guard<'a, T: Send + 'static>: DerefMut<Target = T>;
    /// What threads wait at.
    type Condvar: Send + Sync + 'static;
    /// A thread that was started.
    type Thread: Send + 'static;

    /// A mutex that nobody holds.
    fn mutex<T: Send + 'static>(&self, value: T) -> Self::Mutex<T>;

    /// Waits until nobody else holds the mutex, and takes it. A thread that panicked while it held
    /// the mutex changes nothing: the next one finds the value as it was left.
    fn lock<T: Send + 'static>(mutex: &Self::Mutex<T>) -> Self::Guard<'_, T>;

    /// A condition that nobody waits at.
    fn condvar(&self) -> Self::Condvar;

    /// Lets go of the mutex, waits for a notification and takes the mutex again, the first two in
    /// one step. May return without a notification.
    fn wait<'a, T: Send + 'static + 'a>(
        condvar: &Self::Condvar,
        guard: Self::Guard<'a, T>,
    ) -> Self::Guard<'a, T>;

    /// As [`Primitives::wait`], and returns once `timeout` has passed.
    fn wait_timeout<'a, T: Send + 'static + 'a>(
        &self,
        condvar: &Self::Condvar,
        guard: Self::Guard<'a, T>,
        timeout: Duration,
    ) -> Self::Guard<'a, T>;

    /// Wakes one of those that wait, if there are any.
    fn notify_one(condvar: &Self::Condvar);

    /// Wakes all that wait.
    fn notify_all(condvar: &Self::Condvar);

    /// Starts a thread.
    ///
    /// # Errors
    /// When the system has no more threads.
    fn spawn(&self, name: &str, body: impl FnOnce() + Send + 'static) -> io::Result<Self::Thread>;

    /// Waits until a thread has ended.
    fn join(thread: Self::Thread);

    /// The time since any start. It never goes back.
    fn now(&self) -> Duration;
}

/// The standard library's.
#[derive(Debug, Clone, Copy)]
pub struct StdPrimitives {
    start: Instant,
}

impl Default for StdPrimitives {
    /// Time starts now.
    fn default() -> Self {
        Self {
            start: Instant::now(),
        }
    }
}

impl Primitives for StdPrimitives {
    type Mutex<T: Send + 'static> = Mutex<T>;
    type Guard<'a, T: Send + 'static> = MutexGuard<'a, T>;
    type Condvar = Condvar;
    type Thread = JoinHandle<()>;

    fn mutex<T: Send + 'static>(&self, value: T) -> Mutex<T> {
        Mutex::new(value)
    }

    fn lock<T: Send + 'static>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn condvar(&self) -> Condvar {
        Condvar::new()
    }

    fn wait<'a, T: Send + 'static + 'a>(
        condvar: &Condvar,
        guard: MutexGuard<'a, T>,
    ) -> MutexGuard<'a, T> {
        condvar.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_timeout<'a, T: Send + 'static + 'a>(
        &self,
        condvar: &Condvar,
        guard: MutexGuard<'a, T>,
        timeout: Duration,
    ) -> MutexGuard<'a, T> {
        let waited = condvar.wait_timeout(guard, timeout);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn notify_one(condvar: &Condvar) {
        condvar.notify_one();
    }

    fn notify_all(condvar: &Condvar) {
        condvar.notify_all();
    }

    fn spawn(
        &self,
        name: &str,
        body: impl FnOnce() + Send + 'static,
    ) -> io::Result<JoinHandle<()>> {
        std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(body)
    }

    fn join(thread: JoinHandle<()>) {
        // A thread that panicked has said so; nothing is left of it to wait for.
        drop(thread.join());
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }
}
