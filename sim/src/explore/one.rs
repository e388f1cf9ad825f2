//! One scenario: recorded once, then every crash of it.

use super::engines::{EngineInfo, QueueSystem, System, engine};
use super::error::CheckError;
use super::fifo_trial::FifoTrial;
pub use super::limits::ExploreLimits;
use super::quirks::refuse_unknown_quirks;
use super::record::{NoWatch, Recorded, record};
use super::result::Found;
use super::script::TailMessages;
use super::timeline::Timeline;
use super::trial::Trial;
use super::visit::{Bench, Broken, Visit};
use super::vouched::Vouching;
use crate::crash::{Profile, Summary, profile, walk};
use crate::fault::Damage;
use crate::oracle::sometimes::Marks;
use crate::oracle::{Strengths, Violation};
use crate::scenario::{Clause, RunKind, Scenario};
use crate::simfs::Recording;
use std::collections::BTreeMap;

/// What exploring one scenario came to.
#[derive(Debug, Clone, Default)]
pub struct Explored {
    /// Crash points looked at.
    pub points: u64,
    /// Of these, points at which every allowed state was taken.
    pub points_enumerated: u64,
    /// (crash point, state) pairs judged.
    pub states_judged: u64,
    /// Images built, hashed and looked up.
    pub states_built: u64,
    /// Distinct images recovered and judged.
    pub states_recovered: u64,
    /// Judgements that failed.
    pub violations: u64,
    /// The simplest example of every broken clause, with its scenario.
    pub broken: BTreeMap<Clause, (Violation, Scenario)>,
    /// The faults that fired, by kind.
    pub fired: BTreeMap<&'static str, u64>,
    /// The "sometimes" marks that were reached.
    pub marks: Marks,
    /// Something that is not the queue's lay in its directory.
    pub is_beside_others: bool,
    /// The queue began near the last segment that there can be.
    pub has_last_numbers: bool,
    /// A hash of everything that was judged.
    pub digest: u64,
    /// Why something could not be decided.
    pub unknown: Option<String>,
}

/// Explores a scenario.
///
/// # Errors
/// When it names what does not exist, or its faults or damage make no sense.
pub fn explore(scenario: &Scenario, limits: &ExploreLimits) -> Result<Explored, CheckError> {
    let engine = fitting_engine_of(scenario)?;
    if scenario.run == RunKind::Orders {
        return super::orders::explore(scenario, limits);
    }
    if scenario.run == RunKind::Calls {
        return super::each_call::explore(scenario, limits);
    }
    let profile = profile_of(scenario)?;
    let queue = match &engine.system {
        System::Queue(queue) => queue,
        System::Log(log) => return super::log::explore(log, scenario, profile, limits),
        System::Cluster => return super::cluster::explore(scenario, profile),
        System::Offsets(store) => {
            return super::offsets::explore(store, scenario, profile, limits);
        }
    };
    let closed;
    let scenario = if scenario.run == RunKind::Damage {
        closed = super::damages::with_clean_end(scenario);
        &closed
    } else {
        scenario
    };
    let recorded = record(queue, scenario, &mut NoWatch)?;
    let history = &recorded.history;
    let mut explored = Explored {
        is_beside_others: !history.planted().is_empty() && !history.has_last_numbers(),
        has_last_numbers: history.has_last_numbers(),
        ..Explored::default()
    };
    explored.take_violations(scenario, &recorded.violations);
    if recorded.is_undecided {
        explored.unknown = Some("the end of a run could not be decided".to_owned());
    }
    for fired in &recorded.fired {
        *explored.fired.entry(fired.kind).or_default() += 1;
    }
    match scenario.run {
        _ if limits.without_crashes => explored.marks.add(recorded.marks),
        RunKind::Crashes | RunKind::Errors => {
            explored.crashes(queue, scenario, profile, &recorded, limits);
        }
        RunKind::Damage => super::damage::explore(queue, scenario, &recorded, &mut explored)?,
        RunKind::Orders | RunKind::Calls => {}
    }
    Ok(explored)
}

/// Looks for one clause: the violation with the crash that shows it, where there is one within
/// small limits; without a timeline. With `inside`, crashes inside recovery are tried too; with
/// `simplest`, the whole of it is explored for the simplest crash, else the first one will do.
///
/// # Errors
/// As [`explore`].
pub fn find_break(
    scenario: &Scenario,
    clause: Clause,
    inside: bool,
    simplest: bool,
) -> Result<Option<Found>, CheckError> {
    let mut limits = ExploreLimits {
        depth: u8::from(inside),
        ..ExploreLimits::default()
    };
    limits.first.images_max = Some(IMAGES_FIND_MAX);
    limits.wanted = (!simplest).then_some(clause);
    if scenario.run == RunKind::Orders {
        fitting_engine_of(scenario)?;
        return super::orders::find_break(scenario, clause, &limits);
    }
    let explored = explore(scenario, &limits)?;
    Ok(explored
        .broken
        .into_iter()
        .find(|(broken, _)| *broken == clause)
        .map(|(_, (violation, shown))| Found::of(violation, shown, Timeline::default())))
}

/// Images that a search for one clause recovers at most, crashes inside recovery not counted.
const IMAGES_FIND_MAX: u64 = 2_000;

/// The engine that a scenario names.
pub(crate) fn engine_of(scenario: &Scenario) -> Result<&'static EngineInfo, CheckError> {
    engine(&scenario.engine)
        .ok_or_else(|| CheckError::Usage(format!("there is no engine `{}`", scenario.engine)))
}

