//! Failed operations: whether something excuses them, and which clause an answer breaks that no
//! model gives.

use super::fits::{Difference, Differs, difference};
use super::guess::Guess;
use super::ways::StepSeen;
use crate::model::{LogAnswer, LogModel};
use crate::oracle::Violation;
use crate::scenario::{
    Applied, Clause, Failure, FailureKind, LogOp, LogReply, ReaderOp, SnapshotOp, WriterOp,
};

/// What may excuse a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Excuse {
    /// A fault fired in the step.
    pub(super) is_fault: bool,
    /// A fault fired in the object before, and no sync or close of it has said so; or a sync is
    /// still to fail.
    pub(super) is_owed: bool,
    /// The newest step in which space ran out.
    pub(super) disk_full: Option<u32>,
}

impl Excuse {
    /// Whether a failure of this operation is excused. Only what writes tells an error that is
    /// owed.
    pub(super) fn excuses(self, op: &LogOp) -> bool {
        let writes = match op {
            LogOp::Writer(op) => !matches!(op, WriterOp::OpenReadOnly),
            LogOp::Reader(_, op) => matches!(
                op,
                ReaderOp::Flush { .. } | ReaderOp::Close | ReaderOp::Delete
            ),
            LogOp::Snapshot(_) | LogOp::Kill => false,
        };
        self.is_fault || (self.is_owed && writes)
    }
}

fn broken(clause: Clause, step: u32, evidence: String) -> Violation {
    Violation {
        clause,
        evidence,
        step: Some(step),
    }
}

/// What a failure says that no failure may.
pub(super) fn wrong_failure(at: &StepSeen<'_>, tells_applied: bool) -> Vec<Violation> {
    let Err(failure) = &at.outcome.result else {
        return Vec::new();
    };
    // What only looks does nothing in any case.
    let looks = matches!(
        at.op,
        LogOp::Snapshot(_) | LogOp::Reader(_, ReaderOp::TryReadOne)
    );
    match failure.kind {
        FailureKind::Panic | FailureKind::CutOff => {
            let evidence = format!("`{}`: {}", name(at.op), failure.message);
            vec![broken(Clause::C3, at.step, evidence)]
        }
        FailureKind::Io(_) | FailureKind::Damage | FailureKind::Foreign
            if !looks && tells_applied && failure.applied == Applied::Unknown =>
        {
            let name = name(at.op);
            let evidence = format!("`{name}` failed and does not tell whether it took place");
            vec![broken(Clause::C4, at.step, evidence)]
        }
        FailureKind::Io(_)
        | FailureKind::Damage
        | FailureKind::Foreign
        | FailureKind::Refused
        | FailureKind::Locked
        | FailureKind::Closed
        | FailureKind::Unsupported => Vec::new(),
    }
}

/// What an answer breaks that none of the guesses gives. `near` are those whose answer it is, but
/// whose objects stand elsewhere.
pub(super) fn wrong(guesses: &[Guess], near: &[Guess], at: &StepSeen<'_>) -> Violation {
    let asked = guesses
        .iter()
        .find_map(|guess| guess.model.apply(at.op, at.bytes).into_iter().next());
    let is_size = asked.as_ref().is_some_and(|one| {
        matches!(at.op, LogOp::Writer(WriterOp::Put { .. })) && one.answer == LogAnswer::Refused
    });
    let clause = match &asked {
        Some(_) if is_size => Clause::Q9,
        Some(one) => one.clause,
        None => Clause::C4,
    };
    if let Some(after) = near.first()
        && let Some(found) = difference(&after.model, at.states)
    {
        return wrong_state(&found, clause, at);
    }
    let expected = expected(guesses, at);
    let seen = answer_words(&at.outcome.result);
    let evidence = format!(
        "`{}` answered {seen}, and {expected} was to come",
        name(at.op)
    );
    let is_lost = guesses.iter().all(|guess| guess.is_lost);
    let clause = match &at.outcome.result {
        Err(failure) => clause_of_failure(failure, clause, at),
        Ok(LogReply::Message(message)) => {
            let holds = |guess: &Guess| {
                guess.model.message(message.offset) == Some(message.bytes.as_slice())
            };
            match guesses.iter().any(holds) {
                true => Clause::C12,
                false => Clause::L7,
            }
        }
        Ok(LogReply::Nothing) => Clause::C12,
        Ok(_) if is_lost && clause == Clause::C2 => return wrong_open(guesses, at),
        Ok(_) => clause,
    };
    broken(clause, at.step, evidence)
}

/// An open after a kill shows a log that a kill does not leave.
fn wrong_open(guesses: &[Guess], at: &StepSeen<'_>) -> Violation {
    let allowed: Vec<String> = guesses
        .iter()
        .flat_map(Guess::alternatives)
        .map(|one| {
            format!(
                "from offset {} to an end between {} and {}",
                one.starts.first().map_or(0, |start| start.offset),
                one.kill_min.offset,
                one.end_max.offset
            )
        })
        .collect();
    let starts_right = guesses.iter().flat_map(Guess::alternatives).any(|one| {
        let start = at.states.writer.map(|writer| writer.queue_start.into());
        start.is_some_and(|start| one.starts.contains(&start))
    });
    let clause = match at.states.writer {
        None => Clause::C1,
        Some(_) if starts_right => Clause::L2,
        Some(_) => Clause::L5,
    };
    let seen = at.states.writer.map_or_else(
        || "closed".to_owned(),
        |writer| format!("from {} to {}", writer.queue_start, writer.write_end),
    );
    let allowed = allowed.join(" or ");
    let evidence = format!("after the kill the log was to be {allowed}, and is {seen}");
    broken(clause, at.step, evidence)
}

