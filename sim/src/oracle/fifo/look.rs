//! What an answer is held against, and what it means for the queue.

use super::answers::{Fresh, broken, wrong_depth, wrong_message, wrong_nothing};
use super::pieces::{are_pieces, found_max};
use super::run::FifoOracle;
use super::seen::{Mode, Seen};
use crate::oracle::{Item, Violation};
use crate::scenario::{Action, Clause, Outcome, Reply};

impl FifoOracle {
    /// Judges an answer and says what it means.
    pub(super) fn look_at(
        &mut self,
        step: u32,
        action: &Action,
        outcome: &Outcome,
        violations: &mut Vec<Violation>,
    ) -> Seen {
        if self.state.corrupted && !outcome.losses.is_empty() {
            // C7: a loss may be that of any message.
            self.shelf.doubt(0);
        }
        let seen = match &outcome.result {
            Ok(_) if !self.is_possible(action) => {
                let evidence = format!(
                    "`{}` succeeded on an object that is not open for it",
                    name(action)
                );
                violations.push(broken(Clause::C4, step, evidence));
                Seen::Ignored
            }
            Ok(reply) => self.look_at_reply(step, action, reply, violations),
            Err(failure) => self.look_at_failure(step, action, failure, violations),
        };
        for violation in violations.iter_mut() {
            self.blame_limits(action, violation);
            if self.state.corrupted && violation.clause != Clause::C3 {
                // What damage touched is judged by C7.
                violation.clause = Clause::C7;
            }
        }
        self.look_at_sync_error(step, action, outcome.result.is_ok(), violations);
        seen
    }

    /// Whether the object is in a state in which this can succeed.
    pub(super) fn is_possible(&self, action: &Action) -> bool {
        let mode = self.state.mode;
        let opens = matches!(action, Action::Open { .. } | Action::OpenReadOnly);
        let writes = matches!(
            action,
            Action::Put { .. } | Action::PutBatch { .. } | Action::Empty | Action::Delete
        );
        if matches!(action, Action::Kill) {
            true
        } else if opens {
            matches!(mode, Mode::Closed | Mode::Killed)
        } else {
            mode == Mode::Open || (mode == Mode::ReadOnly && !writes)
        }
    }

    fn look_at_reply(
        &mut self,
        step: u32,
        action: &Action,
        reply: &Reply,
        violations: &mut Vec<Violation>,
    ) -> Seen {
        let looks = matches!(action, Action::Read | Action::Peek);
        match reply {
            Reply::Message(bytes) if looks => {
                return self.look_at_message(step, action, bytes, violations);
            }
            Reply::Nothing if looks => self.look_at_nothing(step, violations),
            Reply::Count(said) if matches!(action, Action::Depth) => {
                self.look_at_depth(step, *said, violations);
            }
            Reply::Done | Reply::Count(_) | Reply::Message(_) | Reply::Nothing => {}
        }
        if self.passes_the_last_number(action) {
            let evidence = "a put succeeded, and the last segment that there can be is full";
            violations.push(broken(Clause::C13, step, evidence.to_owned()));
        }
        if let Some(size) = self.unacceptable_size(action) {
            let evidence = format!("a message of {size} bytes was accepted, beyond the limits");
            violations.push(broken(Clause::Q9, step, evidence));
        }
        Seen::Done
    }

    fn look_at_message(
        &mut self,
        step: u32,
        action: &Action,
        bytes: &[u8],
        violations: &mut Vec<Violation>,
    ) -> Seen {
        let item = self.shelf.messages.identify(bytes);
        let reads = matches!(action, Action::Read);
        let before = self.state.reader().low();
        let numbers = if reads {
            self.state.reader_mut().read(item, &self.shelf)
        } else {
            self.state.reader_mut().peek(item, &self.shelf)
        };
        if numbers.is_empty() && self.state.adopts && self.is_found(item, bytes) {
            return Seen::Ignored;
        }
        let Some(number) = numbers.first().copied() else {
            let mut wrong = wrong_message(
                item,
                bytes.len(),
                step,
                &self.state,
                self.fresh,
                &self.shelf.messages,
            );
            if !reads && wrong.clause == Clause::Q1 && matches!(item, Item::Number(_)) {
                wrong.clause = Clause::Q6;
            }
            violations.push(wrong);
            return Seen::Ignored;
        };
        if numbers.len() == 1 {
            self.hide_perhaps(before, number);
            self.shelf.confirm(number);
        }
        if reads {
            self.fresh = Fresh::No;
            Seen::Message(item)
        } else {
            Seen::Done
        }
    }

