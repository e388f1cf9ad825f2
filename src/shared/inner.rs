//! What the handles of one queue share, and the ways to the engine.

use super::group::Group;
use super::primitives::Primitives;
use super::quirks::{Quirk, Quirks};
use super::state::{Caller, State};
use super::turn::{QuickTurn, Turn};
use crate::diskqueue::{DiskQueue, Error, Options};
use std::time::Duration;

/// The guard of the shared state.
pub(super) type Guard<'q, P> = <P as Primitives>::Guard<'q, State<<P as Primitives>::Thread>>;

pub(super) struct Inner<P: Primitives> {
    pub(super) primitives: P,
    pub(super) quirks: Quirks,
    options: Options,
    state: P::Mutex<State<P::Thread>>,
    /// Waited at by those whose messages are in the group.
    pub(super) done: P::Condvar,
    /// Waited at for a single turn.
    pub(super) turn: P::Condvar,
    /// Waited at by blocked reads.
    arrived: P::Condvar,
    /// Waited at by the background thread.
    ticking: P::Condvar,
}

impl<P: Primitives> Inner<P> {
    pub(super) fn new(queue: DiskQueue, primitives: P, quirks: Quirks) -> Self {
        Self {
            quirks,
            options: *queue.options(),
            state: primitives.mutex(State::new(queue)),
            done: primitives.condvar(),
            turn: primitives.condvar(),
            arrived: primitives.condvar(),
            ticking: primitives.condvar(),
            primitives,
        }
    }

