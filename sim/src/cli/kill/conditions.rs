//! What a real machine may put a process into: no space, no descriptors, a directory that cannot be
//! written to. Where the machine does not let itself be put there, the condition is skipped, aloud.

use super::child::{Part, Said};
use super::place::{Place, files_in};
use super::process::{Process, drained, last_words};
use super::round::Broken;
use crate::cli::failure::Failure;
use crate::explore::judge_killed;
use crate::generate::Abilities;
use crate::oracle::Violation;
use crate::scenario::{Action, Clause, FailureKind, FifoOptions, Outcome, Scenario, Step};
use crashline::fs::{Fs, RealFs};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a condition came to.
#[derive(Debug)]
pub(super) enum Ended {
    /// It was played; what it was like.
    Played(String),
    /// It could not be made, for this reason.
    Skipped(String),
    /// A clause was broken.
    Failed(Box<Broken>),
}

/// Sizes of the messages that fill a disk.
const FILLING_BYTES: u32 = 4096;
/// The size of the full disk.
const DISK_BYTES: u32 = 256 * 1024;
/// Descriptors that are tried as limits; three of them are the standard streams.
const DESCRIPTORS: std::ops::RangeInclusive<u32> = 4..=16;

fn steps(actions: impl IntoIterator<Item = Action>, like: &Scenario) -> Scenario {
    Scenario {
        steps: actions.into_iter().map(Step::queue).collect(),
        options: FifoOptions {
            segment_bytes_max: 64 * 1024,
            ..FifoOptions::default()
        },
        planted: Vec::new(),
        ..like.clone()
    }
}

fn put(size: u32) -> Action {
    Action::Put { size }
}

/// A disk of its own that is full in the middle of the run, is drained, and has space again.
pub(super) fn full_disk(like: &Scenario, place: &Place) -> Result<Ended, Failure> {
    let disk = match Mounted::at(place.fresh("disk")?, &format!("size={DISK_BYTES}")) {
        Ok(disk) => disk,
        Err(reason) => return Ok(Ended::Skipped(reason)),
    };
    let count = 2 * DISK_BYTES / FILLING_BYTES;
    let filling = (0..count).map(|_| put(FILLING_BYTES));
    let draining = (0..count).map(|_| Action::Read);
    let after = [
        Action::Sync,
        put(FILLING_BYTES),
        Action::Sync,
        put(9),
        Action::Close,
    ];
    let actions = filling.chain([Action::Sync]).chain(draining).chain(after);
    let scenario = steps(actions, like);
    let said = Process::start(&scenario, &disk.path, Part::Steps, None)?.finish()?;
    let outcomes = last_words(&said).ended;
    let failed = outcomes.iter().filter(|outcome| is_io(outcome)).count();
    if failed == 0 {
        return Ok(Ended::Skipped("the disk was never full".to_owned()));
    }
    let words = format!("{failed} of {} operations met it", outcomes.len());
    judged(&scenario, &said, &disk.path, words)
}

/// Every limit of descriptors that could matter.
pub(super) fn few_descriptors(like: &Scenario, place: &Place) -> Result<Ended, Failure> {
    let round = [put(60), put(60), Action::Sync, Action::Read, Action::Depth];
    let rounds = (0..6).flat_map(|_| round.clone());
    let mut scenario = steps(rounds.chain([Action::Close]), like);
    scenario.options.segment_bytes_max = 200;
    let mut failing = 0;
    for limit in DESCRIPTORS {
        let directory = place.fresh("data")?;
        let said = Process::start(&scenario, &directory, Part::Steps, Some(limit))?.finish()?;
        let met = said.iter().any(|one| match one {
            Said::Opened(outcome) | Said::End(outcome) => is_io(outcome),
            Said::Begin | Said::Message(_) | Said::Drained(_) => false,
        });
        failing += u32::from(met);
        if let ended @ Ended::Failed(_) = judged(&scenario, &said, &directory, String::new())? {
            return Ok(ended);
        }
    }
    if failing == 0 {
        return Ok(Ended::Skipped(
            "no limit of descriptors had any effect".to_owned(),
        ));
    }
    Ok(Ended::Played(format!(
        "{failing} of {} limits were met",
        DESCRIPTORS.count()
    )))
}