    /// Whether it is no message, but what a silent fault left where one can be.
    fn is_found(&self, item: Item, bytes: &[u8]) -> bool {
        let messages = &self.shelf.messages;
        let is_one = match item {
            Item::Number(_) => true,
            // One of this size with another byte is a message whose damage was not seen.
            Item::Garbled(number) => messages
                .bytes(number)
                .is_some_and(|message| message.len() == bytes.len()),
            Item::Short { .. } | Item::Invented => false,
        };
        !is_one && are_pieces(messages, bytes)
    }

    fn look_at_nothing(&mut self, step: u32, violations: &mut Vec<Violation>) {
        let shelf = &self.shelf;
        let reader = self.state.reader_mut();
        let left = shelf.count(reader.high()).0;
        if reader.retain(|at| shelf.count(at).0 == 0) {
            let low = self.state.reader().low();
            self.hide_perhaps(low, self.state.end);
        } else {
            let failed = self.shelf.failed(self.state.reader().high());
            violations.push(wrong_nothing(left, failed, step, self.fresh));
        }
    }

    /// Those perhaps shown are not, and never will be; unless they are misplaced, and found later.
    fn hide_perhaps(&mut self, from: u32, to: u32) {
        if !self.state.corrupted {
            self.shelf.hide_perhaps(from, to);
        }
    }

    fn look_at_depth(&mut self, step: u32, said: i64, violations: &mut Vec<Violation>) {
        let shelf = &self.shelf;
        let gaps = u64::from(self.state.corruptions) * self.gap_bytes;
        let found = match self.state.adopts {
            true => found_max(&shelf.messages, gaps),
            false => 0,
        };
        let reader = self.state.reader_mut();
        let counts = shelf.count(reader.high());
        let fits = |at: u32| {
            let (least, perhaps) = shelf.count(at);
            let most = (least + perhaps).saturating_add(found);
            (least..=most).contains(&said)
        };
        if !reader.retain(fits) {
            let failed = self.shelf.failed(self.state.reader().high());
            violations.push(wrong_depth(said, counts, failed, step, self.fresh));
        }
    }

    /// The first size beyond the limits among the messages that are put.
    pub(super) fn unacceptable_size(&self, action: &Action) -> Option<u32> {
        let options = &self.state.options;
        let limits = options.message_bytes_min..=options.message_bytes_max;
        action
            .sizes()
            .iter()
            .copied()
            .find(|size| !limits.contains(size))
    }

    /// Q9: a stored message that the limits of today would refuse is what cannot be read.
    fn blame_limits(&self, action: &Action, violation: &mut Violation) {
        let looks = matches!(action, Action::Read | Action::Peek | Action::Depth);
        let limits = &self.state.options;
        let limits = limits.message_bytes_min..=limits.message_bytes_max;
        let from = self.state.reader().low();
        if looks && violation.clause != Clause::C3 && self.shelf.has_beyond(from, &limits) {
            violation.clause = Clause::Q9;
        }
    }

    /// C5: the error of an owed sync is said by the next sync or close.
    fn look_at_sync_error(
        &mut self,
        step: u32,
        action: &Action,
        succeeded: bool,
        violations: &mut Vec<Violation>,
    ) {
        let asks = matches!(action, Action::Sync | Action::Close);
        if asks
            && let Some(failed) = self.unsaid_error.take()
            && succeeded
        {
            let evidence = format!(
                "`{}` succeeded, and nobody was told that the sync owed in step {failed} failed",
                name(action)
            );
            violations.push(broken(Clause::C5, step, evidence));
        }
        if matches!(action, Action::Kill | Action::Open { .. }) {
            self.unsaid_error = None;
        }
        let failed_sync = self.faults.iter().any(|note| note.is_segment_sync());
        let may_owe = matches!(
            action,
            Action::Put { .. } | Action::PutBatch { .. } | Action::Read | Action::Tick { .. }
        );
        if succeeded && may_owe && failed_sync {
            self.unsaid_error.get_or_insert(step);
        }
    }
}

/// The operation's name in evidence.
pub(super) fn name(action: &Action) -> &'static str {
    match action {
        Action::Open { .. } => "open",
        Action::OpenReadOnly => "open read-only",
        Action::Put { .. } => "put",
        Action::PutBatch { .. } => "put batch",
        Action::Read => "read",
        Action::Peek => "peek",
        Action::Depth => "depth",
        Action::Empty => "empty",
        Action::Sync => "sync",
        Action::Tick { .. } => "tick",
        Action::Settle => "settle",
        Action::Close => "close",
        Action::Delete => "delete",
        Action::Kill => "kill",
    }
}
