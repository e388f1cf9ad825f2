//! What `check` prints: its report in the format that was asked for, every violation saved as a
//! replay file.

use super::args::{CheckArguments, CheckFormat};
use super::failure::Failure;
use super::output::{Output, say};
use super::saved;
use crate::explore::{CheckPlan, CheckReport};
use crate::report::{
    annotations, clause_table, failure, junit, reached_lines, result_line, run_table,
    summary_event, violation_event,
};

/// Prints it. What was found is told even where it cannot be saved.
pub(super) fn show(
    arguments: &CheckArguments,
    (plan, report): (&CheckPlan, &CheckReport),
    interrupted: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    let (files, unsaved) = save_all(arguments, report);
    match arguments.format {
        CheckFormat::Text => print_text(arguments, report, &files, output)?,
        CheckFormat::Json => {
            print_events(arguments, report, &files, output)?;
            output.event(&summary_event(report, plan.shard, interrupted))?;
        }
        CheckFormat::Junit => output.text(&junit(report, &files))?,
        CheckFormat::Github => {
            print_text(arguments, report, &files, output)?;
            output.lines(&annotations(report, &files))?;
        }
    }
    output.flush()?;
    if let Some(failure) = unsaved {
        say(&format!("crashline: {}", failure.sentence));
    }
    Ok(())
}

/// Saves what replays each violation; the files, in order, none where one could not be saved, and
/// why.
fn save_all(
    arguments: &CheckArguments,
    report: &CheckReport,
) -> (Vec<Option<String>>, Option<Failure>) {
    let mut unsaved = None;
    let files = report.found.iter().map(|found| {
        let saved = saved::save(&arguments.out, found.clause, &found.scenario);
        saved.map_err(|failure| unsaved = Some(failure)).ok()
    });
    (files.collect(), unsaved)
}

fn print_text(
    arguments: &CheckArguments,
    report: &CheckReport,
    files: &[Option<String>],
    output: &mut Output,
) -> Result<(), Failure> {
    output.lines(&run_table(&report.rows))?;
    output.line("")?;
    output.lines(&clause_table(&report.clauses))?;
    output.line("")?;
    for (found, file) in report.found.iter().zip(files) {
        output.text(&failure(found, file.as_deref(), output.paint))?;
        output.line("")?;
    }
    if arguments.full {
        output.lines(&reached_lines("marks", &report.marks))?;
        output.lines(&reached_lines("fault kinds", &report.faults))?;
    }
    output.lines(&result_line(report, output.paint))
}

fn print_events(
    arguments: &CheckArguments,
    report: &CheckReport,
    files: &[Option<String>],
    output: &mut Output,
) -> Result<(), Failure> {
    for (found, file) in report.found.iter().zip(files) {
        let mut event = violation_event(found, file.as_deref());
        if arguments.baseline.is_some()
            && let Some(keys) = event.as_object_mut()
        {
            keys.insert("expected".to_owned(), report.expects(found).into());
        }
        output.event(&event)?;
    }
    Ok(())
}
