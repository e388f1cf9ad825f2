//! A real process that was killed on a real filesystem: what it did and answered until then, and
//! the files it left, judged as a kill on the simulated disk is.

use super::engines::QueueSystem;
use super::error::CheckError;
use super::one::{profile_of, queue_of};
use super::script::{Script, TailMessages};
use super::session::{DIRECTORY, Session};
use super::tail::Tail;
use crate::crash::worst;
use crate::oracle::{FaultNote, FifoHistory, FifoOracle, Violation, judge};
use crate::scenario::{Action, CrashKind, Outcome, Reply, Scenario};
use crate::simfs::{SimFs, TreeEntry};
use crashline::fs::{BootId, Fs, FsFile, FsLock, OpenMode, Stat};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is known of a process that was killed, or that ended by itself.
#[derive(Debug, Clone, Default)]
pub struct LastWords {
    /// What the first open answered, if it had ended.
    pub opened: Option<Outcome>,
    /// What the steps that had ended answered, in order.
    pub ended: Vec<Outcome>,
    /// Whether the step after these had begun.
    pub in_flight: bool,
    /// Steps that may have met a failing call, although no answer says so.
    pub doubtful: Vec<u32>,
}

/// What a process left in its directory, by name.
pub type LeftFiles = Vec<(OsString, TreeEntry)>;

/// Judges what a killed process did, and what can be recovered from what it left. `boot` is the run
/// of the machine, in which the files are recovered.
///
/// # Errors
/// When the scenario names what does not exist.
pub fn judge_killed(
    scenario: &Scenario,
    words: &LastWords,
    left: &LeftFiles,
    boot: Option<BootId>,
) -> Result<Vec<Violation>, CheckError> {
    let queue = queue_of(scenario)?;
    let profile = profile_of(scenario)?;
    let (history, position, mut violations) = follow(queue, scenario, words);
    let sim = disk_of(left)?;
    let script = Script::of(sim.tree_hash());
    let fs: Arc<dyn Fs> = Arc::new(SameBoot {
        sim: sim.clone(),
        boot,
    });
    let subject = queue.subject_of(scenario);
    let messages = TailMessages::after(&history, &scenario.options);
    let mut session = Session::new(subject, &scenario.quirks, scenario.options, sim, fs);
    let mut tail = Tail::new(&mut session, &history, &messages, Some(CrashKind::Kill));
    tail.recover();
    let (observation, _) = tail.go_on(script, &|sim: &SimFs| worst(&sim.recording(), profile));
    let windows = history.windows_at(position);
    violations.extend(windows.and_then(|windows| judge(windows, CrashKind::Kill, &observation)));
    Ok(violations)
}

/// What a recovery on the simulated disk delivers from these files, in the same run of the machine.
///
/// # Errors
/// When the scenario names what does not exist.
pub fn delivered(
    scenario: &Scenario,
    left: &LeftFiles,
    boot: Option<BootId>,
) -> Result<Vec<Vec<u8>>, CheckError> {
    let queue = queue_of(scenario)?;
    let sim = disk_of(left)?;
    let fs: Arc<dyn Fs> = Arc::new(SameBoot {
        sim: sim.clone(),
        boot,
    });
    let subject = queue.subject_of(scenario);
    let mut session = Session::new(subject, &scenario.quirks, scenario.options, sim, fs);
    let mut messages = Vec::new();
    if session.open(false).result.is_ok() {
        session.drain(&mut |message| {
            messages.push(message.to_vec());
            true
        });
    }
    Ok(messages)
}

/// Follows the run up to the kill: what it allows, the position in it, and what was wrong already.
fn follow(
    queue: &QueueSystem,
    scenario: &Scenario,
    words: &LastWords,
) -> (FifoHistory, u32, Vec<Violation>) {
    let mut oracle = FifoOracle::new(scenario, queue.strengths);
    let mut violations = Vec::new();
    let note = |oracle: &mut FifoOracle, step: u32| {
        if words.doubtful.contains(&step) {
            oracle.fault_fired(step, FaultNote::Call);
        }
    };
    note(&mut oracle, 0);
    if let Some(opened) = &words.opened {
        violations.extend(oracle.opened(opened));
    }
    let mut position = 0;
    for (step, outcome) in (0_u32..).zip(&words.ended) {
        note(&mut oracle, step);
        violations.extend(oracle.end(step, outcome));
        position = 2 * step + 2;
    }
    let next = scenario.steps.get(words.ended.len());
    if let Some(step) = next.filter(|_| words.in_flight)
        && changes_the_end(&step.action)
    {
        // As if it were to succeed: of what is in flight all or nothing may be there.
        let number = u32::try_from(words.ended.len()).unwrap_or(u32::MAX);
        oracle.end(number, &Outcome::ok(Reply::Done));
        position += 1;
    }
    (oracle.finish(), position, violations)
}

/// Whether an operation in flight can make a difference to what a kill leaves.
fn changes_the_end(action: &Action) -> bool {
    match action {
        Action::Put { .. } | Action::PutBatch { .. } | Action::Empty | Action::Delete => true,
        Action::Open { .. }
        | Action::OpenReadOnly
        | Action::Read
        | Action::Peek
        | Action::Depth
        | Action::Sync
        | Action::Tick { .. }
        | Action::Settle
        | Action::Close
        | Action::Kill => false,
    }
}

fn disk_of(left: &LeftFiles) -> Result<SimFs, CheckError> {
    let directory = Path::new(DIRECTORY);
    let mut tree = vec![(directory.to_owned(), TreeEntry::Directory)];
    let entry = |(name, entry): &(OsString, TreeEntry)| -> (PathBuf, TreeEntry) {
        (directory.join(name), entry.clone())
    };
    tree.extend(left.iter().map(entry));
    SimFs::from_tree(&tree)
        .map_err(|error| CheckError::defect(format!("the files cannot be copied: {error}")))
}

/// A simulated disk in a given run of the machine.
#[derive(Debug)]
struct SameBoot {
    sim: SimFs,
    boot: Option<BootId>,
}

impl Fs for SameBoot {
    fn open(&self, path: &Path, mode: OpenMode, permissions: u32) -> io::Result<Box<dyn FsFile>> {
        self.sim.open(path, mode, permissions)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.sim.stat(path)
    }

    fn list_dir(&self, directory: &Path, show: &mut dyn FnMut(&OsStr)) -> io::Result<()> {
        self.sim.list_dir(directory, show)
    }

    fn create_dir(&self, directory: &Path) -> io::Result<()> {
        self.sim.create_dir(directory)
    }

    fn rename(&self, source: &Path, target: &Path) -> io::Result<()> {
        self.sim.rename(source, target)
    }

    fn rename_no_replace(&self, source: &Path, target: &Path) -> io::Result<()> {
        self.sim.rename_no_replace(source, target)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.sim.remove_file(path)
    }

    fn sync_dir(&self, directory: &Path) -> io::Result<()> {
        self.sim.sync_dir(directory)
    }

    fn try_lock(&self, path: &Path, permissions: u32) -> io::Result<Box<dyn FsLock>> {
        self.sim.try_lock(path, permissions)
    }

    fn boot_id(&self) -> Option<BootId> {
        self.boot
    }
}
