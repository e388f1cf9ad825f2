//! The calls of a tail: each is made on the session, shown to the observer and written down where
//! that is wanted; none is made once a violation was found.

use super::tail::Tail;
use super::timeline::Entry;
use super::words;
use crate::scenario::{Action, Outcome};

impl Tail<'_, '_> {
    /// Calls one operation, unless a violation was found already.
    fn call(&mut self, action: &Action, payloads: &[Vec<u8>]) -> Option<Outcome> {
        if self.observer.is_broken() {
            return None;
        }
        self.begin(action);
        let outcome = self.session.apply(action, payloads);
        self.end(&outcome);
        Some(outcome)
    }

    pub(super) fn open(&mut self) {
        if let Some(outcome) = self.call(&Action::Open { options: None }, &[]) {
            self.observer.opened(&outcome);
        }
    }

    /// Opens with limits that most of what is stored is beyond.
    pub(super) fn open_otherwise(&mut self) {
        let options = Some(self.messages.other_options(&self.session.options));
        if let Some(outcome) = self.call(&Action::Open { options }, &[]) {
            self.observer.opened_otherwise(&outcome);
        }
    }

    pub(super) fn depth(&mut self) {
        if let Some(outcome) = self.call(&Action::Depth, &[]) {
            self.observer.depth(&outcome);
        }
    }

    pub(super) fn peek(&mut self) {
        if let Some(outcome) = self.call(&Action::Peek, &[]) {
            self.observer.peeked(&outcome);
        }
    }

    pub(super) fn read(&mut self) {
        if let Some(outcome) = self.call(&Action::Read, &[]) {
            self.observer.read(&outcome);
        }
    }

    pub(super) fn put(&mut self) {
        let (number, size) = (self.observer.next_number(), self.messages.size);
        let messages = self.messages;
        if let Some(outcome) = self.call(&Action::Put { size }, messages.get(number)) {
            self.observer.put(number, size, &outcome);
        }
    }

    pub(super) fn sync(&mut self) {
        if let Some(outcome) = self.call(&Action::Sync, &[]) {
            self.observer.synced(&outcome);
        }
    }

    pub(super) fn close(&mut self) {
        if let Some(outcome) = self.call(&Action::Close, &[]) {
            self.observer.closed(&outcome);
        }
    }

    pub(super) fn drain(&mut self) {
        if self.observer.is_broken() {
            return;
        }
        self.begin(&Action::Read);
        let (observer, log) = (&mut self.observer, &mut self.log);
        let outcome = self.session.drain(&mut |bytes| {
            if let Some(log) = log {
                log.push(Entry::Note(format!("message {}", words::of_message(bytes))));
            }
            observer.message(bytes)
        });
        self.end(&outcome);
        if !self.observer.is_broken() {
            self.observer.drained(&outcome);
        }
    }

    fn begin(&mut self, action: &Action) {
        let step = self.step;
        if let Some(log) = &mut self.log {
            log.push(Entry::Begin {
                step,
                call: words::of_action(action),
            });
        }
    }

    fn end(&mut self, outcome: &Outcome) {
        let step = self.step;
        if let Some(log) = &mut self.log {
            log.extend(words::of_calls(&self.session.new_calls()));
            log.push(Entry::End {
                step,
                answer: words::of_outcome(outcome),
            });
            self.step += 1;
        }
    }

    pub(super) fn note(&mut self, words: &str) {
        if let Some(log) = &mut self.log {
            log.push(Entry::Note(words.to_owned()));
            self.session.log_calls();
        }
    }
}
