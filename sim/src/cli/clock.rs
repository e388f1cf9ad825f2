//! The clock: the one place that asks what time it is. No result depends on it.
#![expect(
    clippy::disallowed_methods,
    reason = "progress and time limits are the user's time, not the scenario's"
)]

use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, Instant};

/// Processor time of this thread: other programs do not disturb it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProcessorTime(Duration);

impl ProcessorTime {
    /// Starts at zero.
    pub(super) fn start() -> Self {
        Self(Self::now())
    }

    /// The seconds since, never quite none.
    pub(super) fn seconds(self) -> f64 {
        let used = Self::now().saturating_sub(self.0);
        used.as_secs_f64().max(1e-9)
    }

    fn now() -> Duration {
        let now = clock_gettime(ClockId::ThreadCPUTime);
        let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
        Duration::new(seconds, u32::try_from(now.tv_nsec).unwrap_or(0))
    }
}

/// Time since it was started.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts at zero.
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }

    /// How long ago it was started.
    pub(super) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}