    pub(super) fn lock(&self) -> Guard<'_, P> {
        P::lock(&self.state)
    }

    /// Waits for a turn of its own.
    pub(super) fn single(&self) -> Result<Turn<'_, P>, Error> {
        let mut state = self.lock();
        loop {
            state.check_open()?;
            if let Some(engine) = state.take(Caller::Other) {
                return Ok(Turn::new(self, engine));
            }
            state.waiting_turn += 1;
            state = P::wait(&self.turn, state);
            state.waiting_turn -= 1;
        }
    }

    /// Puts messages: alone where nobody is in the way, else with all others that wait.
    pub(super) fn put<M: AsRef<[u8]>>(&self, messages: &[M]) -> Result<(), Error> {
        let mut state = self.lock();
        state.check_open()?;
        for message in messages {
            self.options.check_message(message.as_ref().len())?;
        }
        if state.group.is_empty()
            && let Some(engine) = state.take(Caller::Producer)
        {
            if engine.is_quick_put(messages) {
                let mut turn = QuickTurn::new(self, state, engine);
                let result = turn.engine().put_quickly(messages);
                turn.give_back(messages.len());
                return result;
            }
            drop(state);
            return self.put_alone(Turn::new(self, engine), messages);
        }
        let ticket = state.join_group(|group| group.push(messages, self.quirks));
        loop {
            if ticket < state.done {
                return state.answer_of(ticket);
            }
            if let Some(engine) = state.take(Caller::Producer) {
                let (group, first) = state.take_group();
                drop(state);
                state = self.put_group(Turn::new(self, engine), group, first);
                continue;
            }
            state.waiting_done += 1;
            state = P::wait(&self.done, state);
            state.waiting_done -= 1;
        }
    }

    fn put_alone<M: AsRef<[u8]>>(
        &self,
        mut turn: Turn<'_, P>,
        messages: &[M],
    ) -> Result<(), Error> {
        let result = turn.engine().put_batch(messages);
        let state = turn.give_back();
        self.wake_readers(&state, messages.len());
        result
    }

    /// Writes a group, does the sync that it owes, and answers all its requests.
    fn put_group<'q>(&'q self, mut turn: Turn<'q, P>, group: Group, first: u64) -> Guard<'q, P> {
        let messages = group.messages();
        let failed = group.write(turn.engine());
        if self.quirks.has(Quirk::AcknowledgedBeforeSync) {
            self.answer(&mut self.lock(), group, first, failed);
            turn.engine().sync_owed_by_put();
            let state = turn.give_back();
            self.wake_readers(&state, messages);
            return state;
        }
        turn.engine().sync_owed_by_put();
        let mut state = turn.give_back();
        self.answer(&mut state, group, first, failed);
        self.wake_readers(&state, messages);
        state
    }

    fn answer(
        &self,
        state: &mut Guard<'_, P>,
        group: Group,
        first: u64,
        failed: Vec<(usize, Error)>,
    ) {
        state.answer(group, first, failed);
        if state.waiting_done > 0 {
            P::notify_all(&self.done);
        }
    }

    /// Reads the next message; waits for one until `deadline`, or for as long as it takes.
    pub(super) fn read(&self, until: Until) -> Result<Option<Vec<u8>>, Error> {
        loop {
            let mut turn = self.single()?;
            let result = turn.engine().read();
            let mut state = turn.give_back();
            match result {
                Ok(Some(message)) => return Ok(Some(message)),
                Ok(None) => {}
                Err(error) => {
                    // It took a notification and no message: that is another one's now.
                    self.wake_readers(&state, 1);
                    return Err(error);
                }
            }
            // Nothing was put since: that takes a turn, and the mutex was not let go.
            let left = match until {
                Until::Now => return Ok(None),
                Until::Forever => None,
                Until::Time(deadline) => {
                    let left = deadline.saturating_sub(self.primitives.now());
                    if left.is_zero() {
                        return Ok(None);
                    }
                    Some(left)
                }
            };
            state.waiting_message += 1;
            state = match left {
                Some(left) => self.primitives.wait_timeout(&self.arrived, state, left),
                None => P::wait(&self.arrived, state),
            };
            state.waiting_message -= 1;
        }
    }

    /// The engine is there again.
    pub(super) fn wake_next(&self, state: &State<P::Thread>) {
        if state.waiting_turn > 0 {
            P::notify_one(&self.turn);
        }
        if !state.group.is_empty() && state.waiting_done > 0 {
            P::notify_one(&self.done);
        }
    }

    /// So many messages arrived.
    pub(super) fn wake_readers(&self, state: &State<P::Thread>, messages: usize) {
        if state.waiting_message == 0 || self.quirks.has(Quirk::PutWakesNobody) {
            return;
        }
        match messages {
            0 => {}
            1 => P::notify_one(&self.arrived),
            _ => P::notify_all(&self.arrived),
        }
    }

    /// The queue has ended.
    pub(super) fn wake_all(&self) {
        P::notify_all(&self.done);
        P::notify_all(&self.turn);
        P::notify_all(&self.ticking);
        if !self.quirks.has(Quirk::CloseWakesNobody) {
            P::notify_all(&self.arrived);
        }
    }

    /// Ends the queue with `last`, which leaves it open if it fails.
    pub(super) fn end(
        &self,
        last: impl FnOnce(&mut DiskQueue) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut turn = self.single()?;
        if let Err(error) = last(turn.engine()) {
            let _state = turn.give_back();
            return Err(error);
        }
        let mut state = turn.end();
        self.wake_all();
        let ticker = state.ticker.take();
        drop(state);
        if let Some(ticker) = ticker {
            P::join(ticker);
        }
        Ok(())
    }

    /// Waits for `period`; whether the background thread is to go on.
    pub(super) fn wait_for_tick(&self, period: Duration) -> bool {
        let state = self.lock();
        if state.ticker_ends {
            return false;
        }
        let state = self.primitives.wait_timeout(&self.ticking, state, period);
        !state.ticker_ends
    }

    /// Ends the background thread, and waits for it.
    pub(super) fn end_ticker(&self) {
        let mut state = self.lock();
        let Some(ticker) = state.ticker.take() else {
            return;
        };
        state.ticker_ends = true;
        P::notify_all(&self.ticking);
        drop(state);
        P::join(ticker);
    }
}

/// How long a read waits.
#[derive(Debug, Clone, Copy)]
pub(super) enum Until {
    Now,
    /// In the time of the primitives.
    Time(Duration),
    Forever,
}
