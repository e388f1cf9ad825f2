//! One kind of run whose rates are measured: messages of 72 bytes, a sync every 4 puts, `posix-min`
//! with its fills and kills, one thread.

use super::super::clock::ProcessorTime;
use super::super::failure::Failure;
use crate::crash::Limits;
use crate::explore::{ExploreLimits, Reader, Workload, build_only, explore};

const MESSAGE_BYTES: u32 = 72;

/// A run that takes less is repeated: what it finds in the caches is what the case before left.
const SAMPLE_SECONDS: f64 = 0.25;

/// One kind of run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    /// A log with a reader, else a queue.
    is_log: bool,
    pub(super) messages: u32,
    reader: Reader,
    pub(super) recovers: bool,
    /// Every recovery is crashed inside too.
    inside: bool,
    pub(super) rounds_max: usize,
    pub(super) is_long: bool,
}

/// What is counted in a run.
#[derive(Debug, Clone, Copy)]
pub(super) enum Counted {
    Recovered,
    Built,
    Judged,
}

/// 64 messages, a quarter of which are read.
pub(super) const QUARTER: Run = Run {
    is_log: false,
    messages: 64,
    reader: Reader::Quarter,
    recovers: true,
    inside: false,
    rounds_max: usize::MAX,
    is_long: false,
};

/// The same, all of which are read as they come.
pub(super) const KEEPS_UP: Run = Run {
    reader: Reader::KeepsUp,
    ..QUARTER
};

impl Run {
    pub(super) const fn of(self, messages: u32) -> Self {
        Self { messages, ..self }
    }

    pub(super) const fn inside(self) -> Self {
        Self {
            inside: true,
            ..self
        }
    }

    pub(super) const fn built_only(self) -> Self {
        Self {
            recovers: false,
            ..self
        }
    }

    pub(super) const fn of_a_log(self) -> Self {
        Self {
            is_log: true,
            ..self
        }
    }

    /// Run once, where what takes minutes was asked for.
    pub(super) const fn long(self) -> Self {
        Self {
            rounds_max: 1,
            is_long: true,
            ..self
        }
    }

    /// Its name, without what is counted.
    fn name(self) -> String {
        let mut name = format!("{} messages", self.messages);
        if self.is_log {
            name.insert_str(0, "log, ");
        }
        if self.reader == Reader::KeepsUp {
            name.push_str(", reader keeps up");
        }
        if self.inside {
            name.push_str(", crashes inside");
        }
        if !self.recovers {
            name.push_str(", build only");
        }
        name
    }

    pub(super) fn case_name(self, counted: Counted) -> String {
        let counted = match counted {
            Counted::Recovered => "recovered",
            Counted::Built => "built",
            Counted::Judged => "judged",
        };
        format!("{counted}, {}", self.name())
    }

    /// Recovered, built and judged, a second.
    pub(super) fn rates(self) -> Result<[f64; 3], Failure> {
        let watch = ProcessorTime::start();
        let mut counts = [0_u64; 3];
        loop {
            for (count, more) in counts.iter_mut().zip(self.counts()?) {
                *count += more;
            }
            let seconds = watch.seconds();
            if seconds >= SAMPLE_SECONDS {
                #[expect(clippy::cast_precision_loss, reason = "a rate needs few digits")]
                let rates = counts.map(|count| count as f64 / seconds);
                return Ok(rates);
            }
        }
    }

    /// How many a run recovers, builds and judges.
    fn counts(self) -> Result<[u64; 3], Failure> {
        let workload = Workload {
            messages: self.messages,
            message_bytes: MESSAGE_BYTES,
            puts_per_sync: 4,
            reader: self.reader,
        };
        let scenario = match self.is_log {
            true => workload.log_scenario("seglog", "posix-min"),
            false => workload.scenario("diskqueue", "posix-min"),
        };
        if self.recovers {
            let limits = ExploreLimits {
                first: Limits::default(),
                depth: u8::from(self.inside),
                log_entries_inside: u128::MAX,
                ..ExploreLimits::default()
            };
            let explored = explore(&scenario, &limits)?;
            return Ok([
                explored.states_recovered,
                explored.states_built,
                explored.states_judged,
            ]);
        }
        let summary = build_only(&scenario)?;
        Ok([0, summary.states_built, summary.states_judged])
    }
}
