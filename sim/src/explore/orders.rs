//! A run of several threads through all its crashes, and one of them followed for a person.

use super::error::CheckError;
use super::one::{ExploreLimits, Explored, profile_of};
use super::replay::files_of;
use super::replayed::{Judged, Replayed, replayed};
use super::result::Found;
use super::timeline::{Entry, Timeline};
use super::visit::Broken;
use super::vouched::{Vouching, counts};
use super::words;
use crate::crash::{Image, Limits, Point, Profile, State, Visitor, materialize, walk};
use crate::generate::Prng;
use crate::oracle::Violation;
use crate::orders::{Came, Ran, Story, drain, judge_after, judge_story, run};
use crate::scenario::{Clause, CrashChoice, CrashKind, Scenario};
use std::collections::BTreeMap;

/// Images of one run: many runs show more than all crashes of a few.
const IMAGES_MAX: u64 = 400;
const STATES_MAX: usize = 128;

/// Bytes of a record before its message.
const RECORD_HEADER_BYTES: u64 = 4;

/// Orders that are tried for a scenario that may have been found broken in another one.
const ORDERS_MAX: u64 = 24;

/// Explores a scenario of several threads.
pub(crate) fn explore(scenario: &Scenario, limits: &ExploreLimits) -> Result<Explored, CheckError> {
    let profile = profile_of(scenario)?;
    let ran = run(scenario).map_err(CheckError::bad_scenario)?;
    let mut explored = Explored::default();
    explored.take_violations(scenario, &violations_of(scenario, &ran));
    for fired in &ran.fired {
        *explored.fired.entry(fired.kind).or_default() += 1;
    }
    explored.digest = digest_of(&ran);
    if !explored.broken.is_empty() {
        // Crashes of a run that is wrong by itself show nothing more.
        return Ok(explored);
    }
    let limits = Limits {
        states_max: STATES_MAX,
        images_max: Some(IMAGES_MAX),
        ..limits.first
    };
    let mut visit = Visit {
        story: &ran.story,
        profile,
        vouching: Vouching::of(&ran.recording, None),
        scenario,
        came: Vec::new(),
        known: BTreeMap::new(),
        judged: BTreeMap::new(),
        broken: BTreeMap::new(),
        pairs: 0,
        recovered: 0,
        violations: 0,
    };
    let summary = walk(&ran.recording, profile, &limits, scenario.seed, &mut visit);
    let unseen = if summary.is_cut_short {
        (ran.recording.log().len() as u64 + 1).saturating_sub(summary.points)
    } else {
        0
    };
    explored.points = summary.points + unseen;
    explored.points_enumerated = summary.points_enumerated;
    explored.states_judged = visit.pairs;
    explored.states_built = summary.states_built;
    explored.states_recovered = visit.recovered;
    explored.violations += visit.violations;
    for (came, number) in &visit.known {
        let words = format!("{came:?}{number}");
        explored.digest = fold(explored.digest, words.as_bytes());
    }
    for (clause, broken) in visit.broken {
        explored.take(clause, scenario, broken);
    }
    Ok(explored)
}

/// Looks for one clause in several orders of the scenario's threads.
pub(crate) fn find_break(
    scenario: &Scenario,
    clause: Clause,
    limits: &ExploreLimits,
) -> Result<Option<Found>, CheckError> {
    for order in 0..ORDERS_MAX {
        let mut candidate = scenario.clone();
        if order > 0 {
            let name = format!("order {order}");
            candidate.seed = Prng::named(scenario.seed, &name).draw();
        }
        let mut explored = explore(&candidate, limits)?;
        if let Some((violation, shown)) = explored.broken.remove(&clause) {
            return Ok(Some(Found::of(violation, shown, Timeline::default())));
        }
    }
    Ok(None)
}

/// What is wrong without a crash.
fn violations_of(scenario: &Scenario, ran: &Ran) -> Vec<Violation> {
    if let Some(words) = &ran.panicked {
        return vec![Violation {
            clause: Clause::C3,
            evidence: words.clone(),
            step: None,
        }];
    }
    let sizes = scenario.steps.iter().flat_map(|step| step.action.sizes());
    let bytes: u64 = sizes
        .map(|size| RECORD_HEADER_BYTES + u64::from(*size))
        .sum();
    let can_roll = bytes > scenario.options.segment_bytes_max;
    judge_story(&ran.story, ran.ended, ran.left.as_ref(), can_roll)
}

fn digest_of(ran: &Ran) -> u64 {
    let digest = ran.story.events.iter().fold(0, |digest, event| {
        fold(digest, format!("{event:?}").as_bytes())
    });
    fold(digest, format!("{:?}{:?}", ran.ended, ran.left).as_bytes())
}

fn fold(digest: u64, bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64_with_seed(bytes, digest.rotate_left(5))
}

struct Visit<'a> {
    story: &'a Story,
    profile: &'a Profile,
    vouching: Vouching,
    scenario: &'a Scenario,
    came: Vec<Came>,
    known: BTreeMap<Came, u32>,
    /// Whether something is wrong with what came, by place and kind of crash.
    judged: BTreeMap<(u32, CrashKind, u32), Option<Violation>>,
    broken: BTreeMap<Clause, Broken>,
    pairs: u64,
    recovered: u64,
    violations: u64,
}

