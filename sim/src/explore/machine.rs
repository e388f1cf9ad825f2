//! A simulated disk and what runs on it: nothing escapes. A panic becomes an answer, and so does an
//! operation that makes more file calls than its bound (C3): ten thousand, and a hundred for each
//! file and page that there may be.

use super::session::DIRECTORY;
use crate::oracle::{FileSeen, is_looked_into};
use crate::scenario::{Applied, CrashKind, Failure, FailureKind, Planted};
use crate::simfs::{Call, Name, SimFs};
use crate::subject::guarded;
use crashline::fs::Fs;
use std::borrow::Cow;
use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;

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

/// Looks at files as the oracle sees them: names as text, one that is none with replacements.
pub(crate) fn with_seen<T>(files: &[SeenFile], look: impl FnOnce(&[FileSeen<'_>]) -> T) -> T {
    let names = files.iter().map(|file| String::from_utf8_lossy(&file.name));
    let names: Vec<Cow<'_, str>> = names.collect();
    let seen: Vec<FileSeen<'_>> = files
        .iter()
        .zip(&names)
        .map(|(file, name)| FileSeen {
            name,
            size: file.size,
            bytes: file.bytes.as_deref(),
        })
        .collect();
    look(&seen)
}

/// What a further crash is on a disk. What a disk keeps whose syncs keep nothing was asked once; it
/// promises no more then.
pub(crate) fn further_crash(kind: CrashKind, syncs_keep: bool) -> CrashKind {
    match syncs_keep {
        true => kind,
        false => CrashKind::Kill,
    }
}

/// The disk, and how it is reached.
#[derive(Debug)]
pub(crate) struct Machine {
    sim: SimFs,
    fs: Arc<dyn Fs>,
    /// Effects that could have made a file or page before this disk began.
    effects_before: u64,
    /// Bytes of messages: a call that writes one of them at a time is made for each.
    message_bytes: Cell<u64>,
    calls_seen: usize,
}

impl Machine {
    /// A machine on `sim`, reached through `fs` (`sim` itself, or a faulty view of it).
    pub(crate) fn new(sim: SimFs, fs: Arc<dyn Fs>) -> Self {
        Self {
            sim,
            fs,
            effects_before: 0,
            message_bytes: Cell::new(0),
            calls_seen: 0,
        }
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

    /// The disk as what runs on it sees it.
    pub(crate) fn fs(&self) -> &Arc<dyn Fs> {
        &self.fs
    }

    /// Goes on with what a further crash leaves of the disk, after its process died; `cut` cuts the
    /// power.
    pub(crate) fn crash(&mut self, kind: CrashKind, cut: &dyn Fn(&SimFs) -> SimFs) {
        if kind == CrashKind::PowerCut {
            let left = cut(&self.sim);
            self.effects_before += u64::from(self.sim.effect_count());
            self.fs = Arc::new(left.clone());
            self.sim = left;
        }
    }

    /// The files of the data directory: name, size, and the bytes of those that are looked into,
    /// `with_quarantine` also of what was kept aside.
    pub(crate) fn files(&self, planted: &[Planted], with_quarantine: bool) -> Vec<SeenFile> {
        let wanted = |name: &[u8]| is_looked_into(planted, name, with_quarantine);
        self.files_with(wanted)
    }

    /// The files of the data directory, with the bytes of those that are wanted by name.
    pub(crate) fn files_with(&self, wanted: impl Fn(&[u8]) -> bool) -> Vec<SeenFile> {
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

    /// Notes that messages of so many bytes are put from now on.
    pub(crate) fn note_messages(&self, bytes: usize) {
        let bytes = self.message_bytes.get().saturating_add(bytes as u64);
        self.message_bytes.set(bytes);
    }

    /// Runs an operation. Where it panicked, or was cut off, its process is dead: what it held is
    /// to be dropped.
    pub(crate) fn run<T>(&self, body: impl FnOnce() -> T) -> Result<T, Failure> {
        let effects = self.effects_before + u64::from(self.sim.effect_count());
        let calls_max = CALLS_BASE + CALLS_EACH * effects + self.message_bytes.get();
        self.sim.set_call_limit(Some(calls_max));
        match guarded(body) {
            Ok(answer) if !self.sim.cut_off() => Ok(answer),
            // Whatever it answered, an operation that was cut off did not end by itself.
            Ok(_) => Err(Failure {
                kind: FailureKind::CutOff,
                applied: Applied::Unknown,
                message: format!("made more than {calls_max} file calls and was cut off"),
            }),
            Err(failure) => Err(failure),
        }
    }
}
