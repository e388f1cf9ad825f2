//! The target that must fail: as `scenario`, with a defect put back into the engine. Where it is
//! not found within seconds, the fuzzers look at nothing.
#![no_main]

#[path = "../common/explored.rs"]
mod explored;

use libfuzzer_sys::fuzz_target;

/// Images of one input.
const IMAGES_MAX: u64 = 600;

const DEFECT: &str = "no-directory-sync";

fuzz_target!(|input: &[u8]| {
    if let Some(mut scenario) = explored::scenario("diskqueue", input) {
        scenario.quirks = vec![DEFECT.to_owned()];
        explored::explore_whole(&scenario, IMAGES_MAX);
    }
});
