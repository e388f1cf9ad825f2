//! `shrink`: a saved scenario made smaller, as long as it breaks the same clause.

use super::Exit;
use super::args::{Format, ShrinkArguments};
use super::failure::Failure;
use super::output::{Output, say};
use super::saved::{read_scenario, save};
use super::smaller::smaller;
use super::stop::Stop;
use crate::explore;
use crate::report::{failure, thousands, violation_event};

/// Candidates that are run at most.
const TRIES_MAX: u32 = 5_000;

/// Runs the command. Interrupted, it keeps the smallest scenario met so far.
pub(super) fn shrink(arguments: &ShrinkArguments, output: &mut Output) -> Result<Exit, Failure> {
    let scenario = read_scenario(&arguments.file)?;
    let Some(given) = explore::replay_for(&scenario, arguments.clause)?.found else {
        return Err(Failure::usage(format!(
            "{} breaks no clause, so there is nothing to shrink",
            arguments.file.display()
        )));
    };
    let stop = Stop::on_signals()?;
    let (found, tries) = smaller(&given, TRIES_MAX, &|| stop.interrupted())?;
    let tries = thousands(u64::from(tries));
    say(&format!("crashline: {tries} candidates run"));
    // What was found is told even where it cannot be saved.
    let saved = save(&arguments.out, found.clause, &found.scenario);
    let file = saved.as_deref().ok();
    match arguments.format {
        Format::Text => {
            let (before, after) = (scenario.step_count(), found.scenario.step_count());
            output.text(&failure(&found, file, output.paint))?;
            output.line(&format!("shrunk from {before} steps to {after}"))?;
        }
        Format::Json => output.event(&violation_event(&found, file))?,
    }
    output.flush()?;
    saved?;
    if stop.interrupted() {
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Pass)
}
