//! Litmus tests: few calls, and the exact number of outcomes that each profile allows.
//!
//! The files under `corpus/litmus` were worked out by hand from the rules; each count says why. An
//! outcome is a distinct directory after a power cut at the end; all kinds of lost bytes count as
//! one. [`run_all`] counts what the walk really shows.

mod describe;
mod file;
mod play;

pub use file::{Expected, Litmus, LitmusCall, litmuses};

use super::limits::Limits;
use super::profile::{PROFILES, Profile};
use super::visit::{Image, Point, State, Visitor};
use super::walk::walk;
use crate::scenario::{CrashKind, Fill};
use std::collections::BTreeMap;
use std::io;

/// What one litmus gave on one profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LitmusResult {
    /// The litmus.
    pub name: String,
    /// The profile.
    pub profile: &'static str,
    /// What the file expects, with its reason; `None` if it says nothing of this profile.
    pub expected: Option<Expected>,
    /// What was counted.
    pub counted: u64,
    /// The outcomes in words, in the order in which they were met.
    pub outcomes: Vec<String>,
}

impl LitmusResult {
    /// Whether it came out as expected, as far as anything is.
    #[must_use]
    pub fn is_as_expected(&self) -> bool {
        self.expected
            .as_ref()
            .is_none_or(|expected| expected.count == self.counted)
    }
}

/// Runs every litmus on every profile.
///
/// # Errors
/// A litmus file that cannot be read or played; it says which one.
pub fn run_all() -> Result<Vec<LitmusResult>, String> {
    let mut results = Vec::new();
    for litmus in litmuses()? {
        for profile in PROFILES {
            let result = run(&litmus, profile)
                .map_err(|error| format!("litmus `{}`: {error}", litmus.name))?;
            results.push(result);
        }
    }
    Ok(results)
}

/// Runs one litmus on one profile.
///
/// # Errors
/// If a call fails that should not.
pub fn run(litmus: &Litmus, profile: &Profile) -> io::Result<LitmusResult> {
    let fs = play::played(litmus)?;
    let mut outcomes = Outcomes {
        at_end: fs.effect_count(),
        images: Vec::new(),
        found: BTreeMap::new(),
    };
    let limits = Limits::default();
    walk(&fs.recording(), profile, &limits, 0, &mut outcomes);
    let mut found: Vec<(u32, String)> = outcomes.found.into_iter().collect();
    found.sort_unstable();
    Ok(LitmusResult {
        name: litmus.name.clone(),
        profile: profile.name,
        expected: litmus.expected.get(profile.name).cloned(),
        counted: found.len() as u64,
        outcomes: found.into_iter().map(|(_, words)| words).collect(),
    })
}

/// The images after a power cut at the end.
struct Outcomes {
    at_end: u32,
    images: Vec<String>,
    found: BTreeMap<u32, String>,
}

impl Visitor for Outcomes {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        self.images.push(describe::tree(&image.mount().tree()));
        u32::try_from(self.images.len() - 1).unwrap_or(u32::MAX)
    }

    fn state(&mut self, point: &Point, state: &State<'_>, outcome: u32) {
        let counts = point.effects == self.at_end
            && state.kind() == CrashKind::PowerCut
            && state.fill().is_none_or(|fill| fill == Fill::Zeros);
        if counts && let Some(words) = self.images.get(outcome as usize) {
            self.found.insert(outcome, words.clone());
        }
    }
}