/// A directory that cannot be written to can be looked at, and is left as it is.
pub(super) fn read_only(like: &Scenario, place: &Place) -> Result<Ended, Failure> {
    if !Abilities::of(&like.engine).look {
        let reason = "the engine has no opening for reading only";
        return Ok(Ended::Skipped(reason.to_owned()));
    }
    let disk = match Mounted::at(place.fresh("disk")?, "size=1m") {
        Ok(disk) => disk,
        Err(reason) => return Ok(Ended::Skipped(reason)),
    };
    let actions = (0..5).map(|_| put(20)).chain([Action::Read, Action::Close]);
    let scenario = steps(actions, like);
    Process::start(&scenario, &disk.path, Part::Steps, None)?.finish()?;
    disk.forbid_writing().map_err(Failure::usage)?;
    let before = files_in(&disk.path)?;
    let said = Process::start(&scenario, &disk.path, Part::Look, None)?.finish()?;
    let shown = drained(&said).len();
    let refused = super::round::open(&scenario, &disk.path, false).outcome;
    let evidence = if shown != 4 {
        Some(format!("{shown} of 4 messages were shown"))
    } else if !is_io(&refused) {
        Some(format!("opening for writing answered {refused:?}"))
    } else if files_in(&disk.path)? != before {
        Some("the directory was changed".to_owned())
    } else {
        None
    };
    Ok(match evidence {
        None => Ended::Played("4 messages were shown, opening for writing was refused".to_owned()),
        Some(evidence) => Ended::Failed(Box::new(Broken {
            violation: Violation {
                clause: Clause::C14,
                evidence,
                step: None,
            },
            scenario,
            files: before,
        })),
    })
}

fn is_io(outcome: &Outcome) -> bool {
    let is_io = |failure: &crate::scenario::Failure| matches!(failure.kind, FailureKind::Io(_));
    outcome.result.as_ref().is_err_and(is_io)
}

/// Judges a process that ended by itself. From the first failed operation on any call may fail.
fn judged(
    scenario: &Scenario,
    said: &[Said],
    directory: &Path,
    words: String,
) -> Result<Ended, Failure> {
    let mut last = last_words(said);
    let open_failed = last.opened.as_ref().is_some_and(is_io);
    let first = match open_failed {
        true => Some(0),
        false => last.ended.iter().position(is_io),
    };
    let count = u32::try_from(last.ended.len()).unwrap_or(u32::MAX);
    // An owed sync may fail before anybody is told, so the step before is doubtful too.
    let first = first.map(|first| u32::try_from(first).unwrap_or(u32::MAX).saturating_sub(1));
    last.doubtful = first.map_or(Vec::new(), |first| (first..count.max(1)).collect());
    let files = files_in(directory)?;
    let violations = judge_killed(scenario, &last, &files, RealFs.boot_id())?;
    Ok(match violations.into_iter().next() {
        None => Ended::Played(words),
        Some(violation) => Ended::Failed(Box::new(Broken {
            violation,
            scenario: scenario.clone(),
            files,
        })),
    })
}

/// A small filesystem in memory; unmounted when dropped.
struct Mounted {
    path: PathBuf,
}

impl Mounted {
    fn at(path: PathBuf, options: &str) -> Result<Self, String> {
        run("mount", &["-t", "tmpfs", "-o", options, "crashline"], &path)?;
        Ok(Self { path })
    }

    fn forbid_writing(&self) -> Result<(), String> {
        run("mount", &["-o", "remount,ro"], &self.path)
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        // Left mounted, it only takes memory until the next restart.
        drop(run("umount", &[], &self.path));
    }
}

/// Runs a system command on a path; its first words where it fails.
fn run(program: &str, arguments: &[&str], path: &Path) -> Result<(), String> {
    let output = Command::new(program).args(arguments).arg(path).output();
    let output = output.map_err(|error| format!("there is no `{program}`: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&output.stderr);
    let first = words.lines().next().unwrap_or("it failed");
    Err(format!("`{program}` is not permitted here: {first}"))
}
