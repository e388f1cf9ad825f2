//! A subject on a simulated disk: opens, calls, and kills it, and lets nothing escape.

use super::machine::{Machine, SeenFile};
use crate::scenario::{
    Action, Applied, CrashKind, Failure, FailureKind, FifoOptions, Outcome, Planted, Reply,
};
use crate::simfs::{Call, SimFs};
use crate::subject::{Object, OpenRequest, Subject, guarded};
use crashline::fs::Fs;
use std::path::Path;
use std::sync::Arc;

/// Where the data directory stands on the simulated disk.
pub(crate) const DIRECTORY: &str = "/data";

/// An object under test, and the disk it is on.
#[derive(Debug)]
pub(crate) struct Session<'a> {
    subject: &'a dyn Subject,
    quirks: &'a [String],
    /// The options of the next open.
    pub(crate) options: FifoOptions,
    machine: Machine,
    object: Option<Box<dyn Object>>,
    read_only: bool,
}

impl<'a> Session<'a> {
    /// A session on `sim`, reached through `fs` (`sim` itself, or a faulty view of it).
    pub(crate) fn new(
        subject: &'a dyn Subject,
        quirks: &'a [String],
        options: FifoOptions,
        sim: SimFs,
        fs: Arc<dyn Fs>,
    ) -> Self {
        Self {
            subject,
            quirks,
            options,
            machine: Machine::new(sim, fs),
            object: None,
            read_only: false,
        }
    }

    /// A session on `sim` itself.
    pub(crate) fn on(
        subject: &'a dyn Subject,
        quirks: &'a [String],
        options: FifoOptions,
        sim: SimFs,
    ) -> Self {
        let fs = Arc::new(sim.clone());
        Self::new(subject, quirks, options, sim, fs)
    }

    /// There may be as many files and pages as `effects` could have made.
    pub(crate) fn with_effects_before(mut self, effects: u64) -> Self {
        self.machine = self.machine.with_effects_before(effects);
        self
    }

    /// The disk.
    pub(crate) fn sim(&self) -> &SimFs {
        self.machine.sim()
    }

    /// Whether an object is open that can put.
    pub(crate) fn is_open_for_writing(&self) -> bool {
        self.object.is_some() && !self.read_only
    }

    /// The process dies, and the machine with it if that is the kind of crash; `cut` cuts the
    /// power.
    pub(crate) fn crash(&mut self, kind: CrashKind, cut: &dyn Fn(&SimFs) -> SimFs) {
        self.kill();
        self.machine.crash(kind, cut);
    }

    /// The files of the data directory, as [`Machine::files`] gives them.
    pub(crate) fn files(&self, planted: &[Planted], with_quarantine: bool) -> Vec<SeenFile> {
        self.machine.files(planted, with_quarantine)
    }

    /// Keeps a record of file calls from now on.
    pub(crate) fn log_calls(&mut self) {
        self.machine.log_calls();
    }

    /// The file calls since this was last asked.
    pub(crate) fn new_calls(&mut self) -> Vec<Call> {
        self.machine.new_calls()
    }

    /// Opens the object; one that is open is dropped first.
    pub(crate) fn open(&mut self, read_only: bool) -> Outcome {
        self.object = None;
        self.read_only = read_only;
        let request = OpenRequest {
            fs: self.machine.fs(),
            directory: Path::new(DIRECTORY),
            object: "queue",
            options: &self.options,
            read_only,
            quirks: self.quirks,
        };
        match self.machine.run(|| self.subject.open(&request)) {
            Ok(opened) => {
                self.object = opened.object;
                opened.outcome
            }
            Err(failure) => self.died(failure),
        }
    }

    /// Tries to open the object a second time, past any faults; the first one stays open.
    pub(crate) fn open_second(&mut self) -> Outcome {
        let fs: Arc<dyn Fs> = Arc::new(self.sim().clone());
        let request = OpenRequest {
            fs: &fs,
            directory: Path::new(DIRECTORY),
            object: "queue",
            options: &self.options,
            read_only: false,
            quirks: self.quirks,
        };
        match guarded(|| self.subject.open(&request)) {
            Ok(opened) => opened.outcome,
            Err(failure) => failure.into(),
        }
    }

    /// Calls one operation, opens and kills among them.
    pub(crate) fn apply(&mut self, action: &Action, payloads: &[Vec<u8>]) -> Outcome {
        match action {
            Action::Open { options } => {
                self.options = options.unwrap_or(self.options);
                self.open(false)
            }
            Action::OpenReadOnly => self.open(true),
            Action::Kill => {
                self.kill();
                Outcome::ok(Reply::Done)
            }
            Action::Put { .. }
            | Action::PutBatch { .. }
            | Action::Read
            | Action::Peek
            | Action::Depth
            | Action::Empty
            | Action::Sync
            | Action::Tick { .. }
            | Action::Settle
            | Action::Close
            | Action::Delete => {
                let bytes = payloads.iter().map(Vec::len).sum();
                self.machine.note_messages(bytes);
                let outcome = self.on_object(|object| object.apply(action, payloads));
                let gone = matches!(action, Action::Close | Action::Delete);
                if gone && outcome.result.is_ok() {
                    self.object = None;
                }
                outcome
            }
        }
    }

    /// Reads until nothing is left or `on_message` says `false`.
    pub(crate) fn drain(&mut self, on_message: &mut dyn FnMut(&[u8]) -> bool) -> Outcome {
        self.on_object(|object| object.drain(on_message))
    }

    /// The process dies: nothing is written, handles and locks go.
    pub(crate) fn kill(&mut self) {
        self.object = None;
        self.sim().kill();
    }

    fn on_object(&mut self, body: impl FnOnce(&mut dyn Object) -> Outcome) -> Outcome {
        let Some(object) = self.object.as_mut() else {
            return Outcome::failed(FailureKind::Closed, Applied::No, "nothing is open");
        };
        match self.machine.run(|| body(object.as_mut())) {
            Ok(outcome) => outcome,
            Err(failure) => self.died(failure),
        }
    }

    fn died(&mut self, failure: Failure) -> Outcome {
        self.kill();
        failure.into()
    }
}
