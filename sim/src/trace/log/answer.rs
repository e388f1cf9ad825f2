//! The three answers on the trace of a log.

use super::engine::compare_engine;
use super::file::LogTrace;
use super::history::{Ends, History, observe};
use super::judge::{LogJudgement, judge_log};
use super::twin::replay_log_twin;
use crate::oracle::LogStrengths;
use crate::originals::seglog::OriginalSeglog;
use crate::subject::LogSubject;
use crate::trace::answer::Answers;
use std::io;

/// Answers all three questions, the third for `engine`.
///
/// # Errors
/// None that a simulated disk without faults has.
pub(in crate::trace) fn examine_log(
    trace: &LogTrace,
    engine: &dyn LogSubject,
) -> io::Result<Answers> {
    let mut answers = Answers::of_twin(trace.steps.len(), replay_log_twin(trace)?);
    if answers.twin.is_ok() {
        let LogJudgement { broken, judged } = judge(trace)?;
        let ours = observe(engine, LogStrengths::SEGLOG, trace, Ends::Own)?;
        let first_broken = broken.first().map(|one| one.step);
        answers.engine = Some(compare_engine(trace, first_broken, &ours));
        answers.broken = Some(broken);
        answers.broken_until = (judged < answers.step_count).then_some(judged);
    }
    Ok(answers)
}

/// The model judges up to the first kill; behind it, where nothing was broken, the oracle of runs
/// follows the twin, up to its first violation or to damage.
fn judge(trace: &LogTrace) -> io::Result<LogJudgement> {
    let before = judge_log(trace);
    if before.judged == trace.steps.len() || !before.broken.is_empty() {
        return Ok(before);
    }
    let History {
        broken, damaged_at, ..
    } = observe(
        &OriginalSeglog,
        LogStrengths::ORIGINAL_SEGLOG,
        trace,
        Ends::AsRecorded,
    )?;
    let first = broken.first().map(|one| one.step);
    let broken: Vec<_> = broken
        .into_iter()
        .filter(|one| Some(one.step) == first)
        .collect();
    let end = trace.steps.len();
    let damage = damaged_at.map(|step| step - 1);
    Ok(LogJudgement {
        broken,
        judged: [first, damage].into_iter().flatten().fold(end, usize::min),
    })
}
