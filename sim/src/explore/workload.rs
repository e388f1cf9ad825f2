//! Regular scenarios whose exploration is timed: messages of one size, a sync every few puts, and
//! a reader that lags or keeps up.

use super::error::CheckError;
use super::one::{profile_of, queue_of};
use super::record::{NoWatch, record};
use crate::crash::{Image, Limits, Point, State, Summary, Visitor, walk};
use crate::scenario::{
    Action, FifoOptions, LogOp, LogOptions, LogPosition, LogProgram, ReaderOp, RunKind, Scenario,
    Step, WriterOp,
};

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

/// Segments that hold about a thousand messages.
const SEGMENT_BYTES_MAX: u64 = 80 * 1024;
/// No sync but those asked for.
const SYNC_NEVER: u64 = 1 << 40;

impl Workload {
    /// The workload as a scenario for the queue of an engine on a profile.
    #[must_use]
    pub fn scenario(&self, engine: &str, profile: &str) -> Scenario {
        let mut steps = Vec::new();
        for number in 1..=self.messages {
            steps.push(Step::queue(Action::Put {
                size: self.message_bytes,
            }));
            if self.reads_after(number) {
                steps.push(Step::queue(Action::Read));
            }
            if number.is_multiple_of(self.puts_per_sync) {
                steps.push(Step::queue(Action::Sync));
            }
        }
        Scenario {
            options: FifoOptions {
                segment_bytes_max: SEGMENT_BYTES_MAX,
                sync_every: SYNC_NEVER,
                ..FifoOptions::default()
            },
            steps,
            ..Scenario::bare(engine, profile, RunKind::Crashes, 1)
        }
    }

    /// The same for a log: what is synced can be read by its one reader, which confirms it and is
    /// synced with the writer.
    #[must_use]
    pub fn log_scenario(&self, engine: &str, profile: &str) -> Scenario {
        let writer = LogOp::Writer;
        let reader = |op| LogOp::Reader("reader".to_owned(), op);
        let mut steps = vec![writer(WriterOp::Open), reader(ReaderOp::Open)];
        let mut reads = 0;
        for number in 1..=self.messages {
            let size = self.message_bytes;
            steps.push(writer(WriterOp::Put { size }));
            reads += u32::from(self.reads_after(number));
            if !number.is_multiple_of(self.puts_per_sync) {
                continue;
            }
            steps.push(writer(WriterOp::Flush { fsync: true }));
            steps.push(reader(ReaderOp::UpdateQueueEnd {
                end: LogPosition::SHOWN,
                force: false,
            }));
            for _ in 0..std::mem::take(&mut reads) {
                let (offset, count) = (-1, 0);
                steps.push(reader(ReaderOp::TryReadOne));
                steps.push(reader(ReaderOp::ConfirmRead { offset, count }));
            }
            steps.push(reader(ReaderOp::Flush { fsync: true }));
        }
        let options = LogOptions {
            segment_bytes_max: SEGMENT_BYTES_MAX,
            sync_every: SYNC_NEVER,
            ..LogOptions::default()
        };
        Scenario {
            log: Some(LogProgram { options, steps }),
            ..Scenario::bare(engine, profile, RunKind::Crashes, 1)
        }
    }

    fn reads_after(&self, number: u32) -> bool {
        match self.reader {
            Reader::Quarter => number.is_multiple_of(4),
            Reader::KeepsUp => true,
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
