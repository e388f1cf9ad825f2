//! The twin as a subject under test.

use super::queue::{Queue, QueueError, QueueOptions};
use crate::scenario::{Action, Applied, FailureKind, FifoOptions, Outcome, Reply};
use crate::subject::{Object, OpenRequest, Opened, Subject};
use std::ffi::OsString;
use std::sync::Arc;

/// nsqio's go-diskqueue v1.1.0. It has no peek, batch, sync or opening for reading only.
#[derive(Debug, Clone, Copy, Default)]
pub struct OriginalDiskqueue;

impl Subject for OriginalDiskqueue {
    fn name(&self) -> &'static str {
        "original-diskqueue"
    }

    fn open(&self, request: &OpenRequest<'_>) -> Opened {
        if request.read_only {
            return refuse(FailureKind::Unsupported, "it cannot open for reading only");
        }
        if request.options.sync_timeout_ms == 0 {
            return refuse(
                FailureKind::Panic,
                "a timer cannot have an interval of zero",
            );
        }
        let name = OsString::from(request.object);
        let options = signed_options(request.options);
        let queue = Queue::open(Arc::clone(request.fs), request.directory, &name, options);
        let object = OpenQueue {
            queue,
            timeout_ms: request.options.sync_timeout_ms,
            fired_ms: 0,
        };
        Opened {
            outcome: Outcome::ok(Reply::Done),
            object: Some(Box::new(object)),
        }
    }
}

fn refuse(kind: FailureKind, message: &str) -> Opened {
    Opened {
        outcome: Outcome::failed(kind, Applied::No, message),
        object: None,
    }
}

/// Limits beyond the original's number types become the largest that they hold.
fn signed_options(options: &FifoOptions) -> QueueOptions {
    QueueOptions {
        segment_bytes_max: i64::try_from(options.segment_bytes_max).unwrap_or(i64::MAX),
        message_bytes_min: i32::try_from(options.message_bytes_min).unwrap_or(i32::MAX),
        message_bytes_max: i32::try_from(options.message_bytes_max).unwrap_or(i32::MAX),
        sync_every: i64::try_from(options.sync_every).unwrap_or(i64::MAX),
    }
}

#[derive(Debug)]
struct OpenQueue {
    queue: Queue,
    timeout_ms: u64,
    /// When the timer fired last. Its start is not known here: it is taken for the start of time,
    /// so that it may fire early once, which syncs more, not less.
    fired_ms: u64,
}

impl OpenQueue {
    fn tick(&mut self, now_ms: u64) -> Result<(), QueueError> {
        // The original's clock never runs backwards: a jump back restarts the interval.
        self.fired_ms = self.fired_ms.min(now_ms);
        if now_ms - self.fired_ms < self.timeout_ms {
            return self.queue.settle();
        }
        self.fired_ms = now_ms;
        self.queue.timer_fired()?;
        // Nobody is answered, so the turn belongs to the tick.
        self.queue.settle()
    }
}

impl Object for OpenQueue {
    fn apply(&mut self, action: &Action, payloads: &[Vec<u8>]) -> Outcome {
        let queue = &mut self.queue;
        let result = match action {
            Action::Put { .. } => {
                let message = payloads.first().map(Vec::as_slice).unwrap_or_default();
                queue.put(message).map(|()| Reply::Done)
            }
            Action::Read => queue.read().map(|message| match message {
                Some(bytes) => Reply::Message(bytes.to_vec()),
                None => Reply::Nothing,
            }),
            Action::Depth => queue.depth().map(Reply::Count),
            Action::Empty => queue.empty().map(|()| Reply::Done),
            Action::Tick { now_ms } => self.tick(*now_ms).map(|()| Reply::Done),
            Action::Settle => queue.settle().map(|()| Reply::Done),
            Action::Close => queue.close().map(|()| Reply::Done),
            Action::Delete => queue.delete().map(|()| Reply::Done),
            Action::Open { .. }
            | Action::OpenReadOnly
            | Action::PutBatch { .. }
            | Action::Peek
            | Action::Sync
            | Action::Kill => {
                let message = "the original does not have this operation";
                return Outcome::failed(FailureKind::Unsupported, Applied::No, message);
            }
        };
        result.map_or_else(|error| failed(&error), Outcome::ok)
    }

    fn drain(&mut self, on_message: &mut dyn FnMut(&[u8]) -> bool) -> Outcome {
        loop {
            match self.queue.read() {
                Ok(Some(message)) if on_message(message) => {}
                Ok(Some(message)) => return Outcome::ok(Reply::Message(message.to_vec())),
                Ok(None) => return Outcome::ok(Reply::Nothing),
                Err(error) => return failed(&error),
            }
        }
    }
}

/// The original's errors do not say how much was done, but for a refused size.
fn failed(error: &QueueError) -> Outcome {
    let (kind, applied) = match error {
        QueueError::Size { .. } => (FailureKind::Refused, Applied::No),
        QueueError::Io(error) => (FailureKind::Io(error.raw_os_error()), Applied::Unknown),
        QueueError::CutOff(_) => (FailureKind::CutOff, Applied::Unknown),
    };
    Outcome::failed(kind, applied, error.to_string())
}
