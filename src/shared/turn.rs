//! A turn: the engine is out of the state, in the hands of one thread.

use super::inner::Inner;
use super::primitives::Primitives;
use super::state::{State, Status};
use crate::diskqueue::DiskQueue;

/// Holds the engine. A thread that panics on its turn gives the queue up for everybody.
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
    pub(super) fn give_back(mut self) -> P::Guard<'q, State<P::Thread>> {
        let mut state = self.inner.lock();
        if let Some(engine) = self.engine.take() {
            state.give_back(engine);
        }
        if state.waiting_turn > 0 {
            P::notify_one(&self.inner.turn);
        }
        if !state.group.is_empty() && state.waiting_done > 0 {
            P::notify_one(&self.inner.done);
        }
        state
    }

    /// Ends the queue: the engine is closed, or nothing of it is left.
    pub(super) fn end(mut self) -> P::Guard<'q, State<P::Thread>> {
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
