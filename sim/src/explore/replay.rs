//! One crash of one scenario, followed step by step for a person.

use super::damage;
use super::engines::{QueueSystem, System};
use super::error::CheckError;
use super::one::{ExploreLimits, explore, fitting_engine_of, profile_of};
use super::record::{Recorded, Watch, record};
use super::replayed::{Judged, Replayed, replayed, unshown};
use super::result::Verdict;
use super::script::{Script, TailMessages};
use super::session::{DIRECTORY, Session};
use super::tail::Tail;
use super::timeline::{Entry, Timeline};
use super::vouched::{Vouching, counts};
use super::words;
use crate::crash::{Profile, materialize, worst};
use crate::oracle::{Violation, judge};
use crate::scenario::{Action, Clause, CrashChoice, CrashKind, Outcome, RunKind, Scenario};
use crate::simfs::{Call, Recording, SimFs, TreeEntry};
use std::path::Path;

/// Images that are recovered of a scenario that names no crash, before recoveries are no longer
/// crashed inside; on a disk whose syncs keep nothing there would be no end of them.
const RECOVERED_MAX: u64 = 200_000;

/// Replays a scenario: the crash it names, or, if it names none, the first violation among all
/// its crashes; one that needs no crash comes first.
///
/// # Errors
/// When the scenario names what does not exist, or a crash that its run does not have.
pub fn replay(scenario: &Scenario) -> Result<Replayed, CheckError> {
    replay_for(scenario, None)
}

/// Replays a scenario that may break several clauses, for this one; for another one that it breaks
/// where it keeps this one.
///
/// # Errors
/// As [`replay`].
pub fn replay_for(scenario: &Scenario, clause: Option<Clause>) -> Result<Replayed, CheckError> {
    if !scenario.crashes.is_empty() {
        return follow(scenario, clause);
    }
    let limits = ExploreLimits {
        recovered_max: RECOVERED_MAX,
        ..ExploreLimits::default()
    };
    let explored = explore(scenario, &limits)?;
    let needs_crash = |(_, shown): &&(Violation, Scenario)| !shown.crashes.is_empty();
    let asked = clause.and_then(|clause| explored.broken.get(&clause));
    let found = asked.or_else(|| explored.broken.values().min_by_key(needs_crash));
    let mut replayed = match found {
        Some((violation, shown)) => follow(shown, Some(violation.clause))?,
        None => follow(scenario, clause)?,
    };
    if replayed.verdict == Verdict::Pass {
        replayed.verdict = unshown(&explored)?;
    }
    replayed.explored = Some(explored);
    Ok(replayed)
}

/// Follows the one crash that a scenario names.
fn follow(scenario: &Scenario, wanted: Option<Clause>) -> Result<Replayed, CheckError> {
    let engine = fitting_engine_of(scenario)?;
    if scenario.run == RunKind::Orders {
        return super::orders::follow(scenario);
    }
    let profile = profile_of(scenario)?;
    let queue = match &engine.system {
        System::Queue(queue) => queue,
        System::Log(log) => return super::log::follow(log, scenario, profile, wanted),
        System::Cluster => return super::cluster::follow(scenario, profile, wanted),
        System::Offsets(store) => {
            return super::offsets::follow(store, scenario, profile, wanted);
        }
    };
    let mut watch = TimelineWatch {
        entries: Vec::new(),
    };
    let recorded = record(queue, scenario, &mut watch)?;
    let mut timeline = Timeline {
        heading: words::heading(scenario),
        entries: watch.entries,
    };
    let mut running = recorded.violations.iter();
    let first = running
        .find(|violation| wanted.is_none_or(|clause| violation.clause == clause))
        .cloned();
    let judged = if scenario.run == RunKind::Damage {
        let violation = first.map_or_else(
            || damage::follow(queue, scenario, &recorded, &mut timeline),
            |violation| Ok(Some(violation)),
        )?;
        Judged::of(violation, false)
    } else if scenario.crashes.is_empty() {
        Judged::of(first, false)
    } else {
        let following = Following {
            queue,
            profile,
            scenario,
            recorded: &recorded,
        };
        following.crashes(&mut timeline)?
    };
    Ok(replayed(scenario, judged, timeline))
}

struct Following<'f> {
    queue: &'f QueueSystem,
    profile: &'f Profile,
    scenario: &'f Scenario,
    recorded: &'f Recorded,
}

