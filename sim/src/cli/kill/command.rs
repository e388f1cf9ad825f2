//! The command: rounds of kills, then the conditions, then the count of both.

use super::child::child;
use super::conditions::{Ended, few_descriptors, full_disk, read_only};
use super::place::Place;
use super::round::{Broken, Counts, play, save};
use crate::cli::Exit;
use crate::cli::args::{Format, KillArguments};
use crate::cli::failure::Failure;
use crate::cli::output::{Output, say};
use crate::cli::stop::Stop;
use crate::explore::{ENGINES, EngineInfo, engine};
use crate::generate::{Prng, sequence};
use crate::report::thousands;
use crate::scenario::{RunKind, Scenario};
use serde_json::json;
use std::path::Path;

/// Rounds between two words of progress.
const ROUNDS_QUIET: u64 = 100;

/// Runs the command.
pub(in crate::cli) fn kill(
    arguments: &KillArguments,
    output: &mut Output,
) -> Result<Exit, Failure> {
    let directory = arguments.dir.clone().unwrap_or_else(std::env::temp_dir);
    if let Some(part) = arguments.child {
        let done = child(&directory, part);
        return done
            .map(|()| Exit::Pass)
            .map_err(|error| Failure::usage(format!("the child of `kill` failed: {error}")));
    }
    let known = known(&arguments.engine)?;
    refuse_unknown_quirks(arguments)?;
    if arguments.rounds == 0 {
        return Ok(Exit::Nothing);
    }
    let stop = Stop::on_signals()?;
    let place = Place::under(&directory)?;
    let mut session = Session {
        arguments,
        known,
        output,
        broken: 0,
    };
    let counts = session.rounds(&place, &stop)?;
    session.told(&counts)?;
    if stop.interrupted() {
        return Ok(Exit::Interrupted);
    }
    let like = scenario(arguments, 0);
    session.condition("full disk", &|| full_disk(&like, &place))?;
    session.condition("few descriptors", &|| few_descriptors(&like, &place))?;
    session.condition("read-only directory", &|| read_only(&like, &place))?;
    session.end()
}

/// An engine that a single process can use.
fn known(name: &str) -> Result<&'static EngineInfo, Failure> {
    let names: Vec<&str> = ENGINES.iter().map(|engine| engine.name).collect();
    let known =
        engine(name).ok_or_else(|| Failure::unknown_name("engine", "engines", name, &names))?;
    if !known.runs.contains(&RunKind::Crashes) || !known.is_queue() {
        return Err(Failure::usage(format!(
            "the engine `{name}` is not judged by what one process leaves"
        )));
    }
    Ok(known)
}

fn refuse_unknown_quirks(arguments: &KillArguments) -> Result<(), Failure> {
    let known = crate::cli::known::known();
    let names: Vec<&str> = known.quirks.iter().map(|one| one.name.as_str()).collect();
    for name in &arguments.quirk {
        if !names.contains(&name.as_str()) {
            return Err(Failure::unknown_name("quirk", "quirks", name, &names));
        }
        let mut quirks = known.quirks.iter();
        if !quirks.any(|quirk| quirk.name == *name && quirk.engine == arguments.engine) {
            let engine = &arguments.engine;
            return Err(Failure::usage(format!(
                "the engine `{engine}` has no quirk `{name}`"
            )));
        }
    }
    Ok(())
}

fn scenario(arguments: &KillArguments, number: u64) -> Scenario {
    let mut scenario = sequence(
        &arguments.engine,
        arguments.seed,
        number,
        RunKind::Crashes,
        "posix-min",
    );
    scenario.quirks.clone_from(&arguments.quirk);
    scenario
}

struct Session<'s> {
    arguments: &'s KillArguments,
    known: &'static EngineInfo,
    output: &'s mut Output,
    broken: u64,
}

impl Session<'_> {
    fn rounds(&mut self, place: &Place, stop: &Stop) -> Result<Counts, Failure> {
        let mut counts = Counts::default();
        let mut prng = Prng::named(self.arguments.seed, "kills");
        for round in 0..self.arguments.rounds {
            if stop.interrupted() {
                break;
            }
            let scenario = scenario(self.arguments, round);
            for broken in play(&scenario, place, &mut prng, &mut counts)? {
                self.show(&broken, round)?;
            }
            if (round + 1).is_multiple_of(ROUNDS_QUIET) {
                let (done, all) = (thousands(round + 1), thousands(self.arguments.rounds));
                say(&format!(
                    "crashline: {done} of {all} rounds, {} broken",
                    self.broken
                ));
            }
        }
        Ok(counts)
    }

    fn show(&mut self, broken: &Broken, round: u64) -> Result<(), Failure> {
        self.broken += 1;
        let folder = save(broken, Path::new(&self.arguments.out), round)?;
        let info = broken.violation.clause.info();
        let evidence = &broken.violation.evidence;
        match self.arguments.format {
            Format::Text => self.output.line(&format!(
                "round {round} breaks {} {}: {evidence}\nkept: {folder}",
                info.id, info.name
            )),
            Format::Json => self.output.event(&json!({
                "event": "violation",
                "clause": info.id,
                "engine": self.arguments.engine,
                "round": round,
                "evidence": evidence,
                "kept": folder,
            })),
        }
    }

    fn told(&mut self, counts: &Counts) -> Result<(), Failure> {
        match self.arguments.format {
            Format::Text => self.output.line(&format!(
                "{} processes killed, {} of them in the middle of an operation, {} while they \
                 recovered\n{} second openers sent away, {} messages came back",
                thousands(counts.kills),
                thousands(counts.in_flight),
                thousands(counts.recovering),
                thousands(counts.second_openers),
                thousands(counts.messages),
            )),
            Format::Json => self.output.event(&json!({
                "event": "kills",
                "kills": counts.kills,
                "in_flight": counts.in_flight,
                "recovering": counts.recovering,
                "second_openers": counts.second_openers,
                "messages": counts.messages,
            })),
        }
    }

    /// Plays a condition, if the engine is judged where calls fail.
    fn condition(
        &mut self,
        name: &str,
        play: &dyn Fn() -> Result<Ended, Failure>,
    ) -> Result<(), Failure> {
        let is_judged = self.known.runs.contains(&RunKind::Errors);
        let ended = if !is_judged {
            Ended::Skipped("the engine is not judged where calls fail".to_owned())
        } else {
            play()?
        };
        let (word, words) = match ended {
            Ended::Played(words) => ("passed", words),
            Ended::Skipped(reason) => ("skipped", reason),
            Ended::Failed(broken) => {
                self.show(&broken, self.arguments.rounds)?;
                ("failed", broken.violation.evidence)
            }
        };
        match self.arguments.format {
            Format::Text => self.output.line(&format!("{name}: {word}: {words}")),
            Format::Json => self.output.event(&json!({
                "event": "condition",
                "name": name,
                "ended": word,
                "words": words,
            })),
        }
    }

    fn end(&mut self) -> Result<Exit, Failure> {
        let word = if self.broken == 0 { "PASS" } else { "FAIL" };
        match self.arguments.format {
            Format::Text => self
                .output
                .line(&format!("{word}: {} broken", self.broken))?,
            Format::Json => self.output.event(&json!({
                "event": "summary",
                "verdict": word.to_lowercase(),
                "violations": self.broken,
            }))?,
        }
        Ok(if self.broken == 0 {
            Exit::Pass
        } else {
            Exit::Violation
        })
    }
}
