//! How fast exploration is: messages of 72 bytes, a sync every 4 puts, `posix-min` with its fills
//! and kills, one thread. Nothing is left out: every state at every point is judged, every distinct
//! image is recovered.
//!
//! "Recovered" are distinct images recovered, drained, continued, reopened and judged; "built" are
//! images built, hashed and looked up; "judged" are (crash point, state) pairs. The three rates of
//! a case come from one run.

use super::super::failure::Failure;
use super::case::{Case, Goal, Ratio, Suite};
use super::rates::{Counted, KEEPS_UP, QUARTER, Run};
use super::reference::copies_and_hashes;
use std::cell::Cell;
use std::rc::Rc;

/// A message with its length.
const RECORD_BYTES: u32 = 76;

/// The rates of the last run that nobody asked for yet: cases of one run share it.
#[derive(Default)]
struct Shared([Cell<Option<f64>>; 3]);

impl Shared {
    fn take(&self, run: Run, counted: Counted) -> Result<f64, Failure> {
        let [recovered, built, judged] = &self.0;
        let wanted = match counted {
            Counted::Recovered => recovered,
            Counted::Built => built,
            Counted::Judged => judged,
        };
        if let Some(rate) = wanted.take() {
            return Ok(rate);
        }
        for (rate, cell) in run.rates()?.into_iter().zip(&self.0) {
            cell.set(Some(rate));
        }
        Ok(wanted.take().unwrap_or(0.0))
    }
}

/// All cases.
pub(super) fn suite() -> Suite {
    let mut suite = Suite::default();
    suite.add_run(QUARTER, Some(80_000.0), 0.007);
    suite.add_run(QUARTER.inside(), Some(60_000.0), 0.007);
    suite.add_run(QUARTER.of(1_024), Some(40_000.0), 0.06);
    suite.add_run(KEEPS_UP, None, 0.008);
    suite.add_run(KEEPS_UP.of(1_024), None, 0.13);
    suite.add_run(KEEPS_UP.of(65_536).long(), None, 0.0);
    suite.add_run(QUARTER.of_a_log(), None, 0.0006);
    suite.add_run(QUARTER.built_only(), Some(1_000_000.0), 0.3);
    suite.add_run(QUARTER.of(1_024).built_only(), Some(1_000_000.0), 6.0);
    suite.add_run(
        QUARTER.of(65_536).built_only().long(),
        Some(1_000_000.0),
        0.0,
    );
    for messages in [64, 1_024] {
        suite
            .cases
            .push(Case::new(reference_name(messages), "copies/s", move || {
                Ok(copies_and_hashes(messages * RECORD_BYTES))
            }));
    }
    for messages in [1_024, 65_536] {
        let goal = Goal::AtLeast(0.8);
        suite.add_comparison(Counted::Recovered, KEEPS_UP.of(messages), KEEPS_UP, goal);
    }
    let (log, queue) = (QUARTER.of_a_log(), QUARTER);
    let [over, under] = [log, queue].map(|run| run.case_name(Counted::Recovered));
    let ratio = Ratio::new(format!("{over}: over diskqueue"), over, under);
    suite.ratios.push(ratio.with_goal(Goal::AtLeast(0.5)));
    let built = QUARTER.built_only();
    for messages in [1_024, 65_536] {
        let goal = Goal::AtMost(1.25);
        suite.add_comparison(Counted::Built, built, built.of(messages), goal);
    }
    suite
}

impl Suite {
    /// The three rates of a run, the first with a goal, and its ratio to the reference, which has
    /// a floor (0: none).
    fn add_run(&mut self, run: Run, goal: Option<f64>, floor: f64) {
        let shared = Rc::new(Shared::default());
        let all = [Counted::Recovered, Counted::Built, Counted::Judged];
        let counted = if run.recovers { &all[..] } else { &all[1..] };
        let [first, ..] = *counted else { return };
        let mut goal = goal.map(Goal::AtLeast);
        for counted in counted.iter().copied() {
            let shared = Rc::clone(&shared);
            let unit = match counted {
                Counted::Recovered | Counted::Built => "images/s",
                Counted::Judged => "pairs/s",
            };
            let take = move || shared.take(run, counted);
            let mut case = Case::new(run.case_name(counted), unit, take).in_rounds(run.rounds_max);
            case.goal = goal.take();
            case.is_long = run.is_long;
            self.cases.push(case);
        }
        if floor > 0.0 {
            let name = run.case_name(first);
            let reference = reference_name(run.messages);
            let ratio = Ratio::new(format!("{name}: over copies"), name, reference);
            self.ratios.push(ratio.with_floor(floor));
        }
    }

    /// How much faster one run is than another that differs in its length.
    fn add_comparison(&mut self, counted: Counted, run: Run, other: Run, goal: Goal) {
        let (over, under) = (run.case_name(counted), other.case_name(counted));
        let name = format!("{over}: over {}", other.messages);
        let ratio = Ratio::new(name, over, under);
        self.ratios.push(ratio.with_goal(goal));
    }
}

fn reference_name(messages: u32) -> String {
    format!("copies and hashes of {messages} messages")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_all_rates() {
        let four = QUARTER.of(4);
        for run in [four, four.inside(), KEEPS_UP.of(4), four.of_a_log()] {
            assert!(run.rates().unwrap().iter().all(|rate| *rate > 0.0));
        }
        let [recovered, built, judged] = QUARTER.of(4).built_only().rates().unwrap();
        assert!(recovered < 1.0 && built > 0.0 && judged > 0.0);
    }

    #[test]
    fn cases_of_one_run_share_it() {
        let (run, shared) = (QUARTER.of(4), Shared::default());
        assert!(shared.take(run, Counted::Judged).unwrap() > 0.0);
        let [recovered, built, judged] = &shared.0;
        assert!(recovered.get().is_some() && built.get().is_some() && judged.get().is_none());
        assert!(shared.take(run, Counted::Recovered).unwrap() > 0.0);
        assert!(recovered.get().is_none());
    }

    #[test]
    fn every_ratio_is_of_two_cases() {
        let suite = suite();
        for ratio in &suite.ratios {
            for name in [&ratio.over, &ratio.under] {
                assert!(suite.cases.iter().any(|case| case.name == *name), "{name}");
            }
        }
    }
}
