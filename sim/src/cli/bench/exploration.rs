//! How fast exploration is: messages of 72 bytes, a sync every 4 puts, `posix-min` with its two
//! fills and kills, one thread.

use super::super::clock::Stopwatch;
use super::super::failure::Failure;
use super::case::{Case, Goal, Ratio, Suite};
use crate::explore::{ExploreLimits, Reader, Workload, build_only, explore};
use crate::scenario::Scenario;

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

/// All cases.
pub(super) fn suite() -> Suite {
    use Counted::{Built, Recovered, RecoveredInside};
    use Reader::{KeepsUp, Quarter};
    let cases = vec![
        case("recovered, 64 messages", Recovered, 64, Quarter, 40_000.0),
        case(
            "recovered inside recovery too, 64",
            RecoveredInside,
            64,
            Quarter,
            40_000.0,
        ),
        case(
            "recovered, 1,024 messages",
            Recovered,
            1_024,
            Quarter,
            20_000.0,
        ),
        case(
            "recovered, 64, reader keeps up",
            Recovered,
            64,
            KeepsUp,
            40_000.0,
        ),
        case(
            "recovered, 1,024, reader keeps up",
            Recovered,
            1_024,
            KeepsUp,
            32_000.0,
        ),
        case("built, 64 messages", Built, 64, Quarter, 1_000_000.0),
        case("built, 1,024 messages", Built, 1_024, Quarter, 1_000_000.0),
    ];
    let ratios = vec![Ratio {
        name: "built, 64 over 1,024 messages".to_owned(),
        over: "built, 64 messages".to_owned(),
        under: "built, 1,024 messages".to_owned(),
        goal: Some(Goal::AtMost(1.25)),
    }];
    Suite { cases, ratios }
}

fn case(name: &str, counted: Counted, messages: u32, reader: Reader, goal: f64) -> Case {
    Case {
        name: name.to_owned(),
        unit: "images/s",
        goal: Some(Goal::AtLeast(goal)),
        measure: Box::new(move || rate(counted, messages, reader)),
    }
}

/// One run, in images a second.
fn rate(counted: Counted, messages: u32, reader: Reader) -> Result<f64, Failure> {
    let workload = Workload {
        messages,
        message_bytes: 72,
        puts_per_sync: 4,
        reader,
    };
    let scenario = workload.scenario("diskqueue", "posix-min");
    let watch = Stopwatch::start();
    let images = count(counted, &scenario)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_has_images() {
        for counted in [Counted::Recovered, Counted::RecoveredInside, Counted::Built] {
            assert!(rate(counted, 4, Reader::Quarter).unwrap() > 0.0);
        }
    }
}
