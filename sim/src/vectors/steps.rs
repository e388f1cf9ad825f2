//! Stages `write` and `operations`: one operation after the other, each with its answer.

use super::after;
use super::run::Bench;
use super::stages::{AllowedSteps, Answer, ErrorClass, VectorOp, VectorStep};
use super::vector::Bytes;
use crate::fault::FaultPlan;
use crate::scenario::FifoOptions;
use crashline::diskqueue::{DiskQueue, Error, Opened};

/// Runs one.
pub(super) fn run(bench: &Bench, allowed: &AllowedSteps) -> Result<(), String> {
    let mut session = Session {
        bench,
        options: bench.options,
        queue: None,
    };
    for (number, step) in (1..).zip(&allowed.steps) {
        if step.op == VectorOp::Fault {
            bench.faults.start(FaultPlan::parse(&step.faults)?);
        }
        let answer = session.apply(step);
        let answer = answer.unwrap_or_else(|error| Answer::Error(class_of(&error)));
        if answer != step.answer {
            let op = step.op;
            return Err(format!("step {number} ({op:?}) answers {answer:?}"));
        }
    }
    drop(session);
    let files = allowed.files_after.as_deref();
    files.map_or(Ok(()), |files| after::compare(bench, files))
}

struct Session<'a> {
    bench: &'a Bench,
    options: FifoOptions,
    queue: Option<DiskQueue>,
}

impl Session<'_> {
    fn apply(&mut self, step: &VectorStep) -> Result<Answer, Error> {
        self.options = step.options.unwrap_or(self.options);
        match step.op {
            VectorOp::Open => return self.adopt(self.bench.open_with(&self.options)),
            VectorOp::OpenReadOnly => return self.adopt(self.bench.look_with(&self.options)),
            VectorOp::OpenSecond => {
                let second = self.bench.open_with(&self.options);
                return second.map(|_| Answer::Done);
            }
            VectorOp::Kill => {
                self.queue = None;
                return Ok(Answer::Done);
            }
            VectorOp::Fault => return Ok(Answer::Done),
            VectorOp::Heal => {
                self.bench.faults.heal();
                return Ok(Answer::Done);
            }
            VectorOp::Put
            | VectorOp::PutBatch
            | VectorOp::Read
            | VectorOp::Peek
            | VectorOp::Depth
            | VectorOp::Empty
            | VectorOp::Sync
            | VectorOp::Tick
            | VectorOp::Close
            | VectorOp::Delete => {}
        }
        // After a close the object stays, so that what it answers then is seen.
        let queue = self.queue.as_mut().ok_or(Error::Closed)?;
        call(queue, step)
    }

    fn adopt(&mut self, opened: Result<Opened, Error>) -> Result<Answer, Error> {
        self.queue = Some(opened?.queue);
        Ok(Answer::Done)
    }
}

fn call(queue: &mut DiskQueue, step: &VectorStep) -> Result<Answer, Error> {
    let message_of = |message: Option<Vec<u8>>| {
        message.map_or(Answer::Nothing, |one| Answer::Message(Bytes(one)))
    };
    let messages: Vec<&[u8]> = step
        .messages_b64
        .iter()
        .map(|one| one.0.as_slice())
        .collect();
    match step.op {
        VectorOp::Put => {
            for message in messages {
                queue.put(message)?;
            }
        }
        VectorOp::PutBatch => queue.put_batch(&messages)?,
        VectorOp::Read => return queue.read().map(message_of),
        VectorOp::Peek => {
            let shown = queue.peek()?.map(<[u8]>::to_vec);
            return Ok(message_of(shown));
        }
        VectorOp::Depth => return queue.depth().map(Answer::Depth),
        VectorOp::Empty => queue.empty()?,
        VectorOp::Sync => queue.sync()?,
        VectorOp::Tick => queue.tick(step.now_ms.unwrap_or_default())?,
        VectorOp::Close => queue.close()?,
        VectorOp::Delete => queue.delete()?,
        VectorOp::Open
        | VectorOp::OpenReadOnly
        | VectorOp::OpenSecond
        | VectorOp::Kill
        | VectorOp::Fault
        | VectorOp::Heal => unreachable!("these need no open object"),
    }
    Ok(Answer::Done)
}

/// What a caller must be able to tell of an error.
pub(super) fn class_of(error: &Error) -> ErrorClass {
    match error {
        Error::MessageSize { .. } | Error::Refused { .. } | Error::Exhausted { .. } => {
            ErrorClass::Refused
        }
        Error::Locked { .. } => ErrorClass::Locked,
        Error::Closed | Error::Abandoned | Error::ReadOnly => ErrorClass::Closed,
        Error::Damage { .. } => ErrorClass::Damage,
        Error::Io { .. } => ErrorClass::Io,
    }
}
