//! What is done with a crash image: the subject recovers, goes on, and must end with nothing lost
//! that it promised after recovery.
//!
//! One of several scripts, chosen by the image's hash, so that equal images are treated alike.

use super::machine::{further_crash, with_seen};
use super::rests::{RestKey, Rests};
use super::script::{Script, TailMessages};
use super::session::Session;
use super::timeline::Entry;
use super::words;
use crate::oracle::{FifoHistory, Observation, TailObserver};
use crate::scenario::{Action, CrashKind};
use crate::simfs::SimFs;

/// One tail on one image.
pub(crate) struct Tail<'s, 'a> {
    pub(super) session: &'s mut Session<'a>,
    pub(super) observer: TailObserver<'s>,
    pub(super) messages: &'s TailMessages,
    /// What is known to come of disks, where that is to be used.
    rests: Option<&'s Rests<Observation>>,
    /// Under what the end of this tail will be known.
    keys: Vec<RestKey>,
    pub(super) log: Option<Vec<Entry>>,
    pub(super) step: u32,
}

/// What a tail has left to do with a disk that nobody uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Left {
    /// To open it, read it, close it and open it again.
    Read,
    /// The same, and to put before it is closed.
    ReadAndPut,
    /// The same, after it was opened with other limits as well.
    Otherwise,
    /// To open it once more.
    LastOpen,
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
            rests: None,
            keys: Vec::new(),
            log: None,
            step: 0,
        }
    }

    /// Asks what is known to come of disks, and adds what comes of this one.
    pub(crate) fn with_rests(mut self, rests: &'s Rests<Observation>) -> Self {
        self.rests = Some(rests);
        self
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

    /// Goes on after recovery by the script, to what all of it comes to, and gives what was written
    /// down. `crash` cuts the power of a disk, keeping nothing that was not durable.
    pub(crate) fn go_on(
        mut self,
        script: Script,
        crash: &dyn Fn(&SimFs) -> SimFs,
    ) -> (Observation, Vec<Entry>) {
        self.depth();
        let left = self.start(script, crash);
        if let Some(known) = left.and_then(|left| self.known(left)) {
            return (known, self.log.unwrap_or_default());
        }
        if left.is_some() {
            self.open();
            self.depth();
        }
        if left == Some(Left::Otherwise) {
            self.crash_again(CrashKind::Kill, crash);
            self.open_otherwise();
            self.depth();
        }
        self.peek();
        self.drain();
        if left != Some(Left::Read) {
            self.put_and_read();
        }
        self.close();
        if let Some(known) = self.known(Left::LastOpen) {
            return (known, self.log.unwrap_or_default());
        }
        self.open_drained();
        self.finish()
    }

    /// What the object that recovered does first; what is left to do with its disk, if it is
    /// gone then.
    fn start(&mut self, script: Script, crash: &dyn Fn(&SimFs) -> SimFs) -> Option<Left> {
        let (kind, left) = match script {
            Script::DrainFirst => return None,
            Script::PutFirst(kind) => {
                self.put();
                self.sync();
                (kind, Left::Read)
            }
            Script::OpenTwice => (CrashKind::Kill, Left::ReadAndPut),
            Script::OpenOtherwise => (CrashKind::Kill, Left::Otherwise),
        };
        self.crash_again(kind, crash);
        Some(left)
    }

    /// What is known to come of the disk, which nobody uses now. Where it is not, this tail will
    /// tell.
    fn known(&mut self, left: Left) -> Option<Observation> {
        let rests = self.rests.filter(|_| !self.observer.is_broken())?;
        let reads_aside = self.observer.looks_into_quarantine();
        let key = RestKey::of(self.session.sim(), reads_aside, (left, &self.observer))?;
        let known = rests.get(key);
        if known.is_none() {
            self.keys.push(key);
        }
        known
    }

    /// What all of it comes to, and what was written down.
    pub(crate) fn finish(self) -> (Observation, Vec<Entry>) {
        let observation = self.observer.finish();
        if let Some(rests) = self.rests {
            rests.note(&self.keys, self.session.sim(), &observation);
        }
        (observation, self.log.unwrap_or_default())
    }

    fn crash_again(&mut self, kind: CrashKind, crash: &dyn Fn(&SimFs) -> SimFs) {
        if self.observer.is_broken() {
            return;
        }
        let kind = further_crash(kind, self.observer.strengths().syncs_keep);
        self.session.crash(kind, crash);
        if kind == CrashKind::PowerCut {
            self.keys.clear();
        }
        self.note(words::of_further_crash(kind));
        self.observer.crashed(kind);
    }

    fn put_and_read(&mut self) {
        self.put();
        self.sync();
        self.peek();
        self.read();
        self.depth();
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
        tail.put_and_read();
        tail.close();
        tail.open_drained();
    }
    Some(tail.finish().0)
}
