//! What ends a run early: the user's signal, or the time limit.

use super::failure::Failure;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set from a signal handler, read by the threads that work.
#[derive(Debug, Default)]
pub(super) struct Stop {
    stop: Arc<AtomicBool>,
    interrupted: Arc<AtomicBool>,
}

impl Stop {
    /// From here on Ctrl-C and a request to terminate end the run in order; a second one ends
    /// the process at once.
    pub(super) fn on_signals() -> Result<Self, Failure> {
        use signal_hook::consts::{SIGINT, SIGTERM};
        use signal_hook::flag;
        let stop = Self::default();
        for signal in [SIGINT, SIGTERM] {
            let again = Arc::clone(&stop.interrupted);
            let code = i32::from(super::Exit::Interrupted.code());
            let registered = flag::register_conditional_shutdown(signal, code, again)
                .and_then(|_| flag::register(signal, Arc::clone(&stop.interrupted)))
                .and_then(|_| flag::register(signal, Arc::clone(&stop.stop)));
            if let Err(error) = registered {
                let sentence = format!("cannot listen for signals: {error}");
                return Err(Failure::usage(sentence));
            }
        }
        Ok(stop)
    }

    /// The flag that the work looks at.
    pub(super) fn flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Ends the run.
    pub(super) fn end(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the user ended it.
    pub(super) fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}
