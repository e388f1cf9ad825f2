//! Properties that hold for all inputs, tried on some hundred that proptest draws and shrinks.
//!
//! The draws are the same in every run, so that a gate does not fail by chance; `PROPTEST_CASES`
//! asks for more of them. A failing scenario is saved as a replay file.

mod codecs;
mod limits;
mod model;
mod names;
mod scenarios;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestRng, TestRunner};

/// Tries `property` on so many values (or as many as `PROPTEST_CASES` asks for), and panics with
/// the smallest that breaks it.
fn check<S: Strategy>(cases: u32, strategy: &S, property: impl Fn(S::Value) -> TestCaseResult)
where
    S::Value: std::fmt::Debug,
{
    if let Err(error) = runner(cases).run(strategy, property) {
        panic!("{error}");
    }
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new_with_rng(
        config(cases),
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    )
}

fn config(cases: u32) -> Config {
    let asked = std::env::var("PROPTEST_CASES").ok();
    let asked = asked.and_then(|cases| cases.parse().ok());
    Config {
        cases: asked.unwrap_or(cases),
        failure_persistence: None,
        ..Config::default()
    }
}
