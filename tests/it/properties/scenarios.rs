//! Scenarios as proptest strategies over the whole explorer: every crash of them, recovered and
//! judged. What fails is shrunk and saved as a replay file.

use super::model::options;
use super::runner;
use crashline_sim::explore::{ExploreLimits, explore};
use crashline_sim::generate::from_bytes;
use crashline_sim::scenario::{Action, FORMAT, RunKind, Scenario, Step};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestError;
use std::path::{Path, PathBuf};

const PROFILES: &[&str] = &["strict-prefix", "ext4-ordered", "posix-min"];
/// States at one point, and inside recovery: proptest draws other scenarios instead.
const STATES_MAX: usize = 48;

fn action() -> impl Strategy<Value = Action> {
    let size = || prop_oneof![3 => 4..24_u32, 1 => 0..4_u32];
    prop_oneof![
        6 => size().prop_map(|size| Action::Put { size }),
        2 => vec(size(), 1..4).prop_map(|sizes| Action::PutBatch { sizes }),
        4 => Just(Action::Read),
        3 => Just(Action::Sync),
        1 => Just(Action::Peek),
        1 => (0..5000_u64).prop_map(|now_ms| Action::Tick { now_ms }),
        1 => Just(Action::Empty),
        2 => Just(Action::Close),
        1 => Just(Action::Kill),
        1 => Just(Action::Delete),
    ]
}

/// Steps as drawn, and an open behind each that ends the object; it may have other options.
fn structured() -> impl Strategy<Value = Scenario> {
    let step = (action(), proptest::option::of(options()));
    (options(), select(PROFILES), any::<u64>(), vec(step, 1..9)).prop_map(
        |(options, profile, seed, drawn)| {
            let mut steps = Vec::new();
            for (action, other) in drawn {
                let ends = matches!(action, Action::Close | Action::Kill | Action::Delete);
                steps.push(Step::queue(action));
                if ends {
                    steps.push(Step::queue(Action::Open { options: other }));
                }
            }
            Scenario {
                format: FORMAT,
                engine: "diskqueue".to_owned(),
                options,
                quirks: Vec::new(),
                profile: profile.to_owned(),
                run: RunKind::Crashes,
                with_dir_sync: false,
                seed,
                steps,
                log: None,
                offsets: None,
                cluster: None,
                faults: Vec::new(),
                damage: Vec::new(),
                planted: Vec::new(),
                crashes: Vec::new(),
            }
        },
    )
}

/// What the generator makes of some bytes: faults and damage too.
fn from_choices() -> impl Strategy<Value = Scenario> {
    let run = select(&[RunKind::Errors, RunKind::Damage, RunKind::Crashes][..]);
    (vec(any::<u8>(), 0..100), run, select(PROFILES))
        .prop_map(|(bytes, run, profile)| from_bytes(&bytes, "diskqueue", run, profile))
}

/// The clause that a scenario breaks, with the evidence and the scenario that shows it.
fn broken(scenario: &Scenario) -> Option<(String, Scenario)> {
    let mut limits = ExploreLimits::default();
    limits.first.states_max = STATES_MAX;
    limits.first.images_max = Some(400);
    limits.nested.states_max = 8;
    let explored = explore(scenario, &limits).expect("a drawn scenario can be run");
    let (clause, (violation, shown)) = explored.broken.into_iter().next()?;
    Some((format!("{clause}: {}", violation.evidence), shown))
}

/// Looks for a scenario that breaks a clause; the smallest is saved, and its path is returned.
fn search(cases: u32, strategy: &impl Strategy<Value = Scenario>) -> Option<(String, PathBuf)> {
    let failed = runner(cases).run(strategy, |scenario| match broken(&scenario) {
        None => Ok(()),
        Some((evidence, _)) => Err(TestCaseError::fail(evidence)),
    });
    let scenario = match failed {
        Ok(()) => return None,
        Err(TestError::Fail(_, scenario)) => scenario,
        Err(TestError::Abort(reason)) => panic!("nothing could be drawn: {reason}"),
    };
    let (evidence, shown) = broken(&scenario).expect("the same scenario breaks the same again");
    let text = shown.to_text();
    let name = format!("property-{:08x}.json", crc32c::crc32c(text.as_bytes()));
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    #[expect(clippy::disallowed_methods, reason = "a replay file is for people")]
    std::fs::write(&path, text).expect("the folder for temporary files can be written to");
    Some((evidence, path))
}

fn must_hold(cases: u32, strategy: &impl Strategy<Value = Scenario>) {
    if let Some((evidence, path)) = search(cases, strategy) {
        panic!("{evidence}; replay {}", path.display());
    }
}

#[test]
fn no_crash_of_a_drawn_scenario_breaks_a_clause() {
    must_hold(40, &structured());
}

#[test]
fn no_error_damage_or_crash_of_generated_scenarios_breaks_a_clause() {
    must_hold(40, &from_choices());
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the replay file is read as it was written"
)]
fn a_defect_is_found_shrunk_and_saved() {
    let strategy = structured().prop_map(|scenario| Scenario {
        quirks: vec!["no-directory-sync".to_owned()],
        ..scenario
    });
    let (_, path) = search(60, &strategy).expect("a missing directory sync shows");
    let saved = std::fs::read_to_string(&path).expect("it was saved");
    let saved = Scenario::parse(&saved).expect("it is a scenario");
    assert!(saved.steps.len() <= 3, "{} steps", saved.steps.len());
    assert!(broken(&saved).is_some(), "it shows the same again");
}
