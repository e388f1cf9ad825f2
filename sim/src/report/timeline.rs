//! The story of one run as text.
//!
//! Three columns: the step's number, what was called (operations at the margin, their file calls
//! below them behind a bar), and what was answered. A crash is a rule across the page, with what
//! the disk lost and kept below it; the broken clause comes last. A file call without a result
//! succeeded.

use super::fold::{Block, CallLine, Operation, blocks};
use super::layout::{WIDTH, counted, hanging, length, thousands, wrapped};
use super::{Ink, Paint, clause_text};
use crate::explore::{Entry, Timeline};
use crate::scenario::{CrashChoice, CrashKind, Fill};

/// Columns before the text of an operation.
const MARGIN: usize = 7;
/// Columns before an answer.
const ANSWER: usize = 60;

/// The timeline in lines of at most [`WIDTH`] columns, each with its line end.
#[must_use]
pub fn timeline(timeline: &Timeline, paint: Paint) -> String {
    let mut lines: Vec<String> = Vec::new();
    for heading in &timeline.heading {
        lines.extend(hanging("", heading));
    }
    lines.push(String::new());
    let titles = format!(
        "{:>5}  {:<53}answer",
        "step", "operation, and its file calls"
    );
    lines.push(paint.ink(Ink::Faint, &titles));
    for block in blocks(&timeline.entries) {
        match block {
            Block::Operation(operation) => operation_lines(&operation, paint, &mut lines),
            Block::Calls(calls) => call_lines(&calls, paint, &mut lines),
            Block::Other(entry) => entry_lines(entry, paint, &mut lines),
        }
    }
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

fn operation_lines(operation: &Operation, paint: Paint, lines: &mut Vec<String>) {
    let steps = if operation.step == operation.step_last {
        operation.step.to_string()
    } else {
        format!("{}-{}", operation.step, operation.step_last)
    };
    let first = format!("{steps:>5}  ");
    let answer = operation.answer.as_deref().unwrap_or("in flight");
    // An answer stands beside its operation, but not before what came back earlier.
    let is_long = operation.calls.iter().any(CallLine::is_message);
    let beside = if is_long { "" } else { answer };
    two_columns(&first, &operation.call, beside, Ink::Strong, paint, lines);
    if operation.step != operation.step_last && !operation.calls.is_empty() {
        let each = format!("{:MARGIN$}| in each of these:", "");
        lines.push(paint.ink(Ink::Faint, &each));
    }
    call_lines(&operation.calls, paint, lines);
    if is_long {
        two_columns(&bar(), "", answer, Ink::Faint, paint, lines);
    }
}

fn bar() -> String {
    format!("{:MARGIN$}| ", "")
}

fn call_lines(calls: &[CallLine], paint: Paint, lines: &mut Vec<String>) {
    for line in calls {
        // That a call succeeded goes without saying.
        let told = if line.result == "ok" {
            ""
        } else {
            &line.result
        };
        let result = match line.count {
            1 => told.to_owned(),
            count if line.is_message() => format!("{told} ({})", counted(count, "message")),
            count if told.is_empty() => counted(count, "call"),
            count => format!("{told} ({})", counted(count, "call")),
        };
        two_columns(&bar(), &line.call, &result, Ink::Faint, paint, lines);
    }
}

/// A text and its answer side by side; the answer goes below where the text is too long.
fn two_columns(
    first: &str,
    text: &str,
    answer: &str,
    ink: Ink,
    paint: Paint,
    lines: &mut Vec<String>,
) {
    let texts = wrapped(text, WIDTH - length(first));
    let answers = wrapped(answer, WIDTH - ANSWER);
    let fits = length(first) + length(text) < ANSWER;
    let blanks = " ".repeat(length(first));
    for (index, line) in texts.iter().enumerate() {
        let margin = if index == 0 { first } else { &blanks };
        let gap = ANSWER.saturating_sub(length(margin) + length(line));
        let beside = answers.first().filter(|_| fits).map_or("", String::as_str);
        let shown = format!("{margin}{}", paint.ink(ink, line));
        let full = format!("{shown}{}{beside}", " ".repeat(gap));
        lines.push(full.trim_end().to_owned());
    }
    let below = answers.iter().skip(usize::from(fits));
    let below = below.filter(|line| !line.is_empty());
    lines.extend(below.map(|line| format!("{:ANSWER$}{line}", "")));
}

fn entry_lines(entry: &Entry, paint: Paint, lines: &mut Vec<String>) {
    match entry {
        Entry::Crash {
            choice,
            lost,
            files,
        } => crash_lines(choice, lost, files, paint, lines),
        Entry::Damage(text) => lines.extend(noted("damage", text)),
        Entry::Note(text) => lines.extend(noted("note", text)),
        Entry::Violation { clause, evidence } => {
            let first = format!("BROKEN {clause} {}: ", clause.info().name);
            for (index, line) in hanging(&first, evidence).into_iter().enumerate() {
                let ink = if index == 0 { Ink::Bad } else { Ink::Strong };
                lines.push(paint.ink(ink, &line));
            }
            let says = clause_text(*clause).paragraphs.join(" ");
            let first = format!("{:MARGIN$}{clause} says: ", "");
            lines.extend(hanging(&first, &says));
        }
        Entry::End { step, answer } => {
            let first = format!("{step:>5}  ");
            two_columns(&first, "", answer, Ink::Strong, paint, lines);
        }
        Entry::Begin { .. } | Entry::Call { .. } => {}
    }
}

fn crash_lines(
    choice: &CrashChoice,
    lost: &[String],
    files: &[(String, u64)],
    paint: Paint,
    lines: &mut Vec<String>,
) {
    let title = match choice.kind {
        CrashKind::Kill => "KILL: the process is gone, all that it wrote is there",
        CrashKind::PowerCut => "POWER CUT: the machine is gone, and what was not durable may be",
    };
    let rule = format!("---- {title} (after effect {}) ", choice.point);
    let rule = format!("{rule:-<WIDTH$}");
    lines.push(paint.ink(Ink::Alarm, &rule));
    if choice.kind == CrashKind::PowerCut {
        lost_lines(choice, lost, lines);
    }
    if files.is_empty() {
        lines.extend(noted("kept", "no file"));
    }
    let widest = files.iter().map(|(name, _)| length(name)).max();
    let widest = widest.unwrap_or(0).min(60);
    for (name, size) in files {
        let text = format!("{:MARGIN$}kept    {name:<widest$}", "");
        let size = format!("{:>12} bytes", thousands(*size));
        if length(&text) + length(&size) <= WIDTH {
            lines.push(format!("{text}{size}"));
        } else {
            lines.extend(noted("kept", &format!("{name} {}", size.trim_start())));
        }
    }
}

fn lost_lines(choice: &CrashChoice, lost: &[String], lines: &mut Vec<String>) {
    if choice.lost.is_empty() {
        lines.extend(noted("lost", "nothing"));
    }
    for effect in lost {
        lines.extend(noted("lost", effect));
    }
    let untold = choice.lost.len().saturating_sub(lost.len());
    if untold > 0 && !lost.is_empty() {
        let more = format!("and {}", counted(untold as u64, "more effect"));
        lines.extend(noted("lost", &more));
    }
    let read_as = match choice.fill {
        Some(Fill::Zeros) => "lost bytes inside a file's size read as zeros",
        Some(Fill::Garbage) => "lost bytes inside a file's size read as garbage",
        Some(Fill::Stale) => "lost bytes inside a file's size read as stale bytes",
        Some(Fill::Mixed) => {
            "lost bytes inside a file's size read as zeros, garbage or stale bytes, by place"
        }
        None => return,
    };
    lines.extend(noted("", read_as));
}

fn noted(word: &str, text: &str) -> Vec<String> {
    hanging(&format!("{:MARGIN$}{word:<8}", ""), text)
}
