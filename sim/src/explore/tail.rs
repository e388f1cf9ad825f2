//! What is done with a crash image: the subject recovers, goes on, and must end with nothing lost
//! that it promised after recovery.
//!
//! One of several scripts, chosen by the image's hash, so that equal images are treated alike.

use super::machine::with_seen;
use super::script::{Script, TailMessages};
use super::session::Session;
use super::timeline::Entry;
use super::words;
use crate::oracle::{FifoHistory, Observation, TailObserver};
use crate::scenario::{Action, CrashKind, Outcome};
use crate::simfs::SimFs;

/// One tail on one image.
pub(crate) struct Tail<'s, 'a> {
    session: &'s mut Session<'a>,
    observer: TailObserver<'s>,
    messages: &'s TailMessages,
    log: Option<Vec<Entry>>,
    step: u32,
}

impl<'s, 'a> Tail<'s, 'a> {
    /// A tail of `session`, which stands on the image of a crash with nothing open (or, where
    /// there was none, on a living object).
    pub(crate) fn new(
        session: &'s mut Session<'a>,
        history: &'s FifoHistory,
        messages: &'s TailMessages,
        crash: Option<CrashKind>,
    ) -> Self {
        let observer = TailObserver::new(history).after(crash);
        Self {
            session,
            observer,
            messages,
            log: None,
            step: 0,
        }
    }

    /// Writes down everything that happens, numbering operations from `step` on.
    pub(crate) fn with_log(mut self, step: u32) -> Self {
        self.log = Some(Vec::new());
        self.step = step;
        self
    }

    /// Recovers: the first open. Everything after it may be left out.
    pub(crate) fn recover(&mut self) {
        self.open();
    }

    /// What was written down so far.
    pub(crate) fn take_log(&mut self) -> Vec<Entry> {
        self.log.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Goes on after recovery by the script. `crash` cuts the power of a disk, keeping nothing
    /// that was not durable.
    pub(crate) fn go_on(&mut self, script: Script, crash: &dyn Fn(&SimFs) -> SimFs) {
        self.depth();
        match script {
            Script::DrainFirst => {}
            Script::OpenTwice | Script::OpenOtherwise => {
                self.crash_again(CrashKind::Kill, crash);
                self.open();
                self.depth();
                if script == Script::OpenOtherwise {
                    self.crash_again(CrashKind::Kill, crash);
                    self.open_otherwise();
                    self.depth();
                }
            }
            Script::PutFirst(kind) => {
                self.put();
                self.sync();
                self.crash_again(kind, crash);
                self.open();
                self.depth();
            }
        }
        self.peek();
        self.drain();
        self.put_read_close();
        self.open_drained();
    }

    /// What all of it comes to.
    pub(crate) fn observation(self) -> Observation {
        self.observer.finish()
    }

    fn crash_again(&mut self, kind: CrashKind, crash: &dyn Fn(&SimFs) -> SimFs) {
        if self.observer.is_broken() {
            return;
        }
        // What a disk keeps whose syncs keep nothing was asked once; it promises no more now.
        let kind = if self.observer.strengths().syncs_keep {
            kind
        } else {
            CrashKind::Kill
        };
        self.session.kill();
        if kind == CrashKind::PowerCut {
            let left = crash(self.session.sim());
            self.session.move_to(left);
        }
        let words = match kind {
            CrashKind::Kill => "the process is killed again",
            CrashKind::PowerCut => "the power is cut again; only what was durable is left",
        };
        self.note(words);
        self.observer.crashed(kind);
    }

    fn put_read_close(&mut self) {
        self.put();
        self.sync();
        self.peek();
        self.read();
        self.depth();
        self.close();
    }

    /// Opens what must be empty, and looks at the directory.
    fn open_drained(&mut self) {
        self.open();
        if !self.observer.is_broken() {
            let with_quarantine = self.observer.looks_into_quarantine();
            let files = self.session.files(self.observer.planted(), with_quarantine);
            with_seen(&files, |files| self.observer.directory("queue", files));
        }
        self.depth();
        self.drain();
    }

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

    fn open(&mut self) {
        if let Some(outcome) = self.call(&Action::Open { options: None }, &[]) {
            self.observer.opened(&outcome);
        }
    }

    /// Opens with limits that most of what is stored is beyond.
    fn open_otherwise(&mut self) {
        let options = Some(self.messages.other_options(&self.session.options));
        if let Some(outcome) = self.call(&Action::Open { options }, &[]) {
            self.observer.opened_otherwise(&outcome);
        }
    }

    fn depth(&mut self) {
        if let Some(outcome) = self.call(&Action::Depth, &[]) {
            self.observer.depth(&outcome);
        }
    }

    fn peek(&mut self) {
        if let Some(outcome) = self.call(&Action::Peek, &[]) {
            self.observer.peeked(&outcome);
        }
    }

    fn read(&mut self) {
        if let Some(outcome) = self.call(&Action::Read, &[]) {
            self.observer.read(&outcome);
        }
    }

    fn put(&mut self) {
        let (number, size) = (self.observer.next_number(), self.messages.size);
        let messages = self.messages;
        if let Some(outcome) = self.call(&Action::Put { size }, messages.get(number)) {
            self.observer.put(number, size, &outcome);
        }
    }

    fn sync(&mut self) {
        if let Some(outcome) = self.call(&Action::Sync, &[]) {
            self.observer.synced(&outcome);
        }
    }

    fn close(&mut self) {
        if let Some(outcome) = self.call(&Action::Close, &[]) {
            self.observer.closed(&outcome);
        }
    }

    fn drain(&mut self) {
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

    fn note(&mut self, words: &str) {
        if let Some(log) = &mut self.log {
            log.push(Entry::Note(words.to_owned()));
            self.session.log_calls();
        }
    }
}

/// After the faults have stopped: the object that lived through them goes on without reopening.
/// What an earlier failed sync still owes its caller may be said once more; then everything works.
/// `None` if nothing is open for writing.
pub(crate) fn live_phase(
    session: &mut Session<'_>,
    history: &FifoHistory,
    messages: &TailMessages,
) -> Option<Observation> {
    if !session.is_open_for_writing() {
        return None;
    }
    session.apply(&Action::Sync, &[]);
    let mut tail = Tail::new(session, history, messages, None);
    tail.sync();
    tail.depth();
    tail.peek();
    tail.drain();
    if history.strengths().keeps_reads {
        tail.put_read_close();
        tail.open_drained();
    }
    Some(tail.observation())
}
