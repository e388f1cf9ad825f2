//! Any bytes as a scenario: run, crashed everywhere within small limits, recovered and judged;
//! no clause breaks.
#![no_main]

#[path = "../common/explored.rs"]
mod explored;

use libfuzzer_sys::fuzz_target;

/// Images of one input.
const IMAGES_MAX: u64 = 600;

fuzz_target!(|input: &[u8]| {
    if let Some(scenario) = explored::scenario("diskqueue", input) {
        explored::explore_whole(&scenario, IMAGES_MAX);
    }
});
