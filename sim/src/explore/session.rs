//! A subject on a simulated disk: opens, calls, and kills it, and lets nothing escape.
//!
//! A panic becomes an answer, and so does an operation that makes more file calls than its bound
//! (C3): ten thousand, and a hundred for each file and page that there may be.

use crate::oracle::is_looked_into;
use crate::scenario::{Action, Applied, FailureKind, FifoOptions, Outcome, Planted, Reply};
use crate::simfs::{Call, Name, SimFs};
use crate::subject::{Object, OpenRequest, Subject, guarded};
use crashline::fs::Fs;
use std::path::Path;
use std::sync::Arc;

/// Where the data directory stands on the simulated disk.
pub(crate) const DIRECTORY: &str = "/data";

/// File calls that any operation may make.
const CALLS_BASE: u64 = 10_000;

/// File calls that an operation may make more for each effect: no file and no page comes without.
const CALLS_EACH: u64 = 100;

/// A file in the data directory.
#[derive(Debug)]
pub(crate) struct SeenFile {
    pub(crate) name: Name,
    pub(crate) size: u64,
    pub(crate) bytes: Option<Vec<u8>>,
}

/// An object under test, and the disk it is on.
#[derive(Debug)]
pub(crate) struct Session<'a> {
    subject: &'a dyn Subject,
    quirks: &'a [String],
    /// The options of the next open.
    pub(crate) options: FifoOptions,
    sim: SimFs,
    fs: Arc<dyn Fs>,
    object: Option<Box<dyn Object>>,
    read_only: bool,
    /// Effects that could have made a file or page before this session's disk began.
    effects_before: u64,
    calls_seen: usize,
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
            sim,
            fs,
            object: None,
            read_only: false,
            effects_before: 0,
            calls_seen: 0,
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
        self.effects_before = effects;
        self
    }

    /// The disk.
    pub(crate) fn sim(&self) -> &SimFs {
        &self.sim
    }

    /// Whether an object is open that can put.
    pub(crate) fn is_open_for_writing(&self) -> bool {
        self.object.is_some() && !self.read_only
    }

    /// Goes on with another disk: what a crash left of this one.
    pub(crate) fn move_to(&mut self, sim: SimFs) {
        self.object = None;
        self.effects_before += u64::from(self.sim.effect_count());
        self.fs = Arc::new(sim.clone());
        self.sim = sim;
    }

    /// The files of the data directory: name, size, and the bytes of those that are looked into,
    /// `with_quarantine` also of what was kept aside.
    pub(crate) fn files(&self, planted: &[Planted], with_quarantine: bool) -> Vec<SeenFile> {
        let wanted = |name: &[u8]| is_looked_into(planted, name, with_quarantine);
        let files = self.sim.files(Path::new(DIRECTORY), wanted);
        let seen = |(name, size, bytes)| SeenFile { name, size, bytes };
        files.into_iter().map(seen).collect()
    }

    /// Keeps a record of file calls from now on.
    pub(crate) fn log_calls(&mut self) {
        self.sim.set_call_log(true);
        self.calls_seen = self.sim.calls().len();
    }

    /// The file calls since this was last asked.
    pub(crate) fn new_calls(&mut self) -> Vec<Call> {
        let calls = self.sim.calls();
        let new = calls.get(self.calls_seen..).unwrap_or_default().to_vec();
        self.calls_seen = calls.len();
        new
    }

    /// Opens the object; one that is open is dropped first.
    pub(crate) fn open(&mut self, read_only: bool) -> Outcome {
        self.object = None;
        self.read_only = read_only;
        let request = OpenRequest {
            fs: &self.fs,
            directory: Path::new(DIRECTORY),
            object: "queue",
            options: &self.options,
            read_only,
            quirks: self.quirks,
        };
        self.sim.set_call_limit(Some(self.calls_max()));
        match guarded(|| self.subject.open(&request)) {
            Ok(opened) if !self.sim.cut_off() => {
                self.object = opened.object;
                opened.outcome
            }
            Ok(_) => self.cut_off(),
            Err(outcome) => outcome,
        }
    }

    /// Tries to open the object a second time, past any faults; the first one stays open.
    pub(crate) fn open_second(&mut self) -> Outcome {
        let fs: Arc<dyn Fs> = Arc::new(self.sim.clone());
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
            Err(outcome) => outcome,
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
        self.sim.kill();
    }

    fn on_object(&mut self, body: impl FnOnce(&mut dyn Object) -> Outcome) -> Outcome {
        let limit = self.calls_max();
        let Some(object) = self.object.as_mut() else {
            return Outcome::failed(FailureKind::Closed, Applied::No, "nothing is open");
        };
        self.sim.set_call_limit(Some(limit));
        match guarded(|| body(object.as_mut())) {
            Ok(outcome) if !self.sim.cut_off() => outcome,
            Ok(_) => self.cut_off(),
            Err(outcome) => {
                self.kill();
                outcome
            }
        }
    }

    /// Whatever it answered, an operation that was cut off did not end by itself.
    fn cut_off(&mut self) -> Outcome {
        self.kill();
        let words = format!(
            "made more than {} file calls and was cut off",
            self.calls_max()
        );
        Outcome::failed(FailureKind::CutOff, Applied::Unknown, words)
    }

    fn calls_max(&self) -> u64 {
        let effects = self.effects_before + u64::from(self.sim.effect_count());
        CALLS_BASE + CALLS_EACH * effects
    }
}