impl Following<'_> {
    /// The named crashes, one inside the recovery from the other, and what came back.
    fn crashes(&self, timeline: &mut Timeline) -> Result<Judged, CheckError> {
        let Some(first) = self.scenario.crashes.first() else {
            return Ok(Judged::Kept);
        };
        words::cut_at(first, &mut timeline.entries);
        let history = &self.recorded.history;
        let messages = TailMessages::after(history, &self.scenario.options);
        let step = u32::try_from(self.scenario.steps.len()).unwrap_or(u32::MAX);
        let mut recording = self.recorded.recording.clone();
        let mut kind = CrashKind::Kill;
        let mut left = None;
        let mut vouching = None;
        let mut is_vouched = true;
        for choice in &self.scenario.crashes {
            if let Some(sim) = left {
                recording = self.recover_only(sim, step, &messages, kind, timeline);
            }
            let known = Vouching::of(&recording, vouching.as_ref());
            is_vouched &= known.outlives(&choice.lost);
            vouching = Some(known);
            let sim = self.crash(&recording, choice, timeline)?;
            kind = kind.max(choice.kind);
            left = Some(sim);
        }
        let Some(sim) = left else {
            return Ok(Judged::Kept);
        };
        let script = Script::of(sim.tree_hash());
        let mut session = self.session(sim);
        let mut tail = Tail::new(&mut session, history, &messages, Some(kind)).with_log(step);
        tail.recover();
        let crash = |sim: &SimFs| worst(&sim.recording(), self.profile);
        let (observation, entries) = tail.go_on(script, &crash);
        timeline.entries.extend(entries);
        let windows = history.windows_at(first.marks);
        let violation = windows.and_then(|windows| judge(windows, kind, &observation));
        let violation =
            violation.filter(|violation| counts(self.profile, kind, violation, || is_vouched));
        Ok(Judged::of(violation, observation.undecided))
    }

    fn crash(
        &self,
        recording: &Recording,
        choice: &CrashChoice,
        timeline: &mut Timeline,
    ) -> Result<SimFs, CheckError> {
        let sim = materialize(recording, self.profile, choice)
            .map_err(|error| CheckError::Usage(format!("the crash cannot be made: {error}")))?;
        timeline.entries.push(crash_entry(recording, choice, &sim));
        Ok(sim)
    }

    fn session(&self, sim: SimFs) -> Session<'_> {
        let scenario = self.scenario;
        let effects = self.recorded.recording.effects().count() as u64;
        let mut session = Session::on(
            self.queue.subject_of(scenario),
            &scenario.quirks,
            scenario.options,
            sim,
        )
        .with_effects_before(effects);
        session.log_calls();
        session
    }

    /// Recovers without going on, and gives what the recovery did to the disk.
    fn recover_only(
        &self,
        sim: SimFs,
        step: u32,
        messages: &TailMessages,
        kind: CrashKind,
        timeline: &mut Timeline,
    ) -> Recording {
        let mut session = self.session(sim);
        let history = &self.recorded.history;
        let mut tail = Tail::new(&mut session, history, messages, Some(kind)).with_log(step);
        tail.recover();
        timeline.entries.extend(tail.take_log());
        drop(tail);
        session.sim().recording()
    }
}

/// A crash in a timeline, with what it lost and left.
pub(crate) fn crash_entry(recording: &Recording, choice: &CrashChoice, sim: &SimFs) -> Entry {
    let effects: Vec<_> = recording.effects().collect();
    let lost = choice
        .lost
        .iter()
        .filter_map(|number| effects.get(*number as usize));
    Entry::Crash {
        choice: choice.clone(),
        lost: lost.map(|effect| words::of_effect(effect)).collect(),
        files: files_of(sim),
    }
}

/// The files of the data directory.
pub(crate) fn files_of(sim: &SimFs) -> Vec<(String, u64)> {
    let file = |(path, entry): (std::path::PathBuf, TreeEntry)| match entry {
        TreeEntry::File(bytes) => {
            let name = path.strip_prefix(Path::new(DIRECTORY)).unwrap_or(&path);
            Some((name.to_string_lossy().into_owned(), bytes.len() as u64))
        }
        TreeEntry::Directory | TreeEntry::Special => None,
    };
    sim.tree().into_iter().filter_map(file).collect()
}

struct TimelineWatch {
    entries: Vec<Entry>,
}

impl Watch for TimelineWatch {
    fn opened(&mut self, outcome: &Outcome, calls: &[Call]) {
        self.entries.extend(words::of_calls(calls));
        self.entries.push(Entry::Note(format!(
            "opened: {}",
            words::of_outcome(outcome)
        )));
    }

    fn begin(&mut self, step: u32, action: &Action) {
        self.entries.push(Entry::Begin {
            step,
            call: words::of_action(action),
        });
    }

    fn end(&mut self, step: u32, outcome: &Outcome, calls: &[Call]) {
        self.entries.extend(words::of_calls(calls));
        self.entries.push(Entry::End {
            step,
            answer: words::of_outcome(outcome),
        });
    }

    fn wants_calls(&self) -> bool {
        true
    }
}