/// The disk profile that a scenario names.
pub(crate) fn profile_of(scenario: &Scenario) -> Result<&'static Profile, CheckError> {
    profile(&scenario.profile)
        .ok_or_else(|| CheckError::Usage(format!("there is no profile `{}`", scenario.profile)))
}

/// The same, where the scenario's program is one for it.
pub(crate) fn fitting_engine_of(scenario: &Scenario) -> Result<&'static EngineInfo, CheckError> {
    let engine = engine_of(scenario)?;
    refuse_unknown_quirks(scenario)?;
    let (is_fitting, what) = match &engine.system {
        System::Queue(_) => (scenario.is_of_a_queue(), "a queue"),
        System::Log(_) => (scenario.log.is_some(), "a log"),
        System::Offsets(_) => (scenario.offsets.is_some(), "an offset store"),
        System::Cluster => (scenario.cluster.is_some(), "a cluster"),
    };
    let name = engine.name;
    if !is_fitting {
        let words = format!("the engine `{name}` needs the program of {what}");
        return Err(CheckError::bad_scenario(words));
    }
    if scenario.run == RunKind::Orders && !engine.is_queue() {
        let words = format!("the engine `{name}` has no runs of orders");
        return Err(CheckError::bad_scenario(words));
    }
    if scenario.run == RunKind::Calls {
        super::each_call::refuse_unfit(scenario)?;
    }
    Ok(engine)
}

/// The queue that a scenario names.
pub(crate) fn queue_of(scenario: &Scenario) -> Result<&'static QueueSystem, CheckError> {
    match &engine_of(scenario)?.system {
        System::Queue(queue) => Ok(queue),
        System::Log(_) | System::Offsets(_) | System::Cluster => {
            let words = format!("the engine `{}` is no queue", scenario.engine);
            Err(CheckError::bad_scenario(words))
        }
    }
}

/// What a scenario's run is held to: the queue's strengths, as far as the disk bears them.
pub(crate) fn strengths_of(
    queue: &QueueSystem,
    scenario: &Scenario,
) -> Result<Strengths, CheckError> {
    Ok(Strengths {
        syncs_keep: profile_of(scenario)?.syncs_keep,
        ..queue.strengths
    })
}

impl Explored {
    fn crashes(
        &mut self,
        queue: &QueueSystem,
        scenario: &Scenario,
        profile: &Profile,
        recorded: &Recorded,
        limits: &ExploreLimits,
    ) {
        let tail = TailMessages::after(&recorded.history, &scenario.options);
        let vouching = (!profile.syncs_keep).then(|| Vouching::of(&recorded.recording, None));
        let trial = FifoTrial::of(queue, scenario, profile, recorded, &tail);
        let mut visit = Visit::new(Bench {
            trial: &trial,
            profile,
            vouching: vouching.as_ref(),
            nested: &limits.nested,
            depth: limits.depth,
            recovered_max: limits.recovered_max,
            inside_one_in: limits.inside_one_in(&recorded.recording),
            seed: scenario.seed,
            wanted: limits.wanted,
        });
        let summary = walk(
            &recorded.recording,
            profile,
            &limits.first,
            scenario.seed,
            &mut visit,
        );
        self.marks.add(recorded.marks);
        self.take_visit(scenario, &recorded.recording, &summary, visit);
    }

    /// Adds up what a walk through the crashes of a recorded run has come to.
    pub(crate) fn take_visit<T: Trial>(
        &mut self,
        scenario: &Scenario,
        recording: &Recording,
        summary: &Summary,
        mut visit: Visit<'_, T>,
    ) {
        // What lies beyond the end of a walk that was cut short counts as not enumerated.
        let unseen = if summary.is_cut_short {
            let new = recording.log().len() - recording.history();
            (new as u64 + 1).saturating_sub(summary.points)
        } else {
            0
        };
        self.points += summary.points + unseen;
        self.points_enumerated += summary.points_enumerated - visit.points_cut;
        self.states_judged += visit.judged;
        self.states_built += summary.states_built + visit.built_inside;
        self.states_recovered += visit.recovered;
        self.violations += visit.violations;
        self.digest = visit.digest ^ visit.judged.rotate_left(32) ^ self.digest.rotate_left(1);
        self.marks.add(visit.marks);
        if visit.undecided > 0 {
            self.unknown = Some(format!("{} outcomes could not be decided", visit.undecided));
        }
        for (clause, broken) in std::mem::take(&mut visit.broken) {
            self.take(clause, scenario, broken);
        }
    }

    /// Violations that need no crash; the first of each clause counts.
    pub(crate) fn take_violations(&mut self, scenario: &Scenario, violations: &[Violation]) {
        self.violations += violations.len() as u64;
        for violation in violations {
            let broken = Broken {
                violation: violation.clone(),
                crashes: Vec::new(),
            };
            self.take(violation.clause, scenario, broken);
        }
    }

    /// Counts the kinds of damage that were done.
    pub(crate) fn note_damage(&mut self, lines: &[String]) -> Result<(), CheckError> {
        for line in lines {
            let damage: Damage = line.parse().map_err(CheckError::bad_scenario)?;
            *self.fired.entry(damage.kind_name()).or_default() += 1;
        }
        Ok(())
    }

    /// Takes a broken clause with the crashes that show it.
    pub(crate) fn take(&mut self, clause: Clause, scenario: &Scenario, broken: Broken) {
        let mut shown = scenario.clone();
        shown.crashes = broken.crashes;
        self.broken
            .entry(clause)
            .or_insert((broken.violation, shown));
    }
}
