//! Replay files: where a violation is kept, and how it comes back.
//!
//! A file is named by engine, clause and a digest of its text, so that one finding has one file
//! however often it is found.

use super::failure::Failure;
use super::files::{read_text, write_text};
use crate::scenario::{Clause, Scenario};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// Writes the replay file of a violation into `folder`; returns its path as the user may type it.
pub(super) fn save(folder: &Path, clause: Clause, scenario: &Scenario) -> Result<String, Failure> {
    let path = path_of(folder, clause, scenario);
    write_text(&path, &scenario.to_text())?;
    Ok(path.display().to_string())
}

/// The replay file of a violation.
pub(super) fn path_of(folder: &Path, clause: Clause, scenario: &Scenario) -> PathBuf {
    let digest = xxh3_64(scenario.to_text().as_bytes());
    let name = format!("{}-{clause}-{digest:016x}.json", scenario.engine);
    folder.join(name)
}

/// Reads a replay file.
pub(super) fn read_scenario(path: &Path) -> Result<Scenario, Failure> {
    let text = read_text(path)?;
    let place = path.display();
    Scenario::parse(&text)
        .map_err(|error| Failure::usage(format!("{place} is no replay file: {error}")))
}
