//! `trace`: the three answers on recorded traces.

use super::Exit;
use super::args::{Format, TraceArguments};
use super::failure::Failure;
use super::output::{Output, say};
use crate::report::columns;
use crate::subject::{DiskQueueSubject, SeglogSubject};
use crate::trace::{FileAnswer, Recording, TraceError, details, event, in_words};
use crashline::fs::RealFs;
use std::path::Path;

/// Runs the command. A file that cannot be used ends nothing: the others are still answered.
pub(super) fn trace(arguments: &TraceArguments, output: &mut Output) -> Result<Exit, Failure> {
    if arguments.files.is_empty() {
        return Err(Failure {
            exit: Exit::Nothing,
            sentence: "no trace file was given".to_owned(),
        });
    }
    let mut worst = Exit::Pass;
    let mut rows = Vec::new();
    let mut remarks = Vec::new();
    for path in &arguments.files {
        let name = path.display().to_string();
        let answer = answer(path)?;
        if let Err(error) = &answer {
            say(&format!("crashline: {name}: {error}"));
        }
        worst = worse(worst, exit(&answer));
        if arguments.format == Format::Json {
            output.line(&event(&name, &answer).to_string())?;
        } else if let Ok(answers) = &answer {
            let mut row = vec![name.clone()];
            row.extend(in_words(answers));
            rows.push(row);
            let told = details(answers);
            remarks.extend(told.iter().map(|text| format!("{name}: {text}")));
        }
    }
    if !rows.is_empty() {
        let headings = ["file", "twin", "record", "engine"];
        output.lines(&columns(&headings, &rows))?;
        output.lines(&remarks)?;
    }
    Ok(worst)
}

fn answer(path: &Path) -> Result<FileAnswer, Failure> {
    // A link may be given; the filesystem trait follows none.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let recording = match Recording::load(&RealFs, &target) {
        Ok(recording) => recording,
        Err(error) => return Ok(Err(error)),
    };
    let answers = recording.examine(&DiskQueueSubject, &SeglogSubject);
    answers.map(Ok).map_err(|error| Failure {
        exit: Exit::Internal,
        sentence: format!("the simulated disk failed: {error}"),
    })
}

fn exit(answer: &FileAnswer) -> Exit {
    match answer {
        Ok(answers) if answers.is_pass() => Exit::Pass,
        Ok(_) => Exit::Violation,
        Err(TraceError::NoTwin { .. }) => Exit::Unknown,
        Err(TraceError::Unreadable(_) | TraceError::Line { .. }) => Exit::Usage,
    }
}

/// A file that cannot be used is worse than a difference, and that than an open question.
fn worse(one: Exit, other: Exit) -> Exit {
    let order = [Exit::Usage, Exit::Violation, Exit::Unknown];
    let found = order.into_iter().find(|exit| [one, other].contains(exit));
    found.unwrap_or(Exit::Pass)
}
