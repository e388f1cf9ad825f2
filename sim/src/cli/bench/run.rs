//! Runs all suites, a round after the other, and takes medians.

use super::super::Exit;
use super::super::args::BenchArguments;
use super::super::failure::Failure;
use super::super::output::Output;
use super::case::{Case, Suite};
use super::table::{self, Row};
use super::{disk, engine, exploration, log, replication};

/// Runs the command.
pub(in super::super) fn bench(
    arguments: &BenchArguments,
    output: &mut Output,
) -> Result<Exit, Failure> {
    let mut suites = [
        exploration::suite(),
        disk::suite(),
        engine::suite(),
        log::suite(),
        replication::suite(),
    ];
    for suite in &mut suites {
        if let Some(name) = &arguments.name {
            suite.keep(|case| case.name.contains(name));
        }
        suite.keep(|case| arguments.long || !case.is_long);
        if arguments.check {
            suite.keep_floors();
        }
    }
    let rows = measure(&suites, arguments.rounds)?;
    if rows.is_empty() {
        return Err(Failure::usage("no case has that in its name"));
    }
    table::print(&rows, arguments.format, output)?;
    let is_too_low = arguments.check && rows.iter().any(Row::is_below_floor);
    Ok(if is_too_low {
        Exit::Violation
    } else {
        Exit::Pass
    })
}

/// The medians of all cases and ratios. The rounds are interleaved, so that a slow phase of the
/// machine slows everything.
fn measure(suites: &[Suite], rounds: usize) -> Result<Vec<Row>, Failure> {
    let cases: Vec<&Case> = suites.iter().flat_map(|suite| &suite.cases).collect();
    let mut values: Vec<Vec<f64>> = cases.iter().map(|_| Vec::new()).collect();
    for round in 0..rounds {
        for (case, values) in cases.iter().zip(&mut values) {
            if round < case.rounds_max {
                values.push((case.measure)()?);
            }
        }
    }
    let values_of = |name: &str| {
        let at = cases.iter().position(|case| case.name == name);
        at.and_then(|at| values.get(at)).map_or(&[][..], |all| all)
    };
    let mut rows = Vec::new();
    for suite in suites {
        rows.extend(suite.cases.iter().map(|case| Row {
            name: case.name.clone(),
            value: median(values_of(&case.name).to_vec()),
            unit: case.unit,
            goal: case.goal,
            floor: None,
        }));
        rows.extend(suite.ratios.iter().map(|ratio| {
            let pairs = values_of(&ratio.over).iter().zip(values_of(&ratio.under));
            Row {
                name: ratio.name.clone(),
                value: median(pairs.map(|(over, under)| over / under).collect()),
                unit: "times",
                goal: ratio.goal,
                floor: ratio.floor,
            }
        }));
    }
    Ok(rows)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::super::case::{Goal, Ratio};
    use super::*;
    use std::cell::Cell;

    #[test]
    fn the_middle_one_counts() {
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
        assert!(median(Vec::new()).abs() < f64::EPSILON);
    }

    fn case(name: &str, values: [f64; 3]) -> Case {
        let next = Cell::new(0);
        let measure = move || {
            next.set(next.get() + 1);
            Ok(values[next.get() - 1])
        };
        Case::new(name, "/s", measure).with_goal(Goal::AtLeast(5.0))
    }

    fn suite() -> Suite {
        let ratio = |name, floor| {
            Ratio::new(name, "one", "other")
                .with_goal(Goal::AtMost(2.0))
                .with_floor(floor)
        };
        Suite {
            cases: vec![
                case("one", [1.0, 8.0, 6.0]),
                case("other", [1.0, 4.0, 1.5]),
                case("long", [7.0, 0.0, 0.0]).in_rounds(1),
            ],
            ratios: vec![
                ratio("both", 2.0),
                ratio("both again", 2.5),
                Ratio::new("long", "long", "one"),
            ],
        }
    }

    #[test]
    fn ratios_are_those_of_one_round() {
        let rows = measure(&[suite()], 3).unwrap();
        let values: Vec<f64> = rows.iter().map(|row| row.value).collect();
        assert_eq!(values, [6.0, 1.5, 7.0, 2.0, 2.0, 7.0]);
        let met: Vec<bool> = rows.iter().map(Row::is_met).collect();
        assert_eq!(met, [true, false, true, true, true, true]);
        let below: Vec<bool> = rows.iter().map(Row::is_below_floor).collect();
        assert_eq!(below, [false, false, false, false, true, false]);
    }

    #[test]
    fn a_check_measures_what_has_a_floor() {
        let mut suite = suite();
        suite.keep_floors();
        let names: Vec<&str> = suite.cases.iter().map(|case| &case.name[..]).collect();
        assert_eq!(names, ["one", "other"]);
        assert_eq!(suite.ratios.len(), 2);
        suite.keep(|case| case.name == "other");
        assert_eq!((suite.cases.len(), suite.ratios.len()), (1, 0));
    }
}
