//! An open object whose operations are changed by a habit.

use crate::scenario::{Action, Outcome};
use crate::subject::{Object, Opened};
use std::fmt::Debug;

/// What a mutant does otherwise than the engine.
pub(super) trait Habit: Debug + Send {
    /// Called before every operation; draining counts as a read.
    fn before(&mut self, _action: &Action) {}

    /// Calls one operation.
    fn apply(&mut self, inner: &mut dyn Object, action: &Action, payloads: &[Vec<u8>]) -> Outcome {
        inner.apply(action, payloads)
    }

    /// Called for every message that draining delivers.
    fn delivered(&mut self, _message: &[u8]) {}

    /// Called with the outcome of draining.
    fn drained(&mut self, _outcome: &Outcome) {}
}

#[derive(Debug)]
struct Changed<H> {
    inner: Box<dyn Object>,
    habit: H,
}

impl<H: Habit> Object for Changed<H> {
    fn apply(&mut self, action: &Action, payloads: &[Vec<u8>]) -> Outcome {
        self.habit.before(action);
        self.habit.apply(self.inner.as_mut(), action, payloads)
    }

    fn drain(&mut self, on_message: &mut dyn FnMut(&[u8]) -> bool) -> Outcome {
        let habit = &mut self.habit;
        habit.before(&Action::Read);
        let outcome = self.inner.drain(&mut |message| {
            habit.delivered(message);
            on_message(message)
        });
        self.habit.drained(&outcome);
        outcome
    }
}

/// The same object with a habit, where there is one.
pub(super) fn changed(opened: Opened, habit: impl Habit + 'static) -> Opened {
    let object = opened.object.map(|inner| {
        let changed: Box<dyn Object> = Box::new(Changed { inner, habit });
        changed
    });
    Opened { object, ..opened }
}
