//! A trace of whatever has a twin: its first line says what was recorded.

use super::answer::{Answers, examine};
use super::error::TraceError;
use super::file::Trace;
use super::log::{ENGINE, LogJudgement, LogTrace, VERSION, judge_log, replay_log_twin};
use super::text::{Origin, load_text, numbered_lines, parse_json};
use crate::subject::Subject;
use crashline::fs::Fs;
use std::io;
use std::path::Path;

/// A trace of one of the originals.
#[derive(Debug, Clone)]
pub enum Recording {
    /// Of a FIFO queue.
    Fifo(Trace),
    /// Of a segmented log.
    Log(LogTrace),
}

impl Recording {
    /// Reads and parses a trace file.
    ///
    /// # Errors
    /// The first thing that is wrong with it, or that there is no twin of what it names.
    pub fn load(fs: &dyn Fs, path: &Path) -> Result<Self, TraceError> {
        let text = load_text(fs, path)?;
        let ((number, first), _) = numbered_lines(&text)?;
        let origin: Origin = parse_json(number, first)?;
        if origin.engine == ENGINE && origin.version == VERSION {
            LogTrace::parse(&text).map(Self::Log)
        } else {
            Trace::parse(&text).map(Self::Fifo)
        }
    }

    /// Answers the three questions; of a log not the third one, and the second one up to where
    /// the reference model goes along.
    ///
    /// # Errors
    /// None that a simulated disk without faults has.
    pub fn examine(&self, engine: &dyn Subject) -> io::Result<Answers> {
        match self {
            Self::Fifo(trace) => examine(trace, engine),
            Self::Log(trace) => examine_log(trace),
        }
    }
}

fn examine_log(trace: &LogTrace) -> io::Result<Answers> {
    let mut answers = Answers {
        step_count: trace.steps.len(),
        twin: replay_log_twin(trace)?,
        broken: None,
        broken_until: None,
        engine: None,
    };
    if answers.twin.is_ok() {
        let LogJudgement { broken, judged } = judge_log(trace);
        answers.broken = Some(broken);
        answers.broken_until = (judged < answers.step_count).then_some(judged);
    }
    Ok(answers)
}