impl Visitor for Visit<'_> {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        self.recovered += 1;
        let came = drain(&image.mount(), self.story, self.scenario);
        if let Some(number) = self.known.get(&came) {
            return *number;
        }
        let number = u32::try_from(self.came.len()).unwrap_or(u32::MAX);
        self.came.push(came.clone());
        self.known.insert(came, number);
        number
    }

    fn state(&mut self, point: &Point, state: &State<'_>, outcome: u32) {
        self.pairs += 1;
        let key = (point.marks, state.kind(), outcome);
        let violation = match self.judged.get(&key) {
            Some(known) => known.clone(),
            None => {
                let came = self.came.get(outcome as usize);
                let every = self.scenario.options.sync_every;
                let judged = came.and_then(|came| {
                    judge_after(self.story, point.marks as usize, state.kind(), every, came)
                });
                self.judged.insert(key, judged.clone());
                judged
            }
        };
        let Some(violation) = violation else { return };
        let is_vouched = || self.vouching.outlives(&state.choice().lost);
        if !counts(self.profile, state.kind(), &violation, is_vouched) {
            return;
        }
        self.violations += 1;
        let clause = violation.clause;
        let weight = |choice: &CrashChoice| (choice.lost.len(), choice.point);
        let choice = state.choice();
        let best = self
            .broken
            .get(&clause)
            .and_then(|best| best.crashes.first());
        if best.is_none_or(|best| weight(&choice) < weight(best)) {
            let crashes = vec![choice];
            self.broken.insert(clause, Broken { violation, crashes });
        }
    }
}

/// Follows the one crash that a scenario names, or the run without one.
pub(crate) fn follow(scenario: &Scenario) -> Result<Replayed, CheckError> {
    let profile = profile_of(scenario)?;
    let ran = run(scenario).map_err(CheckError::bad_scenario)?;
    let place = scenario.crashes.first();
    let place = place.map_or(usize::MAX, |choice| choice.marks as usize);
    let mut timeline = Timeline {
        heading: words::heading(scenario),
        entries: entries_of(&ran.story, place),
    };
    let mut violation = violations_of(scenario, &ran).into_iter().next();
    if let Some(choice) = scenario.crashes.first() {
        let sim = materialize(&ran.recording, profile, choice)
            .map_err(|error| CheckError::Usage(format!("the crash cannot be made: {error}")))?;
        let effects: Vec<_> = ran.recording.effects().collect();
        let lost = choice.lost.iter();
        let lost = lost.filter_map(|number| effects.get(*number as usize));
        timeline.entries.push(Entry::Crash {
            choice: choice.clone(),
            lost: lost.map(|effect| words::of_effect(effect)).collect(),
            files: files_of(&sim),
        });
        let came = drain(&sim, &ran.story, scenario);
        timeline.entries.push(Entry::Note(words_of(&came)));
        let every = scenario.options.sync_every;
        let is_vouched = || Vouching::of(&ran.recording, None).outlives(&choice.lost);
        violation = judge_after(&ran.story, place, choice.kind, every, &came)
            .filter(|violation| counts(profile, choice.kind, violation, is_vouched));
    } else if let Some(came) = &ran.left {
        timeline.entries.push(Entry::Note(words_of(came)));
    }
    Ok(replayed(scenario, Judged::of(violation, false), timeline))
}

/// Calls and answers before a place: side by side where nothing came between them.
fn entries_of(story: &Story, place: usize) -> Vec<Entry> {
    let events = story.events.get(..place).unwrap_or(&story.events);
    let mut entries = Vec::new();
    let mut is_told = false;
    for (index, event) in events.iter().enumerate() {
        let Some(op) = story.ops.get(event.step as usize) else {
            continue;
        };
        let call = format!("{}: {}", op.actor, words::of_action(&op.action));
        let (call, answer) = match &event.outcome {
            Some(_) if std::mem::take(&mut is_told) => continue,
            Some(outcome) => (format!("{}:", op.actor), words::of_outcome(outcome)),
            None => {
                let next = events.get(index + 1).filter(|next| next.step == event.step);
                let outcome = next.and_then(|next| next.outcome.as_ref());
                is_told = outcome.is_some();
                (call, outcome.map_or("begins".to_owned(), words::of_outcome))
            }
        };
        let step = event.step;
        entries.extend([Entry::Begin { step, call }, Entry::End { step, answer }]);
    }
    entries
}

/// What an open delivered, in words.
fn words_of(came: &Came) -> String {
    let one = |message: &Result<u32, usize>| match message {
        Ok(number) => format!("#{number}"),
        Err(size) => format!("{size} bytes that nobody put"),
    };
    let messages: Vec<String> = came.messages.iter().map(one).collect();
    match messages.as_slice() {
        [] => "the next open delivers nothing".to_owned(),
        messages => format!("the next open delivers {}", messages.join(", ")),
    }
}
