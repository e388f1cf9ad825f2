//! Any bytes as a scenario of a log: run, crashed everywhere within small limits, recovered and
//! judged; no clause breaks.
#![no_main]

#[path = "../common/explored.rs"]
mod explored;

use libfuzzer_sys::fuzz_target;

/// An image of a log takes about six times as long as one of a queue.
const IMAGES_MAX: u64 = 100;

fuzz_target!(|input: &[u8]| {
    if let Some(scenario) = explored::scenario("seglog", input) {
        explored::explore_whole(&scenario, IMAGES_MAX);
    }
});
