//! `litmus`: what the simulated disk may leave after small programs, counted, beside what was
//! worked out by hand.

use super::Exit;
use super::args::{Format, LitmusArguments};
use super::failure::Failure;
use super::output::Output;
use crate::crash::PROFILES;
use crate::crash::litmus::{Litmus, LitmusResult, litmuses, run_all};
use crate::report::{Ink, WIDTH, columns, wrapped};
use serde_json::{Value, json};

/// Runs the command.
pub(super) fn litmus(arguments: &LitmusArguments, output: &mut Output) -> Result<Exit, Failure> {
    let defect = |sentence| Failure {
        exit: Exit::Internal,
        sentence,
    };
    let known = litmuses().map_err(defect)?;
    let mut results = run_all().map_err(defect)?;
    if let Some(name) = &arguments.name {
        let names: Vec<&str> = known.iter().map(|one| one.name.as_str()).collect();
        if !names.contains(&name.as_str()) {
            return Err(unknown(name, &names));
        }
        results.retain(|result| result.name == *name);
    }
    match (arguments.format, &arguments.name) {
        (Format::Json, _) => {
            let values = results.iter().map(value).collect();
            output.line(&Value::Array(values).to_string())?;
        }
        (Format::Text, None) => output.lines(&table(&results))?,
        (Format::Text, Some(name)) => {
            let one = known.iter().find(|one| one.name == *name);
            one.map_or(Ok(()), |one| print_one(one, &results, output))?;
        }
    }
    let as_expected = results.iter().all(LitmusResult::is_as_expected);
    Ok(if as_expected {
        Exit::Pass
    } else {
        Exit::Violation
    })
}

fn unknown(name: &str, names: &[&str]) -> Failure {
    let names = names.join(", ");
    Failure::usage(format!("there is no litmus `{name}`; there are {names}"))
}

fn value(result: &LitmusResult) -> Value {
    let expected = result.expected.as_ref();
    json!({
        "name": result.name,
        "profile": result.profile,
        "counted": result.counted,
        "expected": expected.map(|expected| expected.count),
        "why": expected.map(|expected| expected.why.as_str()),
        "outcomes": result.outcomes,
    })
}

/// A line for each litmus, a column for each profile; as many tables as the width asks for.
fn table(results: &[LitmusResult]) -> Vec<String> {
    let widest = results.iter().map(|result| result.name.len()).max();
    let widest = widest.unwrap_or(0);
    let mut lines = Vec::new();
    let mut rest: Vec<&str> = PROFILES.iter().map(|profile| profile.name).collect();
    while !rest.is_empty() {
        let mut width = widest;
        let fitting = rest.iter().take_while(|name| {
            width += name.len() + 2;
            width <= WIDTH
        });
        let fitting = fitting.count().max(1);
        let later = rest.split_off(fitting);
        lines.extend(block(results, &rest));
        rest = later;
    }
    let wrong = results.iter().filter(|result| !result.is_as_expected());
    let wrong = wrong.count();
    lines.push(match wrong {
        0 => format!("all {} counts are those worked out by hand", results.len()),
        _ => format!(
            "{wrong} of {} counts differ: counted/expected",
            results.len()
        ),
    });
    lines
}

fn block(results: &[LitmusResult], profiles: &[&str]) -> Vec<String> {
    let headings: Vec<String> = profiles.iter().map(|name| format!(">{name}")).collect();
    let mut titles = vec!["litmus"];
    titles.extend(headings.iter().map(String::as_str));
    let rows: Vec<Vec<String>> = results
        .chunk_by(|one, next| one.name == next.name)
        .map(|of_one| {
            let name = of_one.first().map(|result| result.name.clone());
            let shown = of_one
                .iter()
                .filter(|result| profiles.contains(&result.profile));
            name.into_iter().chain(shown.map(cell)).collect()
        })
        .collect();
    let mut lines = columns(&titles, &rows);
    lines.push(String::new());
    lines
}

fn cell(result: &LitmusResult) -> String {
    match &result.expected {
        Some(expected) if expected.count == result.counted => result.counted.to_string(),
        Some(expected) => format!("{}/{}", result.counted, expected.count),
        None => format!("{}/?", result.counted),
    }
}

/// One litmus: what happens, and for each profile the outcomes with the reason for their number.
fn print_one(
    litmus: &Litmus,
    results: &[LitmusResult],
    output: &mut Output,
) -> Result<(), Failure> {
    let title = output.paint.ink(Ink::Strong, &litmus.name);
    output.line(&title)?;
    output.lines(&wrapped(&litmus.text, WIDTH))?;
    for result in results {
        output.line("")?;
        let why = result
            .expected
            .as_ref()
            .map_or("", |expected| &expected.why);
        let told = format!("{}: {} ({why})", result.profile, cell(result));
        output.lines(&wrapped(&told, WIDTH))?;
        for outcome in &result.outcomes {
            output.line(&format!("  {outcome}"))?;
        }
    }
    Ok(())
}
