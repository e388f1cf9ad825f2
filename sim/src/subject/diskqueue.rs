//! The engine `diskqueue` as a subject.

use super::mutant::split_mutant;
use super::{Object, OpenRequest, Opened, Subject};
use crate::scenario::{Action, Applied, Failure, FailureKind, FifoOptions, Loss, Outcome, Reply};
use crashline::diskqueue::{self, DiskQueue, Error, Options, Quirks};
use std::ffi::OsStr;
use std::io;
use std::sync::Arc;

/// The subject `diskqueue`.
#[derive(Debug)]
pub struct DiskQueueSubject;

impl Subject for DiskQueueSubject {
    fn name(&self) -> &'static str {
        "diskqueue"
    }

    fn open(&self, request: &OpenRequest<'_>) -> Opened {
        if let Some((mutant, quirks)) = split_mutant(request.quirks) {
            let quirks = &quirks;
            return (mutant.open)(&OpenRequest { quirks, ..*request }, self);
        }
        let quirks = match Quirks::parse(request.quirks.iter().map(String::as_str)) {
            Ok(quirks) => quirks,
            Err(name) => {
                let words = format!("there is no quirk `{name}`");
                return Opened {
                    outcome: Outcome::failed(FailureKind::Refused, Applied::No, words),
                    object: None,
                };
            }
        };
        let open = if request.read_only {
            DiskQueue::open_read_only
        } else {
            DiskQueue::open
        };
        let name = OsStr::new(request.object);
        let options = options_of(request.options, quirks);
        match open(Arc::clone(request.fs), request.directory, name, options) {
            Ok(opened) => Opened {
                outcome: Outcome {
                    result: Ok(Reply::Done),
                    losses: opened.losses.iter().map(loss_of).collect(),
                },
                object: Some(Box::new(OpenQueue(opened.queue))),
            },
            Err(error) => Opened {
                outcome: outcome_of(Err(error)),
                object: None,
            },
        }
    }
}

/// The engine's options.
pub(crate) fn options_of(options: &FifoOptions, quirks: Quirks) -> Options {
    Options {
        segment_bytes_max: options.segment_bytes_max,
        message_bytes_min: options.message_bytes_min,
        message_bytes_max: options.message_bytes_max,
        sync_every: options.sync_every,
        sync_timeout_ms: options.sync_timeout_ms,
        quirks,
        ..Options::default()
    }
}

#[derive(Debug)]
struct OpenQueue(DiskQueue);

impl Object for OpenQueue {
    fn apply(&mut self, action: &Action, payloads: &[Vec<u8>]) -> Outcome {
        let queue = &mut self.0;
        let done = |result: Result<(), Error>| outcome_of(result.map(|()| Reply::Done));
        match action {
            Action::Put { .. } => match payloads {
                [message] => done(queue.put(message)),
                _ => Outcome::failed(
                    FailureKind::Refused,
                    Applied::No,
                    "a put takes exactly one message",
                ),
            },
            Action::PutBatch { .. } => done(queue.put_batch(payloads)),
            Action::Read => outcome_of(queue.read().map(reply_of)),
            Action::Peek => {
                let shown = queue.peek();
                outcome_of(shown.map(|message| reply_of(message.map(<[u8]>::to_vec))))
            }
            Action::Depth => {
                let count = |depth| Reply::Count(i64::try_from(depth).unwrap_or(i64::MAX));
                outcome_of(queue.depth().map(count))
            }
            Action::Empty => done(queue.empty()),
            Action::Sync => done(queue.sync()),
            Action::Tick { now_ms } => done(queue.tick(*now_ms)),
            Action::Close => done(queue.close()),
            Action::Delete => done(queue.delete()),
            Action::Settle | Action::Open { .. } | Action::OpenReadOnly | Action::Kill => {
                Outcome::failed(
                    FailureKind::Unsupported,
                    Applied::No,
                    "an open queue does not have this operation",
                )
            }
        }
    }

    fn drain(&mut self, on_message: &mut dyn FnMut(&[u8]) -> bool) -> Outcome {
        let mut losses = Vec::new();
        loop {
            let mut outcome = match self.0.read_slice() {
                Ok(Some(message)) if on_message(message) => continue,
                Ok(_) => Outcome::ok(Reply::Nothing),
                // Damage was passed: the next read goes on behind it.
                Err(Error::Damage { losses: met }) => {
                    losses.extend(met.iter().map(loss_of));
                    continue;
                }
                Err(error) => outcome_of(Err(error)),
            };
            losses.append(&mut outcome.losses);
            outcome.losses = losses;
            return outcome;
        }
    }
}

/// A message, or that there is none.
pub(crate) fn reply_of(message: Option<Vec<u8>>) -> Reply {
    message.map_or(Reply::Nothing, Reply::Message)
}

/// An answer of the engine as data.
pub(crate) fn outcome_of(result: Result<Reply, Error>) -> Outcome {
    let error = match result {
        Ok(reply) => return Outcome::ok(reply),
        Err(error) => error,
    };
    let applied = match error.applied() {
        diskqueue::Applied::Nothing => Applied::No,
        diskqueue::Applied::Everything => Applied::Yes,
        diskqueue::Applied::Leading(count) => Applied::Leading(count),
    };
    let failure = Failure {
        kind: kind_of(&error),
        applied,
        message: error.to_string(),
    };
    let losses = error.losses().iter().map(loss_of).collect();
    Outcome {
        result: Err(failure),
        losses,
    }
}

fn kind_of(error: &Error) -> FailureKind {
    match error {
        Error::Io { source, .. } if source.kind() == io::ErrorKind::InvalidInput => {
            FailureKind::Foreign
        }
        Error::Io { source, .. } => FailureKind::Io(source.raw_os_error()),
        Error::Locked { .. } => FailureKind::Locked,
        Error::Closed | Error::Abandoned | Error::ReadOnly => FailureKind::Closed,
        Error::Damage { .. } => FailureKind::Damage,
        Error::MessageSize { .. } | Error::Refused { .. } | Error::Exhausted { .. } => {
            FailureKind::Refused
        }
    }
}

fn loss_of(loss: &diskqueue::Loss) -> Loss {
    Loss {
        file: loss.file.to_string_lossy().into_owned(),
        offset: loss.offset,
        size: loss.size,
        messages: loss.messages,
    }
}
