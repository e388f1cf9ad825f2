//! Regular scenarios whose exploration is timed: messages of one size, a sync every few puts, and
//! a reader that lags or keeps up.

use super::error::CheckError;
use super::one::{profile_of, queue_of};
use super::record::{NoWatch, record};
use crate::crash::{Image, Limits, Point, State, Summary, Visitor, walk};
use crate::scenario::{Action, FORMAT, FifoOptions, RunKind, Scenario, Step};

/// How much the reader of a workload reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// One message for every four put: a backlog builds up.
    Quarter,
    /// Every message as soon as it is there.
    KeepsUp,
}

/// The shape of a workload.
#[derive(Debug, Clone, Copy)]
pub struct Workload {
    /// Messages put.
    pub messages: u32,
    /// Size of each, in bytes.
    pub message_bytes: u32,
    /// Puts between two syncs.
    pub puts_per_sync: u32,
    /// What is read.
    pub reader: Reader,
}

impl Workload {
    /// The workload as a scenario for an engine on a profile.
    #[must_use]
    pub fn scenario(&self, engine: &str, profile: &str) -> Scenario {
        let mut steps = Vec::new();
        for number in 1..=self.messages {
            steps.push(Step::queue(Action::Put {
                size: self.message_bytes,
            }));
            let reads = match self.reader {
                Reader::Quarter => number % 4 == 0,
                Reader::KeepsUp => true,
            };
            if reads {
                steps.push(Step::queue(Action::Read));
            }
            if number % self.puts_per_sync == 0 {
                steps.push(Step::queue(Action::Sync));
            }
        }
        // Segments that hold about a thousand messages, and no sync but those asked for.
        let options = FifoOptions {
            segment_bytes_max: 80 * 1024,
            sync_every: 1 << 40,
            ..FifoOptions::default()
        };
        Scenario {
            format: FORMAT,
            engine: engine.to_owned(),
            options,
            quirks: Vec::new(),
            profile: profile.to_owned(),
            run: RunKind::Crashes,
            with_dir_sync: false,
            seed: 1,
            steps,
            log: None,
            offsets: None,
            cluster: None,
            faults: Vec::new(),
            damage: Vec::new(),
            planted: Vec::new(),
            crashes: Vec::new(),
        }
    }
}

/// Records a scenario and builds, hashes and looks up every image of its crashes; recovers none.
///
/// # Errors
/// When the scenario names what does not exist.
pub fn build_only(scenario: &Scenario) -> Result<Summary, CheckError> {
    struct Nobody;
    impl Visitor for Nobody {
        fn image(&mut self, _image: &Image<'_>) -> u32 {
            0
        }
        fn state(&mut self, _point: &Point, _state: &State<'_>, _outcome: u32) {}
    }
    let queue = queue_of(scenario)?;
    let profile = profile_of(scenario)?;
    let recorded = record(queue, scenario, &mut NoWatch)?;
    Ok(walk(
        &recorded.recording,
        profile,
        &Limits::default(),
        scenario.seed,
        &mut Nobody,
    ))
}
