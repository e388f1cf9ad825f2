//! [`SharedQueue`]: the operations, for any number of threads.

use super::inner::{Inner, Until};
use super::primitives::{Primitives, StdPrimitives};
use super::quirks::Quirks;
use crate::diskqueue::{Applied, DiskQueue, Error};
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A handle of a [`DiskQueue`] that any number of threads use at the same time. Clones are handles
/// of the same queue. Dropping the last one writes nothing, as when its process dies: call
/// [`SharedQueue::close`].
pub struct SharedQueue<P: Primitives = StdPrimitives> {
    shared: Arc<Shared<P>>,
}

/// Lives as long as a handle does; the background thread has only what is inside.
struct Shared<P: Primitives> {
    inner: Arc<Inner<P>>,
}

impl<P: Primitives> Drop for Shared<P> {
    fn drop(&mut self) {
        self.inner.end_ticker();
    }
}

impl SharedQueue {
    /// Shares a queue between threads.
    #[must_use]
    pub fn new(queue: DiskQueue) -> Self {
        Self::with_primitives(queue, StdPrimitives::default())
    }
}

impl<P: Primitives> SharedQueue<P> {
    /// Shares a queue between the threads of other primitives than the standard library's.
    #[must_use]
    pub fn with_primitives(queue: DiskQueue, primitives: P) -> Self {
        Self::with_quirks(queue, primitives, Quirks::default())
    }

    /// The same, with defects put back.
    #[must_use]
    pub fn with_quirks(queue: DiskQueue, primitives: P, quirks: Quirks) -> Self {
        let inner = Arc::new(Inner::new(queue, primitives, quirks));
        Self {
            shared: Arc::new(Shared { inner }),
        }
    }

    fn inner(&self) -> &Inner<P> {
        &self.shared.inner
    }

    /// Puts a message at the end. Messages that other threads put meanwhile may be written and
    /// synced together with it.
    ///
    /// # Errors
    /// As [`DiskQueue::put`], for this message alone.
    pub fn put(&self, message: &[u8]) -> Result<(), Error> {
        let put = self.inner().put(&[message]);
        put.map_err(|error| error.with_applied(Applied::Nothing))
    }

    /// Puts several messages at the end, with none of another thread between them.
    ///
    /// # Errors
    /// As [`DiskQueue::put_batch`], for this batch alone.
    pub fn put_batch<M: AsRef<[u8]>>(&self, messages: &[M]) -> Result<(), Error> {
        self.inner().put(messages)
    }

    /// Reads the next message; waits until there is one. Each message goes to one reader.
    ///
    /// # Errors
    /// [`Error::Closed`] once the queue is closed or deleted, also while waiting; else as
    /// [`DiskQueue::read`].
    pub fn read(&self) -> Result<Vec<u8>, Error> {
        loop {
            if let Some(message) = self.inner().read(Until::Forever)? {
                return Ok(message);
            }
        }
    }

    /// Reads the next message; waits at most `timeout` for one to come. The time that it takes to
    /// get a turn at the disk is not counted.
    ///
    /// # Errors
    /// As [`SharedQueue::read`].
    pub fn read_timeout(&self, timeout: Duration) -> Result<Option<Vec<u8>>, Error> {
        let deadline = self.inner().primitives.now().saturating_add(timeout);
        self.inner().read(Until::Time(deadline))
    }

    /// Reads the next message, if there is one.
    ///
    /// # Errors
    /// As [`SharedQueue::read`].
    pub fn try_read(&self) -> Result<Option<Vec<u8>>, Error> {
        self.inner().read(Until::Now)
    }

    /// Shows the next message, if there is one. Another thread may read it at any time.
    ///
    /// # Errors
    /// As [`DiskQueue::peek`].
    pub fn peek(&self) -> Result<Option<Vec<u8>>, Error> {
        self.on_turn(|queue| Ok(queue.peek()?.map(<[u8]>::to_vec)))
    }

    /// How many messages will still be delivered, unless damage is met.
    ///
    /// # Errors
    /// As [`DiskQueue::depth`].
    pub fn depth(&self) -> Result<u64, Error> {
        self.on_turn(DiskQueue::depth)
    }

    /// Makes everything durable whose put or read returned before the call.
    ///
    /// # Errors
    /// As [`DiskQueue::sync`]. Of several threads that sync at the same time one gets the error of
    /// an earlier owed sync.
    pub fn sync(&self) -> Result<(), Error> {
        self.on_turn(DiskQueue::sync)
    }

    /// Tells the time, in milliseconds since any start, and does a sync whose timeout has passed.
    /// Not needed beside [`SharedQueue::start_ticker`].
    ///
    /// # Errors
    /// As [`DiskQueue::tick`].
    pub fn tick(&self, now_ms: u64) -> Result<(), Error> {
        self.on_turn(|queue| queue.tick(now_ms))
    }

    /// Drops all messages; when it returns, that is durable. Blocked reads wait on.
    ///
    /// # Errors
    /// As [`DiskQueue::empty`].
    pub fn empty(&self) -> Result<(), Error> {
        self.on_turn(DiskQueue::empty)
    }

    /// Makes everything durable and closes the queue for all handles: whoever waits, and every
    /// later call, gets [`Error::Closed`]. A put that had not been written is not put.
    ///
    /// # Errors
    /// As [`DiskQueue::close`]; the queue is still open then, and nobody is woken.
    pub fn close(&self) -> Result<(), Error> {
        self.inner().end(DiskQueue::close)
    }

    /// Drops all messages, removes the files and closes the queue for all handles.
    ///
    /// # Errors
    /// As [`DiskQueue::delete`]; the queue is still open then.
    pub fn delete(&self) -> Result<(), Error> {
        self.inner().end(DiskQueue::delete)
    }

    /// Starts a thread that calls [`SharedQueue::tick`] every `period`, until the queue is closed
    /// or the last handle is dropped. A sync of it that fails is told by the next sync or close.
    ///
    /// # Errors
    /// [`Error::Refused`] where there is one already, [`Error::Closed`], or the error of the
    /// system, which has no more threads.
    pub fn start_ticker(&self, period: Duration) -> Result<(), Error> {
        let mut state = self.inner().lock();
        state.check_open()?;
        if state.ticker.is_some() {
            return Err(Error::Refused {
                reason: "the queue has a background thread already",
            });
        }
        let inner = Arc::clone(&self.shared.inner);
        let body = move || {
            while inner.wait_for_tick(period) && tick(&inner).is_ok() {}
        };
        let started = self.inner().primitives.spawn("crashline-ticker", body);
        state.ticker = Some(started.map_err(no_thread)?);
        Ok(())
    }

    fn on_turn<T>(
        &self,
        body: impl FnOnce(&mut DiskQueue) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut turn = self.inner().single()?;
        let result = body(turn.engine());
        let _state = turn.give_back();
        result
    }
}

fn no_thread(error: io::Error) -> Error {
    Error::io("start", Path::new("a background thread"), error)
}

/// One tick of the background thread.
fn tick<P: Primitives>(inner: &Inner<P>) -> Result<(), Error> {
    let mut turn = inner.single()?;
    let now_ms = inner.primitives.now().as_millis();
    let result = turn
        .engine()
        .tick(u64::try_from(now_ms).unwrap_or(u64::MAX));
    let _state = turn.give_back();
    result
}

impl<P: Primitives> Clone for SharedQueue<P> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
        }
    }
}

impl<P: Primitives> fmt::Debug for SharedQueue<P> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = self.inner().lock().status;
        to.debug_struct("SharedQueue")
            .field("status", &status)
            .finish_non_exhaustive()
    }
}
