//! The clock: the one place that asks what time it is. No result depends on it.
#![expect(
    clippy::disallowed_methods,
    reason = "progress and time limits are the user's time, not the scenario's"
)]

use std::time::{Duration, Instant};

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
