//! One scenario of a log: recorded once, then every crash of it.

use super::ending::with_known_end;
use super::program::LogCase;
use super::record::{LogRecorded, record};
use super::tail::LogRests;
use super::trial::LogTrial;
use crate::crash::{Profile, walk};
use crate::explore::engines::LogSystem;
use crate::explore::error::CheckError;
use crate::explore::one::{ExploreLimits, Explored};
use crate::explore::visit::{Bench, Visit};
use crate::explore::watch::NoSteps;
use crate::scenario::{RunKind, Scenario};

/// Explores a scenario of a log.
pub(crate) fn explore(
    system: &LogSystem,
    scenario: &Scenario,
    profile: &Profile,
    limits: &ExploreLimits,
) -> Result<Explored, CheckError> {
    let ended;
    let scenario = if scenario.run == RunKind::Damage {
        ended = with_known_end(scenario);
        &ended
    } else {
        scenario
    };
    let case = LogCase::of(system, scenario, profile.syncs_keep)?;
    let recorded = record(&case, &mut NoSteps)?;
    let mut explored = Explored {
        is_beside_others: !scenario.planted.is_empty(),
        has_last_numbers: case.program.has_last_numbers(),
        ..Explored::default()
    };
    explored.take_violations(scenario, &recorded.violations);
    for fired in &recorded.fired {
        *explored.fired.entry(fired.kind).or_default() += 1;
    }
    if scenario.run != RunKind::Damage && recorded.history.is_undecided() {
        explored.unknown = Some("a run has too many states that fit what was seen".to_owned());
    }
    match scenario.run {
        _ if limits.without_crashes => {}
        RunKind::Crashes | RunKind::Errors => {
            crashes(&case, profile, &recorded, limits, &mut explored);
        }
        // What went wrong without damage says enough.
        RunKind::Damage if !recorded.violations.is_empty() => {}
        RunKind::Damage => super::damage::explore(&case, &recorded, &mut explored)?,
        RunKind::Orders | RunKind::Calls => {
            return Err(CheckError::bad_scenario("a log has no runs of orders"));
        }
    }
    Ok(explored)
}

fn crashes(
    case: &LogCase<'_>,
    profile: &Profile,
    recorded: &LogRecorded,
    limits: &ExploreLimits,
    explored: &mut Explored,
) {
    let recording = &recorded.recording;
    let trial = LogTrial {
        case,
        profile,
        history: &recorded.history,
        effects: recording.effects().count() as u64,
        rests: LogRests::default(),
    };
    let mut visit = Visit::new(Bench {
        trial: &trial,
        profile,
        vouching: None,
        nested: &limits.nested,
        depth: limits.depth,
        recovered_max: limits.recovered_max,
        inside_one_in: limits.inside_one_in(recording),
        seed: case.scenario.seed,
        wanted: limits.wanted,
    });
    let first = &limits.first;
    let summary = walk(recording, profile, first, case.scenario.seed, &mut visit);
    explored.take_visit(case.scenario, recording, &summary, visit);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crash::PROFILES;
    use crate::explore::log::session::LogSetup;
    use crate::oracle::LogStrengths;
    use crate::scenario::{Clause, LogOp, LogOptions, LogProgram, Planted, PlantedKind, WriterOp};
    use crate::subject::{LogObjects, LogRequest, LogSubject, SeglogSubject};
    use std::sync::atomic::{AtomicU32, Ordering};

    const NEIGHBOUR: &str = "log2.diskqueue.000000.dat";

    /// Takes what is another log's for its own, from one of its processes on.
    #[derive(Debug)]
    struct Cleans {
        from: u32,
        started: AtomicU32,
    }

    impl LogSubject for Cleans {
        fn name(&self) -> &'static str {
            "cleans"
        }

        fn start(&self, request: &LogRequest<'_>) -> Result<Box<dyn LogObjects>, String> {
            if self.started.fetch_add(1, Ordering::Relaxed) >= self.from {
                let path = request.directory.join(NEIGHBOUR);
                // It may be gone already.
                drop(request.fs.remove_file(&path));
            }
            SeglogSubject.start(request)
        }
    }

    /// What is broken where the neighbour goes in the process of this number, counted from 0.
    fn broken(from: u32) -> Vec<Clause> {
        let program = LogProgram {
            options: LogOptions::default(),
            steps: [WriterOp::Open, WriterOp::Put { size: 8 }]
                .map(LogOp::Writer)
                .to_vec(),
        };
        let scenario = Scenario {
            log: Some(program.clone()),
            planted: vec![Planted {
                name: NEIGHBOUR.to_owned(),
                kind: PlantedKind::File,
                text: "theirs".to_owned(),
            }],
            ..Scenario::bare("seglog", "strict-prefix", RunKind::Crashes, 1)
        };
        let subject = Cleans {
            from,
            started: AtomicU32::new(0),
        };
        let case = LogCase {
            scenario: &scenario,
            program: &program,
            setup: LogSetup {
                subject: &subject,
                quirks: &[],
                options: program.options,
            },
            strengths: LogStrengths::SEGLOG,
        };
        let recorded = record(&case, &mut NoSteps).unwrap();
        let mut explored = Explored::default();
        explored.take_violations(&scenario, &recorded.violations);
        let profile = PROFILES.iter().find(|one| one.name == "strict-prefix");
        let limits = ExploreLimits::default();
        crashes(&case, profile.unwrap(), &recorded, &limits, &mut explored);
        explored.broken.into_keys().collect()
    }

    /// The writer's meta cannot be read from the look after the last step on, however often.
    const NOBODY_TELLS: &str = r#"{"format": 1, "engine": "seglog", "profile": "strict-prefix",
        "run": "errors", "seed": 1, "log": {"options": {"segment_bytes_max": 104857600,
        "message_bytes_min": 1, "message_bytes_max": 1048602, "sync_every": 2500,
        "auto_skip_damaged": false}, "steps": [{"writer": {"op": "open"}},
        {"reader": ["a", {"op": "open"}]}, "kill", {"writer": {"op": "open"}},
        {"snapshot": {"op": "open"}}, {"reader": ["b", {"op": "open"}]}]},
        "faults": ["6 read_at on *.writer.dat: bad sectors 0-7"]}"#;

    #[test]
    fn where_nobody_can_be_asked_nothing_is_judged() {
        let scenario = Scenario::parse(NOBODY_TELLS).unwrap();
        let limits = ExploreLimits::default();
        let explored = crate::explore::explore(&scenario, &limits).unwrap();
        assert_eq!(explored.broken.into_keys().collect::<Vec<Clause>>(), []);
        assert!(!explored.fired.is_empty(), "the fault fired");
    }

    #[test]
    fn a_neighbour_that_goes_is_missed_in_the_run_and_after_a_crash() {
        assert_eq!(broken(u32::MAX), []);
        assert_eq!(broken(0), [Clause::C9]);
        // The run itself is one process; some of the others only look.
        assert_eq!(broken(1), [Clause::C9, Clause::L14]);
    }
}
