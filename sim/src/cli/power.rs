//! `power`: every quirk and mutant must be found, first of all under the clause that it breaks.
//! What is found how soon stands in a file of the corpus.

use super::Exit;
use super::args::{Keeping, jobs};
use super::failure::Failure;
use super::files::{read_text, write_text};
use super::known::{Known, KnownQuirk, known};
use super::output::{Output, say};
use super::plan::{cores, plan_with};
use crate::explore::{CheckPlan, FirstFinding, first_findings};
use crate::report::{Power, PowerRow, columns, run_word, thousands};
use std::path::PathBuf;

/// Flags of `power`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 every defect is found first under its clause, and the file says \
                        so; 1 not so; 2 the file cannot be used."
)]
pub(super) struct PowerArguments {
    /// The file.
    #[command(flatten)]
    pub(super) keeping: Keeping,
    /// The file.
    #[arg(long, value_name = "FILE", default_value = POWER)]
    pub(super) file: PathBuf,
    /// Defects to look for; `list quirks` shows all. The file is not compared then, and with
    /// `--write` their rows alone are replaced.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(super) quirk: Vec<String>,
    /// Defects to look for at a time [default: the number of cores].
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub(super) jobs: Option<usize>,
}

/// The file that `power` keeps unless told otherwise, seen from the root of the repository.
const POWER: &str = "corpus/power.json";

/// Images that each check recovers at most: several times what the slowest finding needs.
const BUDGET: u64 = 200_000;

/// Runs the command.
pub(super) fn power(arguments: &PowerArguments, output: &mut Output) -> Result<Exit, Failure> {
    let known = known();
    let quirks = chosen(arguments, &known)?;
    let plans: Vec<CheckPlan> = quirks
        .iter()
        .map(|quirk| plan_with(quirk, BUDGET, &known))
        .collect();
    let seed = plans.first().map_or(0, |plan| plan.seed);
    let found = first_findings(&plans, arguments.jobs.unwrap_or_else(cores))?;
    let rows = quirks.iter().zip(&found);
    let power = Power {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        seed,
        budget: BUDGET,
        found: rows
            .map(|(quirk, found)| row(quirk, found.as_ref()))
            .collect(),
    };
    output.lines(&table(&power))?;
    let mut exit = Exit::Pass;
    for (row, found) in power
        .found
        .iter()
        .zip(&found)
        .filter(|(row, _)| !row.is_right())
    {
        say(&complaint(row, found.as_ref()));
        exit = Exit::Violation;
    }
    if arguments.quirk.is_empty() {
        let text = power.to_text();
        if arguments.keeping.writes() {
            write_text(&arguments.file, &text)?;
        } else if read_text(&arguments.file)? != text {
            let file = arguments.file.display();
            say(&format!(
                "crashline: {file} says otherwise; `crashline power --write` writes it anew"
            ));
            exit = Exit::Violation;
        }
    }
    if !arguments.quirk.is_empty() && arguments.keeping.writes() {
        let kept = Power::parse(&read_text(&arguments.file)?).map_err(|words| {
            let file = arguments.file.display();
            Failure::usage(format!("{file} cannot be used: {words}"))
        })?;
        write_text(&arguments.file, &merged(kept, power, &known).to_text())?;
    }
    Ok(exit)
}

/// What was seen before, with the rows of this search in place of theirs.
fn merged(kept: Power, now: Power, known: &Known) -> Power {
    let is_of = |row: &PowerRow, quirk: &KnownQuirk| {
        (&row.name, &row.engine) == (&quirk.name, &quirk.engine)
    };
    let rows: Vec<&PowerRow> = now.found.iter().chain(&kept.found).collect();
    let row_of = |quirk: &KnownQuirk| rows.iter().find(|row| is_of(row, quirk));
    let found = known.quirks.iter().filter_map(row_of);
    Power {
        found: found.map(|row| (*row).clone()).collect(),
        ..now.clone()
    }
}

fn chosen<'k>(
    arguments: &PowerArguments,
    known: &'k Known,
) -> Result<Vec<&'k KnownQuirk>, Failure> {
    if arguments.quirk.is_empty() {
        return Ok(known.quirks_by_default().collect());
    }
    let mut chosen = Vec::new();
    for name in &arguments.quirk {
        // Several engines may have a quirk of one name.
        let before = chosen.len();
        chosen.extend(known.quirks.iter().filter(|quirk| quirk.name == *name));
        if chosen.len() == before {
            let names: Vec<&str> = known.quirks.iter().map(|one| one.name.as_str()).collect();
            return Err(Failure::unknown_name("quirk", "quirks", name, &names));
        }
    }
    Ok(chosen)
}

fn row(quirk: &KnownQuirk, found: Option<&FirstFinding>) -> PowerRow {
    PowerRow {
        name: quirk.name.clone(),
        kind: quirk.kind.word().to_owned(),
        engine: quirk.engine.clone(),
        clause: quirk.clause.clone(),
        found: found.map(|found| found.clause.to_string()),
        profile: found.map(|found| found.profile.clone()),
        run: found.map(|found| run_word(found.run).to_owned()),
        scenarios: found.map_or(0, |found| found.scenarios),
        recovered: found.map_or(0, |found| found.recovered),
    }
}

fn table(power: &Power) -> Vec<String> {
    let cells: Vec<Vec<String>> = power
        .found
        .iter()
        .map(|row| {
            let dash = || "-".to_owned();
            vec![
                row.name.clone(),
                row.clause.clone(),
                row.found.clone().unwrap_or_else(dash),
                row.profile.clone().unwrap_or_else(dash),
                row.run.clone().unwrap_or_else(dash),
                thousands(row.scenarios),
                thousands(row.recovered),
            ]
        })
        .collect();
    let headings = [
        "defect",
        "breaks",
        "found",
        "profile",
        "run",
        ">scenarios",
        ">recovered",
    ];
    columns(&headings, &cells)
}

fn complaint(row: &PowerRow, found: Option<&FirstFinding>) -> String {
    let PowerRow { name, clause, .. } = row;
    match found {
        None => format!("crashline: `{name}` breaks {clause} and was not found"),
        Some(found) => format!(
            "crashline: `{name}` breaks {clause}, and what was found first is {}: {}",
            found.clause, found.evidence
        ),
    }
}
