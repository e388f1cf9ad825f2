//! `bench`: how fast exploration is, measured here and now. Medians of interleaved rounds; nothing
//! depends on them, and no test looks at them.

use super::Exit;
use super::args::{BenchArguments, Format};
use super::clock::Stopwatch;
use super::failure::Failure;
use super::output::Output;
use crate::explore::{ExploreLimits, Reader, Workload, build_only, explore};
use crate::scenario::Scenario;
use serde_json::{Value, json};

/// What is counted in one run of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counted {
    /// Distinct images recovered, drained, continued, reopened and judged.
    Recovered,
    /// The same, with a crash inside recovery for a share of the images.
    RecoveredInside,
    /// Images built, hashed and looked up, nothing recovered.
    Built,
}

struct Case {
    name: &'static str,
    counted: Counted,
    messages: u32,
    reader: Reader,
    /// A second and core, on a quiet machine of today.
    goal: f64,
}

const CASES: &[Case] = &[
    case(
        "recovered, 64 messages",
        Counted::Recovered,
        64,
        Reader::Quarter,
        40_000.0,
    ),
    case(
        "recovered inside recovery too, 64",
        Counted::RecoveredInside,
        64,
        Reader::Quarter,
        40_000.0,
    ),
    case(
        "recovered, 1,024 messages",
        Counted::Recovered,
        1_024,
        Reader::Quarter,
        20_000.0,
    ),
    case(
        "recovered, 64, reader keeps up",
        Counted::Recovered,
        64,
        Reader::KeepsUp,
        40_000.0,
    ),
    case(
        "recovered, 1,024, reader keeps up",
        Counted::Recovered,
        1_024,
        Reader::KeepsUp,
        32_000.0,
    ),
    case(
        "built, 64 messages",
        Counted::Built,
        64,
        Reader::Quarter,
        1_000_000.0,
    ),
    case(
        "built, 1,024 messages",
        Counted::Built,
        1_024,
        Reader::Quarter,
        1_000_000.0,
    ),
];

const fn case(
    name: &'static str,
    counted: Counted,
    messages: u32,
    reader: Reader,
    goal: f64,
) -> Case {
    Case {
        name,
        counted,
        messages,
        reader,
        goal,
    }
}

/// Runs the command: messages of 72 bytes, a sync every 4 puts, `posix-min`, one thread.
pub(super) fn bench(arguments: &BenchArguments, output: &mut Output) -> Result<Exit, Failure> {
    let mut rates: Vec<Vec<f64>> = CASES.iter().map(|_| Vec::new()).collect();
    for _ in 0..arguments.rounds {
        for (case, rates) in CASES.iter().zip(&mut rates) {
            rates.push(rate(case)?);
        }
    }
    let results: Vec<(&Case, f64)> = CASES
        .iter()
        .zip(rates)
        .map(|(case, rates)| (case, median(rates)))
        .collect();
    match arguments.format {
        Format::Json => {
            let values = results
                .iter()
                .map(|(case, value)| value_of(case, *value))
                .collect();
            output.line(&Value::Array(values).to_string())?;
        }
        Format::Text => {
            output.line("images a second, one thread; median of the rounds")?;
            for (case, value) in results {
                let met = if value >= case.goal { "met" } else { "not met" };
                let line = format!(
                    "{:<36} {value:>10.0}  goal {:>9.0}  {met}",
                    case.name, case.goal
                );
                output.line(&line)?;
            }
        }
    }
    Ok(Exit::Pass)
}

/// One run of a case, in images a second.
fn rate(case: &Case) -> Result<f64, Failure> {
    let workload = Workload {
        messages: case.messages,
        message_bytes: 72,
        puts_per_sync: 4,
        reader: case.reader,
    };
    let scenario = workload.scenario("diskqueue", "posix-min");
    let watch = Stopwatch::start();
    let images = count(case.counted, &scenario)?;
    #[expect(clippy::cast_precision_loss, reason = "a rate needs few digits")]
    let images = images as f64;
    Ok(images / watch.elapsed().as_secs_f64().max(1e-9))
}

fn count(counted: Counted, scenario: &Scenario) -> Result<u64, Failure> {
    if counted == Counted::Built {
        return Ok(build_only(scenario)?.states_built);
    }
    let depth = u8::from(counted == Counted::RecoveredInside);
    let limits = ExploreLimits {
        depth,
        ..ExploreLimits::default()
    };
    Ok(explore(scenario, &limits)?.states_recovered)
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates.get(rates.len() / 2).copied().unwrap_or(0.0)
}

fn value_of(case: &Case, value: f64) -> Value {
    json!({
        "name": case.name,
        "value": value.round(),
        "unit": "images/s",
        "goal": case.goal,
        "met": value >= case.goal,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_one_counts() {
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
        assert!(median(Vec::new()).abs() < f64::EPSILON);
    }

    #[test]
    fn every_case_has_images() {
        for counted in [Counted::Recovered, Counted::RecoveredInside, Counted::Built] {
            let small = case("small", counted, 4, Reader::Quarter, 1.0);
            assert!(rate(&small).unwrap() > 0.0);
        }
    }
}
