//! Damage runs of logs: the files of a log that nothing has open are changed behind its back, then
//! it is opened, read by all its readers and used on. Judged by the damage rule.

use super::program::LogCase;
use super::record::LogRecorded;
use super::session::{LOG, LogSession};
use super::words;
use crate::explore::damages::{damaged_copy, files_of, plans};
use crate::explore::error::CheckError;
use crate::explore::one::Explored;
use crate::explore::session::DIRECTORY;
use crate::explore::timeline::{Entry, Timeline};
use crate::model::Place;
use crate::oracle::{LogDamageCase, LogDamageObserver, NamedFile, Verdict, Violation, Walker};
use crate::scenario::{
    CleanTarget, LogOp, LogOutcome, LogPayloads, LogPosition, Loss, ReaderOp, SnapshotOp, WriterOp,
};
use std::path::Path;

/// Size of the message that is put after the damage, as far as the limits allow it.
const SIZE: u32 = 8;

/// Puts a recorded run, after which all is durable and nothing open, through damage.
pub(super) fn explore(
    case: &LogCase<'_>,
    recorded: &LogRecorded,
    explored: &mut Explored,
) -> Result<(), CheckError> {
    let before = files_of(&recorded.sim);
    for damage in plans(case.scenario, &before, &recorded.sim, Path::new(DIRECTORY)) {
        let run = DamageRun {
            case,
            recorded,
            before: &before,
        };
        let mut shown = case.scenario.clone();
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

/// Follows the damage that a scenario names.
pub(super) fn follow(
    case: &LogCase<'_>,
    recorded: &LogRecorded,
    timeline: &mut Timeline,
) -> Result<Option<Violation>, CheckError> {
    let before = files_of(&recorded.sim);
    let run = DamageRun {
        case,
        recorded,
        before: &before,
    };
    match run.judge(&case.scenario.damage, Some(timeline))? {
        Verdict::Fail(violation) => Ok(Some(violation)),
        Verdict::Pass | Verdict::Skipped(_) | Verdict::Unknown(_) => Ok(None),
    }
}

struct DamageRun<'f, 'a> {
    case: &'f LogCase<'a>,
    recorded: &'f LogRecorded,
    before: &'f [NamedFile],
}

impl DamageRun<'_, '_> {
    fn judge(
        &self,
        damage: &[String],
        timeline: Option<&mut Timeline>,
    ) -> Result<Verdict, CheckError> {
        let sim = damaged_copy(
            &self.recorded.sim,
            Path::new(DIRECTORY),
            damage,
            &self.case.scenario.damage,
        )?;
        let after = files_of(&sim);
        let settled = self.recorded.settled.as_ref();
        let observer = LogDamageObserver::new(LogDamageCase {
            settled,
            held: &self.recorded.held,
            is_killed: self.case.program.steps.last() == Some(&LogOp::Kill),
            log: LOG,
            before: self.before,
            after: &after,
        });
        let effects = self.recorded.recording.effects().count() as u64;
        let mut session = LogSession::on(self.case.setup, sim, effects);
        let log = timeline.map(|timeline| {
            let lines = damage.iter().map(|line| Entry::Damage(line.clone()));
            timeline.entries.extend(lines);
            session.machine.log_calls();
            &mut timeline.entries
        });
        let steps = &self.case.program.steps;
        let mut used = Use {
            session,
            observer,
            log,
            step: u32::try_from(steps.len()).unwrap_or(u32::MAX),
            payloads: LogPayloads::behind(steps),
        };
        let readers = settled.map(|settled| settled.readers().map(str::to_owned).collect());
        used.play(self.case, readers.unwrap_or_default());
        let at_end = files_of(used.session.machine.sim());
        Ok(used.observer.finish(&at_end))
    }
}

/// What is done with damaged files.
struct Use<'u, 'a> {
    session: LogSession<'a>,
    observer: LogDamageObserver<'u>,
    log: Option<&'u mut Vec<Entry>>,
    step: u32,
    payloads: LogPayloads,
}

impl Use<'_, '_> {
    fn play(&mut self, case: &LogCase<'_>, readers: Vec<String>) {
        self.open_all(&readers);
        if self.observer.is_over() {
            return;
        }
        self.read_by_snapshot();
        let writer = self.session.states().writer;
        let end = writer.map_or(0, |writer| writer.write_end.offset);
        if self.observer.is_over() {
            return;
        }
        let outcome = self.call(&clean_nothing(end), &[]);
        self.observer.cleaned(&outcome);
        let options = &case.program.options;
        let size = SIZE.clamp(options.message_bytes_min.max(1), options.message_bytes_max);
        let put = LogOp::Writer(WriterOp::Put { size });
        let bytes = self.payloads.of(&put);
        let outcome = self.call(&put, &bytes);
        self.observer.put(&bytes, &outcome);
        self.work("a flush", LogOp::Writer(WriterOp::Flush { fsync: true }));
        self.look();
        for name in &readers {
            self.read_on(name);
        }
        if self.observer.is_over() {
            return;
        }
        let closed = self.session.states().clone();
        self.close_all(&readers);
        if self.observer.is_over() {
            return;
        }
        let losses = self.open_again(&readers);
        let now = self.session.states().clone();
        self.observer.opened_again(&losses, &closed, &now);
        self.close_all(&readers);
    }

    fn call(&mut self, op: &LogOp, bytes: &[u8]) -> LogOutcome {
        let op = self.session.resolve(op);
        if let Some(log) = &mut self.log {
            let (step, call) = (self.step, words::of_op(&op));
            log.push(Entry::Begin { step, call });
        }
        let outcome = self.session.apply(&op, bytes);
        if let Some(log) = &mut self.log {
            let calls = self.session.machine.new_calls();
            log.extend(crate::explore::words::of_calls(&calls));
            log.push(Entry::End {
                step: self.step,
                answer: words::of_outcome(&outcome),
            });
        }
        self.step += 1;
        self.observer
            .directory(&files_of(self.session.machine.sim()));
        outcome
    }

    /// Calls what must work.
    fn work(&mut self, name: &'static str, op: LogOp) -> Vec<Loss> {
        if self.observer.is_over() {
            return Vec::new();
        }
        let outcome = self.call(&op, &[]);
        self.observer.worked(name, &outcome);
        outcome.losses
    }

    fn look(&mut self) {
        if let Err(failure) = self.session.look() {
            self.observer.cannot_tell(&failure);
        }
    }

    fn open_all(&mut self, readers: &[String]) {
        let outcome = self.call(&LogOp::Writer(WriterOp::Open), &[]);
        self.look();
        self.observer.writer_opened(&outcome, self.session.states());
        for name in readers {
            if self.observer.is_over() {
                return;
            }
            let outcome = self.call(&reader(name, ReaderOp::Open), &[]);
            self.look();
            let states = self.session.states();
            self.observer.reader_opened(name, &outcome, states);
        }
    }

    fn open_again(&mut self, readers: &[String]) -> Vec<Loss> {
        let mut losses = self.work("the next open", LogOp::Writer(WriterOp::Open));
        for name in readers {
            losses.extend(self.work("a reader's next open", reader(name, ReaderOp::Open)));
        }
        self.look();
        losses
    }

    fn read_by_snapshot(&mut self) {
        self.work("a snapshot's open", LogOp::Snapshot(SnapshotOp::Open));
        let start = self.session.states().writer.map(|one| one.queue_start);
        let from = start.map_or(Place::default(), Place::from);
        self.observer.begins(Walker::Snapshot, from);
        self.read(&LogOp::Snapshot(SnapshotOp::ReadOne));
        self.work("a snapshot's close", LogOp::Snapshot(SnapshotOp::Close));
    }

    fn read_on(&mut self, name: &str) {
        let (end, force) = (LogPosition::SHOWN, false);
        self.work(
            "telling a reader the end",
            reader(name, ReaderOp::UpdateQueueEnd { end, force }),
        );
        if self.observer.is_over() {
            return;
        }
        let stands = self.session.states().readers.get(name);
        let from = stands.map_or(Place::default(), |state| Place::from(state.confirmed));
        self.observer.begins(Walker::Reader(name), from);
        self.read(&reader(name, ReaderOp::TryReadOne));
        let (offset, count) = (-1, 0);
        self.work(
            "a confirm",
            reader(name, ReaderOp::ConfirmRead { offset, count }),
        );
        self.work("a flush", reader(name, ReaderOp::Flush { fsync: true }));
        self.look();
        self.observer.confirmed(name, self.session.states());
    }

    fn read(&mut self, op: &LogOp) {
        while !self.observer.is_over() {
            let outcome = self.call(op, &[]);
            if !self.observer.read(&outcome) {
                return;
            }
        }
    }

    fn close_all(&mut self, readers: &[String]) {
        for name in readers {
            self.work("a reader's close", reader(name, ReaderOp::Close));
        }
        self.work("the close", LogOp::Writer(WriterOp::Close));
    }
}

fn reader(name: &str, op: ReaderOp) -> LogOp {
    LogOp::Reader(name.to_owned(), op)
}

/// Asks what could be removed of the log up to an offset: nothing is done, but all that retention
/// depends on is looked at.
fn clean_nothing(offset: i64) -> LogOp {
    LogOp::Writer(WriterOp::CleanOldData {
        target: CleanTarget::Offset(offset),
        dry_run: true,
        offset_max: 0,
    })
}
