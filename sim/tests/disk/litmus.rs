//! The numbers that were worked out by hand are the numbers that are counted.

use crashline::fs::{RealFs, list_names};
use crashline_sim::crash::PROFILES;
use crashline_sim::crash::litmus::{litmuses, run_all};
use std::path::Path;

#[test]
fn every_profile_allows_what_was_worked_out_by_hand() {
    let mut wrong = Vec::new();
    for result in run_all().unwrap() {
        if !result.is_as_expected() {
            wrong.push(format!("{result:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_litmus_file_is_run_and_speaks_of_every_profile() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/litmus");
    let mut in_directory: Vec<String> = list_names(&RealFs, &directory)
        .unwrap()
        .into_iter()
        .map(|name| name.into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".json").map(str::to_owned))
        .collect();
    in_directory.sort();
    let mut run: Vec<String> = Vec::new();
    for litmus in litmuses().unwrap() {
        for profile in PROFILES {
            // Which syncs lie is drawn, so that no number can be worked out.
            let is_silent = profile.name == "lying-disk";
            assert_eq!(
                litmus.expected.contains_key(profile.name),
                !is_silent,
                "{} on {}",
                litmus.name,
                profile.name
            );
        }
        run.push(litmus.name);
    }
    run.sort();
    assert_eq!(run, in_directory);
}
