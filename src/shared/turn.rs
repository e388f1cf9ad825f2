//! A turn: the engine is out of the state, in the hands of one thread.
//!
//! A thread that panics on its turn gives the queue up for everybody.

use super::inner::{Guard, Inner};
use super::primitives::Primitives;
use super::state::Status;
use crate::diskqueue::DiskQueue;

/// Holds the engine while others use the state.
pub(super) struct Turn<'q, P: Primitives> {
    inner: &'q Inner<P>,
    engine: Option<Box<DiskQueue>>,
}

impl<'q, P: Primitives> Turn<'q, P> {
    pub(super) fn new(inner: &'q Inner<P>, engine: Box<DiskQueue>) -> Self {
        Self {
            inner,
            engine: Some(engine),
        }
    }

    pub(super) fn engine(&mut self) -> &mut DiskQueue {
        self.engine
            .as_deref_mut()
            .expect("a turn has the engine until it ends")
    }

    /// Gives the engine back and wakes who waits for it. The mutex stays taken.
    pub(super) fn give_back(mut self) -> Guard<'q, P> {
        let mut state = self.inner.lock();
        if let Some(engine) = self.engine.take() {
            state.give_back(engine);
        }
        self.inner.wake_next(&state);
        state
    }

    /// Ends the queue: the engine is closed, or nothing of it is left.
    pub(super) fn end(mut self) -> Guard<'q, P> {
        // Dropping an engine that was not closed writes nothing, as when its process dies.
        self.engine = None;
        let mut state = self.inner.lock();
        state.end(Status::Closed);
        state
    }
}

impl<P: Primitives> Drop for Turn<'_, P> {
    fn drop(&mut self) {
        if self.engine.take().is_some() {
            let mut state = self.inner.lock();
            state.end(Status::Abandoned);
            self.inner.wake_all();
        }
    }
}

/// A turn that is over before the mutex is let go: for what takes no longer than a write.
pub(super) struct QuickTurn<'q, P: Primitives> {
    inner: &'q Inner<P>,
    state: Guard<'q, P>,
    engine: Option<Box<DiskQueue>>,
}

impl<'q, P: Primitives> QuickTurn<'q, P> {
    pub(super) fn new(inner: &'q Inner<P>, state: Guard<'q, P>, engine: Box<DiskQueue>) -> Self {
        Self {
            inner,
            state,
            engine: Some(engine),
        }
    }

    pub(super) fn engine(&mut self) -> &mut DiskQueue {
        self.engine
            .as_deref_mut()
            .expect("a turn has the engine until it ends")
    }

    /// Gives the engine back, and wakes who waits for it and for so many messages.
    pub(super) fn give_back(mut self, messages: usize) {
        if let Some(engine) = self.engine.take() {
            self.state.give_back(engine);
        }
        self.inner.wake_next(&self.state);
        self.inner.wake_readers(&self.state, messages);
    }
}

impl<P: Primitives> Drop for QuickTurn<'_, P> {
    fn drop(&mut self) {
        if self.engine.take().is_some() {
            self.state.end(Status::Abandoned);
            self.inner.wake_all();
        }
    }
}
