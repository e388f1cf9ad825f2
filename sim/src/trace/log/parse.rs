//! Turns the text of a trace file into a [`LogTrace`], and refuses what does not fit together.

use super::arguments::call;
use super::file::{LogCall, LogTrace, LogTraceStep, Shown};
use super::lines::{After, Header, Line};
use super::results::recorded;
use crate::scenario::{LogOptions, ReaderState, SnapshotState, WriterState};
use crate::trace::error::TraceError;
use crate::trace::fingerprint::{Prints, change};
use crate::trace::text::{Origin, load_text, numbered_lines, parse_json};
use crashline::fs::Fs;
use std::collections::BTreeMap;
use std::path::Path;

/// The engine whose traces are understood.
pub(in crate::trace) const ENGINE: &str =
    "youzan/nsq disk queue writer, reader, snapshot; file meta";

/// The version whose traces are understood.
pub(in crate::trace) const VERSION: &str = "2020-05-15 012e0601";

/// A reader saves by itself at 1 only; this is what was recorded with.
const SYNC_EVERY: u64 = 1000;

const TIERS: [&str; 5] = ["clean", "snapshot", "corner", "damage", "long"];

impl LogTrace {
    /// Reads and parses a trace file.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn load(fs: &dyn Fs, path: &Path) -> Result<Self, TraceError> {
        let text = load_text(fs, path)?;
        Self::parse(&text)
    }

    /// Parses the text of a trace file.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn parse(text: &str) -> Result<Self, TraceError> {
        let ((number, first), lines) = numbered_lines(text)?;
        let (mut trace, opens_to_the_end) = parse_header(number, first)?;
        let mut shown = LastShown::default();
        let mut files = Prints::new();
        let mut failed = None;
        for (number, line) in lines {
            let wrong = |message: &str| TraceError::line(number, message);
            let line: Line = parse_json(number, line)?;
            if failed.is_some() {
                return Err(wrong("nothing can follow where the log did not open"));
            }
            let call = call(&line).map_err(|message| wrong(&message))?;
            if (call == LogCall::Open) != trace.steps.is_empty() {
                return Err(wrong("the first step, and only it, is `open`"));
            }
            let recorded = recorded(&call, line.result).map_err(|message| wrong(&message))?;
            let After {
                files: new, gone, ..
            } = shown.take_over(line.after);
            change(&mut files, new, gone).map_err(|message| wrong(&message))?;
            let does_not_open = call.is_opening() && recorded.result.is_err();
            failed = does_not_open.then_some(number);
            let shown = match shown.all() {
                _ if does_not_open => None,
                None => return Err(wrong("what the objects say was not told yet")),
                shown => shown,
            };
            trace.steps.push(LogTraceStep {
                call,
                recorded,
                shown,
                files: files.clone(),
            });
        }
        if trace.steps.is_empty() {
            return Err(TraceError::line(2, "there are no steps"));
        }
        if failed.is_some() == opens_to_the_end {
            let message = "`ended` is not how the last step ended";
            return Err(TraceError::line(number, message));
        }
        Ok(trace)
    }
}

/// The trace without steps, and whether the log opens to its end.
fn parse_header(number: usize, text: &str) -> Result<(LogTrace, bool), TraceError> {
    let origin: Origin = parse_json(number, text)?;
    if origin.engine != ENGINE || origin.version != VERSION {
        return Err(TraceError::NoTwin {
            engine: origin.engine,
            version: origin.version,
        });
    }
    let header: Header = parse_json(number, text)?;
    let wrong = |message: String| Err(TraceError::line(number, message));
    if !TIERS.contains(&header.tier.as_str()) {
        return wrong(format!("there is no tier `{}`", header.tier));
    }
    let opens_to_the_end = match header.ended.as_str() {
        "complete" => true,
        "does not open" => false,
        other => return wrong(format!("`ended` is `{other}`")),
    };
    if !header.readers.keys().eq(["a", "b"]) {
        return wrong("`readers` are not `a` and `b`".to_owned());
    }
    for name in header.readers.values().chain([&header.log]) {
        if name.is_empty() || name.contains('/') {
            return wrong(format!("`{name}` is no name of a log or reader"));
        }
    }
    let trace = LogTrace {
        log: header.log,
        readers: header.readers,
        options: LogOptions {
            segment_bytes_max: header.options.segment_bytes_max,
            message_bytes_min: header.options.message_bytes_min,
            message_bytes_max: header.options.message_bytes_max,
            sync_every: SYNC_EVERY,
            auto_skip_damaged: header.options.auto_skip_damaged,
        },
        steps: Vec::new(),
    };
    Ok((trace, opens_to_the_end))
}

/// What the objects said last.
#[derive(Default)]
struct LastShown {
    writer: Option<WriterState>,
    reader_a: Option<ReaderState>,
    reader_b: Option<ReaderState>,
    snapshot: Option<SnapshotState>,
}

impl LastShown {
    fn take_over(&mut self, after: After) -> After {
        self.writer = after.writer.or(self.writer);
        self.reader_a = after.reader_a.or(self.reader_a);
        self.reader_b = after.reader_b.or(self.reader_b);
        self.snapshot = after.snapshot.or(self.snapshot);
        after
    }

    fn all(&self) -> Option<Shown> {
        let readers = BTreeMap::from([
            ("a".to_owned(), self.reader_a?),
            ("b".to_owned(), self.reader_b?),
        ]);
        Some(Shown {
            writer: self.writer?,
            readers,
            snapshot: self.snapshot,
        })
    }
}
