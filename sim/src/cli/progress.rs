//! How far a run has come: a bar on a terminal, now and then a line elsewhere, or JSON events.
//! Also the place where the time limit is noticed, since it is called all the time.

use super::clock::Stopwatch;
use super::output::{Output, say};
use super::stop::Stop;
use crate::explore::Progress;
use crate::report::{progress_event, thousands};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Between two lines where there is no terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(10);
/// Between two changes of the bar, and between two events.
const BETWEEN_EVENTS: Duration = Duration::from_secs(1);

/// Tells of a run while it runs.
pub(super) struct Watch<'a> {
    stop: &'a Stop,
    limit: Option<Duration>,
    stopwatch: Stopwatch,
    told: Mutex<Told<'a>>,
}

struct Told<'a> {
    way: Way<'a>,
    last: Duration,
    newest: Progress,
}

/// Where progress is told.
pub(super) enum Way<'a> {
    /// On a terminal.
    Bar(ProgressBar),
    /// In a log.
    Lines,
    /// On standard output, as events.
    Events(&'a mut Output),
}

impl Way<'_> {
    /// A bar where somebody looks at it, else lines.
    pub(super) fn for_people() -> Self {
        let watched = io::stderr().is_terminal() && std::env::var_os("CI").is_none();
        if !watched {
            return Self::Lines;
        }
        let style = ProgressStyle::with_template("{bar:20} {percent:>3} %  {wide_msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(100), ProgressDrawTarget::stderr());
        Self::Bar(bar.with_style(style))
    }
}

impl<'a> Watch<'a> {
    /// Starts the clock.
    pub(super) fn start(stop: &'a Stop, limit_ms: Option<u64>, way: Way<'a>) -> Self {
        Self {
            stop,
            limit: limit_ms.map(Duration::from_millis),
            stopwatch: Stopwatch::start(),
            told: Mutex::new(Told {
                way,
                last: Duration::ZERO,
                newest: Progress::default(),
            }),
        }
    }

    /// Takes note of progress; any thread may call it.
    pub(super) fn note(&self, progress: Progress) {
        let elapsed = self.stopwatch.elapsed();
        if self.limit.is_some_and(|limit| elapsed >= limit) {
            self.stop.end();
        }
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.newest = progress;
        let between = match told.way {
            Way::Lines => BETWEEN_LINES,
            Way::Bar(_) | Way::Events(_) => BETWEEN_EVENTS,
        };
        if elapsed - told.last >= between {
            told.last = elapsed;
            told.tell();
        }
    }

    /// Whether the user ended it, or the time is over.
    pub(super) fn is_over(&self) -> bool {
        let is_late = |limit| self.stopwatch.elapsed() >= limit;
        self.stop.interrupted() || self.limit.is_some_and(is_late)
    }

    /// The end: the last word, and how long it took.
    pub(super) fn finish(self) -> Duration {
        let mut told = self
            .told
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        match &mut told.way {
            Way::Bar(bar) => bar.finish_and_clear(),
            Way::Lines => {}
            Way::Events(_) => told.tell(),
        }
        self.stopwatch.elapsed()
    }
}

impl Told<'_> {
    fn tell(&mut self) {
        let progress = self.newest;
        match &mut self.way {
            Way::Bar(bar) => {
                let (done, of) = match (progress.budget, progress.cases) {
                    (Some(budget), _) => (progress.recovered, budget),
                    (None, cases) => (progress.scenarios, cases.unwrap_or_default()),
                };
                bar.set_length(of.max(1));
                bar.set_position(done);
                bar.set_message(words(progress));
            }
            Way::Lines => say(&format!("crashline: {}", words(progress))),
            // A failing output is met again, and told, when the result is written.
            Way::Events(output) => drop(output.event(&progress_event(progress))),
        }
    }
}

fn words(progress: Progress) -> String {
    let of = |count: u64, whole: Option<u64>| {
        let whole = whole.map(|whole| format!(" of {}", thousands(whole)));
        thousands(count) + &whole.unwrap_or_default()
    };
    format!(
        "{} images recovered, {} scenarios, {} broken",
        of(progress.recovered, progress.budget),
        of(progress.scenarios, progress.cases),
        thousands(progress.violations),
    )
}
