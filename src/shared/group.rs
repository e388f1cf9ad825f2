//! The messages that wait to be written together: a copy of their bytes, and who asked for them.

use super::quirks::{Quirk, Quirks};
use crate::diskqueue::{Applied, DiskQueue, Error};
use std::ops::Range;

/// Puts and batches in the order in which they came. Each is a *request*, and its number in the
/// life of the handle is its ticket.
#[derive(Debug, Default)]
pub(super) struct Group {
    bytes: Vec<u8>,
    /// Where each message ends in `bytes`.
    ends: Vec<usize>,
    /// How many messages there are up to the end of each request.
    requests: Vec<usize>,
}

impl Group {
    pub(super) fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    /// How many requests there are.
    pub(super) fn requests(&self) -> usize {
        self.requests.len()
    }

    /// How many messages there are.
    pub(super) fn messages(&self) -> usize {
        self.ends.len()
    }

    /// Adds a request.
    pub(super) fn push<M: AsRef<[u8]>>(&mut self, messages: &[M], quirks: Quirks) {
        let mut add = |message: &M| {
            self.bytes.extend_from_slice(message.as_ref());
            self.ends.push(self.bytes.len());
        };
        if quirks.has(Quirk::PutsSwapped) {
            messages.iter().rev().for_each(&mut add);
        } else {
            messages.iter().for_each(&mut add);
        }
        self.requests.push(self.ends.len());
    }

    /// Keeps the memory for the next group.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.requests.clear();
    }

    /// Writes all messages, with one write where it can be, and none of the syncs that they owe.
    /// Returns the requests that failed, by their number in the group.
    pub(super) fn write(&self, queue: &mut DiskQueue) -> Vec<(usize, Error)> {
        let messages: Vec<&[u8]> = self.bodies().collect();
        let mut failed = Vec::new();
        let Err(error) = queue.write_batch(&messages) else {
            return failed;
        };
        if self.requests() == 1 {
            failed.push((0, error));
            return failed;
        }
        // What is left of every request is tried alone: a put fails for its own reasons only.
        let written = leading(&error);
        for (number, range) in self.ranges().enumerate() {
            let from = written.clamp(range.start, range.end);
            let rest = messages.get(from..range.end).unwrap_or_default();
            if rest.is_empty() {
                continue;
            }
            if let Err(error) = queue.write_batch(rest) {
                let done = from - range.start + leading(&error);
                let done = u32::try_from(done).unwrap_or(u32::MAX);
                failed.push((number, error.with_applied(Applied::Leading(done))));
            }
        }
        failed
    }

    fn bodies(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts
            .zip(&self.ends)
            .map(|(start, end)| self.bytes.get(start..*end).unwrap_or_default())
    }

    /// The messages of each request.
    fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(0).chain(self.requests.iter().copied());
        starts.zip(&self.requests).map(|(start, end)| start..*end)
    }
}

/// How many messages of a failed batch were put.
fn leading(error: &Error) -> usize {
    match error.applied() {
        Applied::Leading(count) => usize::try_from(count).unwrap_or(usize::MAX),
        Applied::Nothing | Applied::Everything => 0,
    }
}
