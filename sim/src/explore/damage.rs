//! Damage runs: a closed queue's files are changed behind its back, then it is opened, drained and
//! used on. Judged by the damage rule.
//!
//! A scenario that names no damage is put through many, one after the other, each derived from its
//! seed and the files that there are.

use super::damages::{damaged_copy, files_of, plans};
use super::engines::QueueSystem;
use super::error::CheckError;
use super::one::Explored;
use super::record::Recorded;
use super::session::{DIRECTORY, Session};
use super::timeline::{Entry, Timeline};
use super::words;
use crate::oracle::{DamageCase, DamageObserver, NamedFile, Verdict, Violation};
use crate::scenario::{Action, FailureKind, Outcome, Reply, Scenario, payload};
use std::path::Path;

/// Puts a recorded run, which ended with a clean close, through damage.
pub(crate) fn explore(
    queue: &QueueSystem,
    scenario: &Scenario,
    recorded: &Recorded,
    explored: &mut Explored,
) -> Result<(), CheckError> {
    let before = files_of(&recorded.sim);
    for damage in plans(scenario, &before, &recorded.sim, Path::new(DIRECTORY)) {
        let run = DamageRun {
            queue,
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

/// Follows the one damage that a scenario names.
pub(crate) fn follow(
    queue: &QueueSystem,
    scenario: &Scenario,
    recorded: &Recorded,
    timeline: &mut Timeline,
) -> Result<Option<Violation>, CheckError> {
    let before = files_of(&recorded.sim);
    let run = DamageRun {
        queue,
        scenario,
        recorded,
        before: &before,
    };
    match run.judge(&scenario.damage, Some(timeline))? {
        Verdict::Fail(violation) => Ok(Some(violation)),
        Verdict::Pass | Verdict::Skipped(_) | Verdict::Unknown(_) => Ok(None),
    }
}

struct DamageRun<'f> {
    queue: &'f QueueSystem,
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
        let sim = damaged_copy(
            &self.recorded.sim,
            Path::new(DIRECTORY),
            damage,
            &self.scenario.damage,
        )?;
        let after = files_of(&sim);
        let mut observer = DamageObserver::new(DamageCase {
            history: &self.recorded.history,
            queue: "queue",
            before: self.before,
            after: &after,
            sums: self.queue.writes_sums,
        });
        let effects = self.recorded.recording.effects().count() as u64;
        let quirks = &self.scenario.quirks;
        let mut session = Session::on(
            self.queue.subject_of(self.scenario),
            quirks,
            self.scenario.options,
            sim,
        )
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
        observer.directory(&files_of(session.sim()));
        if opened.result.is_err() {
            return;
        }
        observer.depth(&call(session, &Action::Depth, &[]));
        // Every message is read and every loss passed once; a queue that reports more than it has
        // bytes does not end.
        let reads_max = 1_000
            + self
                .before
                .iter()
                .map(|(_, bytes)| bytes.len())
                .sum::<usize>();
        for _ in 0..reads_max {
            let outcome = call(session, &Action::Read, &[]);
            if let Ok(Reply::Message(bytes)) = &outcome.result {
                observer.message(bytes);
                continue;
            }
            if matches!(&outcome.result, Err(failure) if failure.kind == FailureKind::Damage) {
                observer.directory(&files_of(session.sim()));
            }
            if !observer.drained(&outcome) {
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
