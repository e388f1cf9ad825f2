//! A trace of whatever has a twin: its first line says what was recorded.

use super::answer::{Answers, examine};
use super::error::TraceError;
use super::file::Trace;
use super::log::{ENGINE, LogTrace, VERSION, examine_log};
use super::text::{Origin, load_text, numbered_lines, parse_json};
use crate::subject::{LogSubject, Subject};
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

    /// Answers the three questions, the third for our engine of what was recorded.
    ///
    /// # Errors
    /// None that a simulated disk without faults has.
    pub fn examine(&self, queue: &dyn Subject, log: &dyn LogSubject) -> io::Result<Answers> {
        match self {
            Self::Fifo(trace) => examine(trace, queue),
            Self::Log(trace) => examine_log(trace, log),
        }
    }
}
