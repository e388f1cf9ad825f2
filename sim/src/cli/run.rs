//! From the typed line to the exit code.

use super::args::{Arguments, Command};
use super::failure::Failure;
use super::known::known;
use super::output::{Output, say};
use super::{
    Exit, bench, check, compare, completions, dump, explain, findings, kill, list, litmus, man,
    offsets, power, replay, shrink, trace, vectors,
};
use crate::explore;
use clap::Parser;
use clap::error::ErrorKind;
use std::ffi::OsString;
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

/// Runs the command that the process was started with.
#[must_use]
pub fn main() -> ExitCode {
    let panicked = note_panics();
    let ended = panic::catch_unwind(AssertUnwindSafe(|| run(std::env::args_os())));
    let exit = ended.unwrap_or_else(|_| {
        let words = panicked.lock().unwrap_or_else(PoisonError::into_inner);
        let words = words.as_deref().unwrap_or("it panicked");
        say(&format!("crashline: a defect of crashline itself: {words}"));
        Exit::Internal
    });
    ExitCode::from(exit.code())
}

/// Runs the command of `line`, whose first word is the program's name.
fn run(line: impl IntoIterator<Item = OsString>) -> Exit {
    let arguments = match Arguments::try_parse_from(line) {
        Ok(arguments) => arguments,
        Err(error) => return not_parsed(&error),
    };
    let mut output = Output::standard(arguments.color);
    let ended = dispatch(&arguments.command, &mut output);
    let flushed = output.flush();
    match ended.and_then(|exit| flushed.map(|()| exit)) {
        Ok(exit) => exit,
        Err(failure) => {
            say(&format!("crashline: {}", failure.sentence));
            failure.exit
        }
    }
}

fn dispatch(command: &Command, output: &mut Output) -> Result<Exit, Failure> {
    match command {
        Command::Check(arguments) => check::check(arguments, &known(), &explore::check, output),
        Command::Replay(arguments) => replay::replay(arguments, output),
        Command::Shrink(arguments) => shrink::shrink(arguments, output),
        Command::Litmus(arguments) => litmus::litmus(arguments, output),
        Command::Bench(arguments) => bench::bench(arguments, output),
        Command::Power(arguments) => power::power(arguments, output),
        Command::Dump(arguments) => dump::dump(arguments, output),
        Command::List(arguments) => list::list(arguments, output),
        Command::Explain(arguments) => explain::explain(arguments, output),
        Command::Compare(arguments) => compare::compare(arguments, output),
        Command::Findings(arguments) => findings::findings(arguments, output),
        Command::Kill(arguments) => kill::kill(arguments, output),
        Command::Completions(arguments) => completions::completions(arguments, output),
        Command::Man(arguments) => man::man(arguments, output),
        Command::Offsets(arguments) => offsets::offsets(arguments, output),
        Command::Trace(arguments) => trace::trace(arguments, output),
        Command::Vectors(arguments) => vectors::vectors(arguments, output),
    }
}

/// Help and version go to standard output; a mistake becomes one sentence.
fn not_parsed(error: &clap::Error) -> Exit {
    let kind = error.kind();
    if matches!(kind, ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // A reader that closed the pipe has seen enough of the help.
        drop(error.print());
        return Exit::Pass;
    }
    if kind == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        say("crashline: no command was given; `crashline help` shows all");
    } else {
        say(&format!("crashline: {}", sentence_of(error)));
    }
    Exit::Usage
}

/// The first paragraph of the parser's message and its tip, on one line.
fn sentence_of(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let mut sentence = String::new();
    // The parser's tips come on lines of their own.
    for line in text.lines().map(str::trim) {
        if line.starts_with("Usage:") || line.starts_with("For more information") {
            break;
        }
        let line = line.strip_prefix("error: ").unwrap_or(line);
        match line.strip_prefix("tip: ") {
            Some(tip) => sentence.push_str(&format!(" ({tip})")),
            None if line.is_empty() || sentence.is_empty() => sentence.push_str(line),
            None => sentence.push_str(&format!(" {line}")),
        }
    }
    format!("{sentence}; `--help` shows the flags")
}

/// Keeps the words of the last panic instead of printing a trace for each.
fn note_panics() -> Arc<Mutex<Option<String>>> {
    let panicked = Arc::new(Mutex::new(None));
    let kept = Arc::clone(&panicked);
    panic::set_hook(Box::new(move |info| {
        let place = info.location().map_or(String::new(), |place| {
            format!(" ({}:{})", place.file(), place.line())
        });
        let payload = info.payload();
        let words = payload.downcast_ref::<&str>().copied();
        let words = words.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let words: Vec<&str> = words.unwrap_or("it panicked").split_whitespace().collect();
        let words = words.join(" ");
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Some(format!("{words}{place}"));
    }));
    panicked
}
