//! One round: a process is started, killed, and what it left is judged and recovered, on the
//! simulated disk and for real.

use super::child::Part;
use super::place::{Place, files_in, keep, plant};
use super::process::{Process, drained, last_words};
use crate::cli::failure::Failure;
use crate::explore::{EngineInfo, LeftFiles, delivered, engine, judge_killed};
use crate::generate::Prng;
use crate::oracle::{Violation, wrong_second_opener};
use crate::scenario::{Clause, FailureKind, Outcome, Scenario};
use crate::subject::{OpenRequest, Opened};
use crashline::fs::{Fs, RealFs};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The longest pause between the last word that is waited for and the kill, in microseconds.
const PAUSE_US_MAX: u32 = 400;
/// The longest life of a process that is killed while it recovers, in microseconds.
const RECOVERY_US_MAX: u32 = 4_000;

/// What the rounds came to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    /// Processes killed.
    pub(super) kills: u64,
    /// Of these while an operation, or the first open, was in flight.
    pub(super) in_flight: u64,
    /// Of these while recovering from an earlier kill, or soon after.
    pub(super) recovering: u64,
    /// Second openers that were sent away.
    pub(super) second_openers: u64,
    /// Messages that came back.
    pub(super) messages: u64,
}

/// A broken clause, and what shows it.
#[derive(Debug)]
pub(super) struct Broken {
    pub(super) violation: Violation,
    pub(super) scenario: Scenario,
    pub(super) files: LeftFiles,
}

/// Plays one round; what it breaks, if anything.
pub(super) fn play(
    scenario: &Scenario,
    place: &Place,
    prng: &mut Prng,
    counts: &mut Counts,
) -> Result<Vec<Broken>, Failure> {
    let directory = place.fresh("data")?;
    plant(&directory, &scenario.planted)?;
    let asks = prng.below(4) == 0;
    let part = if asks {
        Part::StepsWhenAsked
    } else {
        Part::Steps
    };
    let mut process = Process::start(scenario, &directory, part, None)?;
    let mut violations = Vec::new();
    if asks && process.listen()? {
        violations.extend(try_second(scenario, &directory, counts));
        process.ask();
    }
    let lines = u32::try_from(2 * scenario.steps.len() + 2).unwrap_or(u32::MAX);
    let lines_until_kill = prng.below(lines);
    for _ in 0..lines_until_kill {
        if !process.listen()? {
            break;
        }
    }
    pause(prng.below(PAUSE_US_MAX));
    let said = process.kill()?;
    counts.kills += 1;
    let words = last_words(&said);
    counts.in_flight += u64::from(words.in_flight || words.opened.is_none());
    if prng.below(3) == 0 {
        let second = Process::start(scenario, &directory, Part::StepsWhenAsked, None)?;
        pause(prng.below(RECOVERY_US_MAX));
        second.kill()?;
        counts.kills += 1;
        counts.recovering += 1;
    }
    let files = files_in(&directory)?;
    let boot = RealFs.boot_id();
    violations.extend(judge_killed(scenario, &words, &files, boot)?);
    violations.extend(recover(scenario, &directory, &files, counts)?);
    let broken = |violation| Broken {
        violation,
        scenario: scenario.clone(),
        files: files.clone(),
    };
    Ok(violations.into_iter().map(broken).collect())
}

/// Recovers for real; the messages must be those that the simulated disk delivers.
fn recover(
    scenario: &Scenario,
    directory: &Path,
    files: &LeftFiles,
    counts: &mut Counts,
) -> Result<Option<Violation>, Failure> {
    let expected = delivered(scenario, files, RealFs.boot_id())?;
    let said = Process::start(scenario, directory, Part::Drain, None)?.finish()?;
    let came = drained(&said);
    counts.messages += came.len() as u64;
    Ok((came != expected).then(|| Violation {
        clause: Clause::C2,
        evidence: format!(
            "recovery on the real disk delivered {} messages, on the simulated one {}",
            came.len(),
            expected.len()
        ),
        step: None,
    }))
}

/// A second opener while the first one is known to have the queue.
fn try_second(scenario: &Scenario, directory: &Path, counts: &mut Counts) -> Option<Violation> {
    let outcome = open(scenario, directory, false).outcome;
    let is_locked = |failure: &crate::scenario::Failure| failure.kind == FailureKind::Locked;
    counts.second_openers += u64::from(outcome.result.as_ref().is_err_and(is_locked));
    wrong_second_opener(&outcome).map(|finding| finding.violation(None))
}

/// Opens the queue in this process.
pub(super) fn open(scenario: &Scenario, directory: &Path, read_only: bool) -> Opened {
    let fs: Arc<dyn Fs> = Arc::new(RealFs);
    let request = OpenRequest {
        fs: &fs,
        directory,
        object: "queue",
        options: &scenario.options,
        read_only,
        quirks: &scenario.quirks,
    };
    match engine(&scenario.engine).and_then(EngineInfo::queue) {
        Some(known) => known.subject_of(scenario).open(&request),
        None => Opened {
            outcome: Outcome::failed(
                FailureKind::Unsupported,
                crate::scenario::Applied::No,
                "there is no such engine",
            ),
            object: None,
        },
    }
}

/// Keeps what shows a violation: the scenario and the files that the process left.
pub(super) fn save(broken: &Broken, folder: &Path, round: u64) -> Result<String, Failure> {
    let folder = folder.join(format!("kill-{round}-{}", broken.violation.clause));
    keep(&broken.files, &folder.join("data"))?;
    let file = folder.join("scenario.json");
    crate::cli::files::write_text(&file, &broken.scenario.to_text())?;
    Ok(folder.display().to_string())
}

fn pause(microseconds: u32) {
    std::thread::sleep(Duration::from_micros(u64::from(microseconds)));
}