/// The answer is right, but an object stands elsewhere.
fn wrong_state(found: &Difference, clause: Clause, at: &StepSeen<'_>) -> Violation {
    let failed = at.outcome.result.is_err();
    let clause = match (&found.on, at.op) {
        (Differs::Depth, _) => Clause::L12,
        _ if failed => refused_in_part(clause, at),
        (Differs::Writer, LogOp::Writer(_)) | (Differs::Snapshot, LogOp::Snapshot(_)) => clause,
        (Differs::Writer, _) => Clause::L1,
        (Differs::Snapshot, _) => Clause::L7,
        (Differs::Reader(name), LogOp::Reader(on, _)) if name == on => clause,
        (Differs::Reader(_), _) => Clause::L8,
    };
    let evidence = format!("after `{}` {}", name(at.op), found.evidence);
    broken(clause, at.step, evidence)
}

/// What a failure breaks that changed something. Of what is refused, some clauses say themselves
/// that it changes nothing.
fn refused_in_part(clause: Clause, at: &StepSeen<'_>) -> Clause {
    let refused =
        |failure: &Failure| matches!(failure.kind, FailureKind::Refused | FailureKind::Closed);
    let is_refused = at.outcome.result.as_ref().is_err_and(refused);
    match (at.op, clause) {
        (LogOp::Writer(WriterOp::Put { .. }), _) if is_refused => Clause::Q9,
        (_, Clause::L3 | Clause::L9) if is_refused => clause,
        _ => Clause::C4,
    }
}

/// What a failure without a cause breaks.
fn clause_of_failure(failure: &Failure, clause: Clause, at: &StepSeen<'_>) -> Clause {
    if at.excuse.excuses(at.op) {
        // It was excused, and left what neither done nor undone leaves.
        return Clause::C4;
    }
    match failure.kind {
        FailureKind::Panic | FailureKind::CutOff => Clause::C3,
        FailureKind::Damage => Clause::C7,
        FailureKind::Refused | FailureKind::Closed if clause == Clause::L7 => Clause::C12,
        FailureKind::Refused | FailureKind::Closed => clause,
        FailureKind::Io(_) | FailureKind::Locked | FailureKind::Foreign => {
            if at.excuse.disk_full.is_some() {
                return Clause::C6;
            }
            let reads = matches!(
                at.op,
                LogOp::Reader(_, ReaderOp::TryReadOne)
                    | LogOp::Snapshot(SnapshotOp::ReadOne | SnapshotOp::ReadRaw { .. })
            );
            if reads { Clause::C12 } else { Clause::C1 }
        }
        FailureKind::Unsupported => Clause::C4,
    }
}

/// What was to come, in words.
fn expected(guesses: &[Guess], at: &StepSeen<'_>) -> String {
    let possible = |model: &LogModel| model.apply(at.op, at.bytes);
    let mut words: Vec<String> = Vec::new();
    for one in guesses.iter().flat_map(|guess| possible(&guess.model)) {
        let word = match &one.answer {
            LogAnswer::Reply(reply) => reply_words(reply),
            LogAnswer::Refused => "a refusal".to_owned(),
            LogAnswer::Closed => "that it is closed".to_owned(),
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.join(" or ")
}

fn answer_words(result: &Result<LogReply, Failure>) -> String {
    match result {
        Ok(reply) => reply_words(reply),
        Err(failure) => format!("with a failure ({})", failure.message),
    }
}

fn reply_words(reply: &LogReply) -> String {
    match reply {
        LogReply::Done => "done".to_owned(),
        LogReply::Put { offset, size, end } => {
            format!("a put of {size} bytes at offset {offset}, end {end}")
        }
        LogReply::Position(at) => at.to_string(),
        LogReply::Start(at) => match at {
            Some(at) => format!("start {at}"),
            None => "no new start".to_owned(),
        },
        LogReply::HadData(had) => format!("had data: {had}"),
        LogReply::Changed(changed) => format!("changed: {changed}"),
        LogReply::Message(message) => format!(
            "a message of {} bytes at offset {}, count {}",
            message.bytes.len(),
            message.offset,
            message.count
        ),
        LogReply::Raw(bytes) => format!("{} bytes", bytes.len()),
        LogReply::Nothing => "that there is no message".to_owned(),
    }
}

/// The name of an operation as evidence has it.
pub(super) fn name(op: &LogOp) -> String {
    let (on, text) = match op {
        LogOp::Writer(op) => ("writer".to_owned(), format!("{op:?}")),
        LogOp::Reader(name, op) => (format!("reader {name}"), format!("{op:?}")),
        LogOp::Snapshot(op) => ("snapshot".to_owned(), format!("{op:?}")),
        LogOp::Kill => return "kill".to_owned(),
    };
    let end = text.find([' ', '{']).unwrap_or(text.len());
    format!("{on} {}", text.get(..end).unwrap_or(&text))
}
