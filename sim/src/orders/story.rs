//! What was called and answered, in the order in which it happened, and what follows from that
//! order.

use super::program::Program;
use crate::scenario::{Action, Applied, Outcome, Reply, claimed_number};

/// A call or an answer. The number of events before a place in the run is the number of marks
/// before it in the recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The step; those of the end of the run go on counting.
    pub step: u32,
    /// The answer; none for a call.
    pub outcome: Option<Outcome>,
    /// How many faults had fired before, and how many of them were failed syncs.
    pub fired: (usize, usize),
}

/// One step of one thread.
#[derive(Debug, Clone)]
pub struct Op {
    /// The number of the step.
    pub step: u32,
    /// The thread.
    pub actor: String,
    /// What was called.
    pub action: Action,
    /// The number of its first message.
    pub first: u32,
    /// The place of the call among the events.
    pub begin: Option<usize>,
    /// The place of the answer.
    pub end: Option<usize>,
    /// The answer.
    pub outcome: Option<Outcome>,
}

/// A message that was put.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub(super) bytes: Vec<u8>,
    /// The place of its step in [`Story::ops`].
    pub(super) op: usize,
    /// Its place in the batch.
    pub(super) index: u32,
    /// The places of the step that read it.
    pub(super) reads: Vec<usize>,
}

/// A finished run.
#[derive(Debug, Clone)]
pub struct Story {
    /// Calls and answers, in order.
    pub events: Vec<Event>,
    /// All steps, by number.
    pub ops: Vec<Op>,
    pub(super) messages: Vec<Message>,
    /// Messages that nobody put, or with other bytes: the step that got each.
    pub(super) foreign: Vec<usize>,
}

impl Story {
    /// Puts together what `program`, and the steps `last` of the end of the run, did.
    #[must_use]
    pub fn new(program: &Program, last: &[Action], events: Vec<Event>) -> Self {
        let mut story = Self {
            ops: ops_of(program, last),
            messages: Vec::new(),
            foreign: Vec::new(),
            events: Vec::new(),
        };
        for actor in &program.actors {
            for task in &actor.tasks {
                let op = task.step as usize;
                let messages = (0_u32..).zip(&task.payloads);
                story
                    .messages
                    .extend(messages.map(|(index, bytes)| Message {
                        bytes: bytes.clone(),
                        op,
                        index,
                        reads: Vec::new(),
                    }));
            }
        }
        story
            .messages
            .sort_by_key(|message| (message.op, message.index));
        for (place, event) in events.iter().enumerate() {
            let Some(op) = story.ops.get_mut(event.step as usize) else {
                continue;
            };
            match &event.outcome {
                None => op.begin = Some(place),
                Some(outcome) => {
                    op.end = Some(place);
                    op.outcome = Some(outcome.clone());
                }
            }
        }
        story.events = events;
        story.note_reads();
        story
    }

    fn note_reads(&mut self) {
        for (place, op) in self.ops.iter().enumerate() {
            let answer = op.outcome.as_ref().map(|outcome| &outcome.result);
            let Some(Ok(Reply::Message(bytes))) = answer else {
                continue;
            };
            let number = number_of(&self.messages, bytes);
            match number.and_then(|number| self.messages.get_mut(number as usize)) {
                None => self.foreign.push(place),
                Some(message) if op.action == Action::Read => message.reads.push(place),
                Some(_) => {}
            }
        }
    }

    /// The number of the message with these bytes.
    pub(super) fn number_of(&self, bytes: &[u8]) -> Option<u32> {
        number_of(&self.messages, bytes)
    }

    pub(super) fn message(&self, number: u32) -> Option<&Message> {
        self.messages.get(number as usize)
    }

    /// All messages with their numbers and their steps.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (u32, &Message, &Op)> {
        let numbered = (0_u32..).zip(&self.messages);
        numbered.filter_map(|(number, message)| Some((number, message, self.ops.get(message.op)?)))
    }

    /// Whether the first message must come before the second: by the order of their thread, or
    /// because its put was answered before the other was called.
    pub(super) fn precedes(&self, first: u32, second: u32) -> bool {
        let (Some(one), Some(other)) = (self.message(first), self.message(second)) else {
            return false;
        };
        let (Some(put), Some(next)) = (self.ops.get(one.op), self.ops.get(other.op)) else {
            return false;
        };
        if put.actor == next.actor {
            return (one.op, one.index) < (other.op, other.index);
        }
        matches!((put.end, next.begin), (Some(end), Some(begin)) if end < begin)
    }

    /// Whether both were put by one thread.
    pub(super) fn share_a_producer(&self, one: u32, other: u32) -> bool {
        let actor = |number| {
            let message = self.message(number)?;
            Some(&self.ops.get(message.op)?.actor)
        };
        actor(one) == actor(other)
    }

    /// How many faults may have fired before the event at the place, those of the operations that
    /// were in flight until then included, and how many of them were failed syncs.
    pub(super) fn fired_until(&self, place: usize) -> (usize, usize) {
        let event = self.events.get(place).or(self.events.last());
        event.map_or((0, 0), |event| event.fired)
    }
}

impl Op {
    /// Whether its answer came before the place.
    pub(super) fn ended_before(&self, place: usize) -> bool {
        self.end.is_some_and(|end| end < place)
    }

    /// Whether it was called before the place.
    pub(super) fn began_before(&self, place: usize) -> bool {
        self.begin.is_some_and(|begin| begin < place)
    }

    /// Whether it answered with a success.
    pub(super) fn succeeded(&self) -> bool {
        self.outcome
            .as_ref()
            .is_some_and(|outcome| outcome.result.is_ok())
    }

    /// Whether it asks for durability.
    pub(super) fn is_sync(&self) -> bool {
        matches!(self.action, Action::Sync | Action::Close)
    }

    /// Whether its answer says that its message with this index was put; `None` without an answer.
    pub(super) fn says_put(&self, index: u32) -> Option<bool> {
        let failure = match &self.outcome.as_ref()?.result {
            Ok(_) => return Some(true),
            Err(failure) => failure,
        };
        match failure.applied {
            Applied::No => Some(false),
            Applied::Yes => Some(true),
            Applied::Leading(count) => Some(index < count),
            Applied::Unknown => None,
        }
    }
}

fn number_of(messages: &[Message], bytes: &[u8]) -> Option<u32> {
    let number = claimed_number(bytes)?;
    let message = messages.get(number as usize)?;
    (message.bytes == bytes).then_some(number)
}

fn ops_of(program: &Program, last: &[Action]) -> Vec<Op> {
    let tasks = program.actors.iter().flat_map(|actor| {
        let tasks = actor.tasks.iter();
        tasks.map(|task| {
            (
                task.step,
                actor.name.clone(),
                task.action.clone(),
                task.first,
            )
        })
    });
    let mut ops: Vec<Op> = tasks
        .map(|(step, actor, action, first)| Op {
            step,
            actor,
            action,
            first,
            begin: None,
            end: None,
            outcome: None,
        })
        .collect();
    ops.sort_by_key(|op| op.step);
    let steps = u32::try_from(ops.len()).unwrap_or(u32::MAX);
    ops.extend((steps..).zip(last).map(|(step, action)| Op {
        step,
        actor: "main".to_owned(),
        action: action.clone(),
        first: 0,
        begin: None,
        end: None,
        outcome: None,
    }));
    ops
}
