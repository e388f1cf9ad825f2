//! Damage runs: a closed queue's files are changed behind its back, then it is opened, drained and
//! used on. Judged by the damage rule.
//!
//! A scenario that names no damage is put through many, one after the other, each derived from its
//! seed and the files that there are.

use super::engines::EngineInfo;
use super::error::CheckError;
use super::one::Explored;
use super::record::Recorded;
use super::session::{DIRECTORY, Session};
use super::timeline::{Entry, Timeline};
use super::words;
use crate::fault::Damage;
use crate::generate::Prng;
use crate::oracle::{DamageCase, DamageObserver, NamedFile, Verdict, Violation};
use crate::scenario::{Action, FailureKind, Outcome, Scenario, Step, payload};
use crate::simfs::{SimFs, TreeEntry};
use std::path::Path;

/// Damages that a scenario without any is put through.
const DAMAGES: u32 = 24;

/// Puts a recorded run, which ended with a clean close, through damage.
pub(crate) fn explore(
    engine: &EngineInfo,
    scenario: &Scenario,
    recorded: &Recorded,
    explored: &mut Explored,
) -> Result<(), CheckError> {
    let before = files_of(&recorded.sim);
    for damage in plans(scenario, &before) {
        let run = DamageRun {
            engine,
            scenario,
            recorded,
            before: &before,
        };
        let mut shown = scenario.clone();
        shown.damage = damage;
        let verdict = run.judge(&shown.damage, None)?;
        explored.points += 1;
        explored.states_judged += 1;
        explored.states_built += 1;
        explored.states_recovered += 1;
        explored.note_damage(&shown.damage)?;
        match verdict {
            Verdict::Pass | Verdict::Skipped(_) => {}
            Verdict::Unknown(reason) => {
                explored.unknown.get_or_insert(reason);
            }
            Verdict::Fail(violation) => explored.take_violations(&shown, &[violation]),
        }
    }
    Ok(())
}

/// The scenario, ending with a clean close: only then it is known what the files hold.
pub(crate) fn with_clean_end(scenario: &Scenario) -> Scenario {
    let mut scenario = scenario.clone();
    let last = scenario
        .steps
        .iter()
        .rev()
        .find_map(|step| match step.action {
            Action::Open { .. } => Some(true),
            Action::Close | Action::Delete | Action::Kill | Action::OpenReadOnly => Some(false),
            Action::Put { .. }
            | Action::PutBatch { .. }
            | Action::Read
            | Action::Peek
            | Action::Depth
            | Action::Empty
            | Action::Sync
            | Action::Tick { .. }
            | Action::Settle => None,
        });
    let ends_closed = scenario
        .steps
        .last()
        .is_some_and(|step| step.action == Action::Close);
    if last == Some(false) && !ends_closed {
        scenario
            .steps
            .push(Step::queue(Action::Open { options: None }));
    }
    if !ends_closed {
        scenario.steps.push(Step::queue(Action::Close));
    }
    scenario
}

/// Follows the one damage that a scenario names.
pub(crate) fn follow(
    engine: &EngineInfo,
    scenario: &Scenario,
    recorded: &Recorded,
    timeline: &mut Timeline,
) -> Result<Option<Violation>, CheckError> {
    let before = files_of(&recorded.sim);
    let run = DamageRun {
        engine,
        scenario,
        recorded,
        before: &before,
    };
    match run.judge(&scenario.damage, Some(timeline))? {
        Verdict::Fail(violation) => Ok(Some(violation)),
        Verdict::Pass | Verdict::Skipped(_) | Verdict::Unknown(_) => Ok(None),
    }
}

/// The damages of a scenario: its own, all at once, or else derived ones, one at a time.
fn plans(scenario: &Scenario, files: &[NamedFile]) -> Vec<Vec<String>> {
    if !scenario.damage.is_empty() {
        return vec![scenario.damage.clone()];
    }
    let mut prng = Prng::named(scenario.seed, "damage");
    let damaged = (0..DAMAGES).filter_map(|_| derive(&mut prng, files));
    damaged.map(|damage| vec![damage.to_string()]).collect()
}

/// One change of one file. The lock is left alone: it holds nothing that a queue needs.
fn derive(prng: &mut Prng, files: &[NamedFile]) -> Option<Damage> {
    let files: Vec<&NamedFile> = files
        .iter()
        .filter(|(name, _)| !name.ends_with(".lock"))
        .collect();
    let count = u32::try_from(files.len()).ok().filter(|count| *count > 0)?;
    let (name, bytes) = files.get(prng.below(count) as usize)?;
    let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let name = name.clone().into_bytes();
    if size == 0 {
        return Some(Damage::Remove { name });
    }
    let place = u64::from(prng.below(size));
    Some(match prng.below(9) {
        0..=3 => {
            let bit = u8::try_from(prng.below(8)).unwrap_or(0);
            Damage::Flip {
                name,
                offset: place,
                bit,
            }
        }
        4 | 5 => Damage::Cut { name, size: place },
        6 => {
            let end = place + 1 + u64::from(prng.below(size));
            Damage::Zeros {
                name,
                start: place,
                end: end.min(u64::from(size)),
            }
        }
        7 => Damage::Append {
            name,
            count: 1 + u64::from(prng.below(64)),
        },
        _ => Damage::Remove { name },
    })
}

