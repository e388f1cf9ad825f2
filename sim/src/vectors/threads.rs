//! Stage `threads`: one queue behind a handle, used by several threads; some of them wait.
//!
//! A step begins when the one before has returned. Reads that wait are begun by one step and end
//! in a later one. What is only a matter of time is bounded generously, and never measured.

use super::run::Bench;
use super::stages::{AllowedThreads, Answer, ThreadOp, ThreadStep};
use super::steps::class_of;
use super::vector::Bytes;
use crashline::diskqueue::Error;
use crashline::shared::{Quirks, SharedQueue, StdPrimitives};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// A read that has not returned after so long waits.
const BLOCKED: Duration = Duration::from_millis(50);

/// A thread that was woken has returned after so long.
const WOKEN: Duration = Duration::from_secs(5);

/// Runs one on the handle, with these of its defects put back.
pub(super) fn run(bench: &Bench, allowed: &AllowedThreads, quirks: Quirks) -> Result<(), String> {
    let mut session = Session {
        bench,
        quirks,
        queue: None,
        waiting: BTreeMap::new(),
    };
    for (number, step) in (1..).zip(&allowed.steps) {
        let done = session.apply(step);
        let op = step.op;
        done.map_err(|problem| format!("step {number} ({op:?}): {problem}"))?;
    }
    Ok(())
}

struct Session<'a> {
    bench: &'a Bench,
    quirks: Quirks,
    queue: Option<SharedQueue>,
    /// Threads whose read has not been answered yet, by name.
    waiting: BTreeMap<String, Receiver<Answer>>,
}

impl Session<'_> {
    fn apply(&mut self, step: &ThreadStep) -> Result<(), String> {
        match step.op {
            ThreadOp::Open => self.open(),
            ThreadOp::Kill => {
                self.queue = None;
                Ok(())
            }
            ThreadOp::Put => self.put(&step.producers_b64),
            ThreadOp::Wait => self.wait(&step.by),
            ThreadOp::Woken => self.woken(step),
            ThreadOp::Drain => self.drain(&step.producers_b64),
            ThreadOp::Sync => self.queue()?.sync().map_err(words),
            ThreadOp::Close => self.queue()?.close().map_err(words),
        }
    }

    fn queue(&self) -> Result<&SharedQueue, String> {
        self.queue
            .as_ref()
            .ok_or_else(|| "it is not open".to_owned())
    }

    fn open(&mut self) -> Result<(), String> {
        let opened = self.bench.open().map_err(words)?;
        let handle = SharedQueue::with_quirks(opened.queue, StdPrimitives::default(), self.quirks);
        self.queue = Some(handle);
        Ok(())
    }

    /// Every producer puts its messages one by one, all of them at the same time.
    fn put(&self, producers: &[Vec<Bytes>]) -> Result<(), String> {
        let queue = self.queue()?;
        let results: Vec<Result<(), Error>> = std::thread::scope(|scope| {
            let spawn = |messages: &'_ Vec<Bytes>| {
                let messages = messages.clone();
                scope.spawn(move || messages.iter().try_for_each(|one| queue.put(&one.0)))
            };
            let threads: Vec<_> = producers.iter().map(spawn).collect();
            let joined = threads.into_iter().map(|thread| {
                let result = thread.join();
                result.expect("the handle gives a panic back as an error")
            });
            joined.collect()
        });
        results
            .into_iter()
            .collect::<Result<(), Error>>()
            .map_err(words)
    }

    /// Each of these threads begins to read, and must wait.
    fn wait(&mut self, names: &[String]) -> Result<(), String> {
        for name in names {
            let queue = self.queue()?.clone();
            let (sender, receiver) = channel();
            let read = move || {
                let answer = match queue.read() {
                    Ok(message) => Answer::Message(Bytes(message)),
                    Err(error) => Answer::Error(class_of(&error)),
                };
                // Whoever asked may have given up.
                drop(sender.send(answer));
            };
            let thread = std::thread::Builder::new().name(name.clone());
            // It is not joined: one that nobody wakes would hold up the vector for ever.
            thread.spawn(read).map_err(words)?;
            if let Ok(answer) = receiver.recv_timeout(BLOCKED) {
                return Err(format!("{name} does not wait, but gets {answer:?}"));
            }
            self.waiting.insert(name.clone(), receiver);
        }
        Ok(())
    }

    /// The waiting threads return with these answers, in any order of the threads.
    fn woken(&mut self, step: &ThreadStep) -> Result<(), String> {
        let mut left = step.answers.clone();
        for name in &step.by {
            let receiver = self.waiting.remove(name);
            let receiver = receiver.ok_or_else(|| format!("{name} does not wait"))?;
            let answer = receiver.recv_timeout(WOKEN);
            let answer = answer.map_err(|_| format!("{name} is not woken"))?;
            let Some(at) = left.iter().position(|one| *one == answer) else {
                return Err(format!("{name} gets {answer:?}"));
            };
            left.swap_remove(at);
        }
        Ok(())
    }

    /// Reading to the end gives all messages of all lists, those of each list in its order.
    fn drain(&self, producers: &[Vec<Bytes>]) -> Result<(), String> {
        let queue = self.queue()?;
        let mut left: Vec<&[Bytes]> = producers.iter().map(Vec::as_slice).collect();
        while let Some(message) = queue.try_read().map_err(words)? {
            // No message stands in two lists: there is one list at most that goes on with it.
            let list = left
                .iter_mut()
                .find(|list| list.first().is_some_and(|first| first.0 == message));
            let Some(list) = list else {
                return Err(format!("{message:02x?} comes out of its order"));
            };
            *list = list.get(1..).unwrap_or_default();
        }
        match left.iter().all(|list| list.is_empty()) {
            true => Ok(()),
            false => Err("messages are missing".to_owned()),
        }
    }
}

fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}
