//! The finished run of a log: for every mark what a crash there allows.

use super::chain::Chains;
use super::guess::Names;
use super::strengths::LogStrengths;
use super::windows::{Allowed, LogWindows};
use std::sync::Arc;

/// A finished run, ready for judging its crashes.
#[derive(Debug, Clone)]
pub struct LogHistory {
    /// By mark; nothing from where the run could no longer be followed.
    windows: Vec<Option<LogWindows>>,
    readers: Arc<[String]>,
    chains: Arc<Chains>,
    strengths: LogStrengths,
    is_undecided: bool,
}

impl LogHistory {
    pub(super) fn build(
        marks: Vec<Option<Allowed>>,
        chains: Chains,
        names: &Names,
        strengths: LogStrengths,
        is_undecided: bool,
    ) -> Self {
        let chains = Arc::new(chains);
        let readers: Arc<[String]> = names.all().into();
        let mut version = 0;
        let mut before: Option<Arc<Allowed>> = None;
        let mut windows = Vec::new();
        for (position, allowed) in (0..).zip(marks) {
            let Some(allowed) = allowed else {
                windows.push(None);
                continue;
            };
            if before
                .as_ref()
                .is_some_and(|before| !before.allows_as(&allowed))
            {
                version += 1;
            }
            let allowed = Arc::new(allowed);
            before = Some(Arc::clone(&allowed));
            windows.push(Some(LogWindows {
                position,
                version,
                allowed,
                chains: Arc::clone(&chains),
                readers: Arc::clone(&readers),
                syncs_keep: strengths.syncs_keep,
            }));
        }
        Self {
            windows,
            readers,
            chains,
            strengths,
            is_undecided,
        }
    }

    /// What a crash at this mark allows; beyond the end of the run, what one at its end does.
    /// Nothing from where a step was wrong, or the run could not be followed.
    #[must_use]
    pub fn windows_at(&self, position: u32) -> Option<&LogWindows> {
        let windows = self.windows.get(position as usize);
        windows.or_else(|| self.windows.last())?.as_ref()
    }

    /// The names of all readers that were met, in order of their first appearance.
    #[must_use]
    pub fn readers(&self) -> &[String] {
        &self.readers
    }

    /// What the subject is held to.
    #[must_use]
    pub fn strengths(&self) -> LogStrengths {
        self.strengths
    }

    /// Too many states fit what was seen, so that the rest of the run was not judged. Whoever
    /// counts verdicts counts this as unknown.
    #[must_use]
    pub fn is_undecided(&self) -> bool {
        self.is_undecided
    }

    pub(super) fn chains(&self) -> &Chains {
        &self.chains
    }
}