struct DamageRun<'f> {
    engine: &'f EngineInfo,
    scenario: &'f Scenario,
    recorded: &'f Recorded,
    before: &'f [NamedFile],
}

impl DamageRun<'_> {
    fn judge(
        &self,
        damage: &[String],
        timeline: Option<&mut Timeline>,
    ) -> Result<Verdict, CheckError> {
        let sim = SimFs::from_tree(&self.recorded.sim.tree())
            .map_err(|error| CheckError::defect(format!("a tree cannot be copied: {error}")))?;
        for line in damage {
            let damage: Damage = line.parse().map_err(CheckError::bad_scenario)?;
            // A change that changes nothing is no damage, and is judged as such.
            if let Err(error) = damage.apply(&sim, Path::new(DIRECTORY))
                && self.scenario.damage == [line.as_str()]
            {
                return Err(CheckError::Usage(format!("damage `{line}`: {error}")));
            }
        }
        let after = files_of(&sim);
        let mut observer = DamageObserver::new(DamageCase {
            history: &self.recorded.history,
            queue: "queue",
            before: self.before,
            after: &after,
            sums: self.engine.writes_sums,
        });
        let effects = self.recorded.recording.effects().count() as u64;
        let quirks = &self.scenario.quirks;
        let mut session = Session::on(self.engine.subject, quirks, self.scenario.options, sim)
            .with_effects_before(effects);
        let mut log = timeline.map(|timeline| {
            timeline
                .entries
                .extend(damage.iter().map(|line| Entry::Damage(line.clone())));
            session.log_calls();
            &mut timeline.entries
        });
        self.use_on(&mut session, &mut observer, &mut log);
        Ok(observer.finish(&files_of(session.sim())))
    }

    /// Opens, drains past all damage, and goes on.
    fn use_on(
        &self,
        session: &mut Session<'_>,
        observer: &mut DamageObserver<'_>,
        log: &mut Option<&mut Vec<Entry>>,
    ) {
        let mut step = u32::try_from(self.scenario.steps.len()).unwrap_or(u32::MAX);
        let mut call = |session: &mut Session<'_>, action: &Action, payloads: &[Vec<u8>]| {
            let outcome = session.apply(action, payloads);
            note(log, session, step, action, &outcome);
            step += 1;
            outcome
        };
        let opened = call(session, &Action::Open { options: None }, &[]);
        observer.opened(&opened);
        if opened.result.is_err() {
            return;
        }
        observer.depth(&call(session, &Action::Depth, &[]));
        // Every loss is passed once; a queue that reports more than it has bytes does not end.
        let reads_max = 1_000
            + self
                .before
                .iter()
                .map(|(_, bytes)| bytes.len())
                .sum::<usize>();
        for _ in 0..reads_max {
            let outcome = session.drain(&mut |bytes| observer.message(bytes));
            let damaged =
                matches!(&outcome.result, Err(failure) if failure.kind == FailureKind::Damage);
            if !observer.drained(&outcome) || !damaged {
                break;
            }
        }
        observer.depth(&call(session, &Action::Depth, &[]));
        let number = self.recorded.history.messages().count();
        let options = &self.scenario.options;
        let size = 8.clamp(options.message_bytes_min, options.message_bytes_max);
        let message = [payload(number, size)];
        observer.worked("put", &call(session, &Action::Put { size }, &message));
        observer.worked("sync", &call(session, &Action::Sync, &[]));
        observer.worked("read", &call(session, &Action::Read, &[]));
        observer.worked("close", &call(session, &Action::Close, &[]));
    }
}

fn note(
    log: &mut Option<&mut Vec<Entry>>,
    session: &mut Session<'_>,
    step: u32,
    action: &Action,
    outcome: &Outcome,
) {
    if let Some(log) = log {
        log.push(Entry::Begin {
            step,
            call: words::of_action(action),
        });
        log.extend(words::of_calls(&session.new_calls()));
        log.push(Entry::End {
            step,
            answer: words::of_outcome(outcome),
        });
    }
}

/// The files of the data directory with their bytes.
fn files_of(sim: &SimFs) -> Vec<NamedFile> {
    let mut files = Vec::new();
    for (path, entry) in sim.tree() {
        if let TreeEntry::File(bytes) = entry
            && let Ok(name) = path.strip_prefix(DIRECTORY)
        {
            files.push((name.to_string_lossy().into_owned(), bytes));
        }
    }
    files
}
