//! What each thread does: the steps of a scenario, by the object that they name.

use crate::scenario::{Action, Scenario, payload};

/// A step with its number in the scenario and its messages.
#[derive(Debug, Clone)]
pub struct Task {
    /// The number of the step.
    pub step: u32,
    /// What is called.
    pub action: Action,
    /// The number of its first message.
    pub first: u32,
    /// Its messages.
    pub payloads: Vec<Vec<u8>>,
}

/// A thread: its name, and its steps in order.
#[derive(Debug, Clone)]
pub struct Actor {
    /// The object that the steps name.
    pub name: String,
    /// In order.
    pub tasks: Vec<Task>,
}

/// All threads of a scenario, by their first steps.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// In the order of their first steps.
    pub actors: Vec<Actor>,
    /// The step that puts each message.
    pub putters: Vec<u32>,
}

impl Program {
    /// The program of a scenario.
    ///
    /// # Errors
    /// One sentence, where a step is none that the threads of a handle have.
    pub fn of(scenario: &Scenario) -> Result<Self, String> {
        let mut program = Self::default();
        for (step, one) in (0_u32..).zip(&scenario.steps) {
            check(&one.action)?;
            let first = u32::try_from(program.putters.len()).unwrap_or(u32::MAX);
            let sizes = one.action.sizes();
            program.putters.extend(sizes.iter().map(|_| step));
            let payloads = (first..).zip(sizes);
            let task = Task {
                step,
                action: one.action.clone(),
                first,
                payloads: payloads
                    .map(|(number, size)| payload(number, *size))
                    .collect(),
            };
            let known = program
                .actors
                .iter_mut()
                .find(|actor| actor.name == one.object);
            match known {
                Some(actor) => actor.tasks.push(task),
                None => program.actors.push(Actor {
                    name: one.object.clone(),
                    tasks: vec![task],
                }),
            }
        }
        Ok(program)
    }
}

impl Actor {
    /// Its reads block until there is a message.
    pub(super) fn blocks(&self) -> bool {
        self.name.starts_with("reader")
    }

    /// It may have to wait for what others put.
    pub(super) fn takes(&self) -> bool {
        self.reads() > 0
    }

    /// How many messages it asks for.
    pub(super) fn reads(&self) -> usize {
        let reads = self.tasks.iter();
        reads.filter(|task| task.action == Action::Read).count()
    }

    /// Its tick starts the background thread.
    pub(super) fn ticks(&self) -> bool {
        self.name.starts_with("ticker")
    }
}

fn check(action: &Action) -> Result<(), String> {
    match action {
        Action::Put { .. }
        | Action::PutBatch { .. }
        | Action::Read
        | Action::Peek
        | Action::Depth
        | Action::Sync
        | Action::Tick { .. }
        | Action::Close => {}
        Action::Open { .. }
        | Action::OpenReadOnly
        | Action::Empty
        | Action::Settle
        | Action::Delete
        | Action::Kill => return Err("a thread of a shared handle has no such step".to_owned()),
    }
    if action.sizes().iter().any(|size| *size < 4) {
        return Err("messages of several threads need 4 bytes to be told apart".to_owned());
    }
    Ok(())
}
