//! The directory after a crash, and what was reported lost from it.

use super::observer::{Reopened, TailObserver};
use crate::oracle::directory::{Moment, check};
use crate::oracle::{FileSeen, Finding, Role, What, role};
use crate::scenario::{Clause, Outcome, Planted};

impl TailObserver<'_> {
    /// The queue's directory was looked at, between two operations. `queue` is the name that
    /// starts the names of its files.
    pub fn directory(&mut self, queue: &str, files: &[FileSeen<'_>]) {
        if self.finding.is_some() || !self.history.strengths().diskqueue_files {
            return;
        }
        let moment = Moment {
            unread_bytes: self.settled.then(|| self.unread_bytes()).flatten(),
            delivered_below: if self.only_kills {
                self.sequence
                    .delivered_below(self.history.messages().count())
            } else {
                0
            },
            limits: Some(self.history.limits()),
            ..Moment::default()
        };
        let planted = self.history.planted();
        self.finding = check(queue, files, planted, moment, self.history.messages());
        self.doubt = self
            .doubt
            .take()
            .or_else(|| self.removed_unread(queue, files));
    }

    /// Whether the bytes that were kept aside are judged: after a power cut nothing is known of
    /// them, and reading them would cost more than all else.
    #[must_use]
    pub fn looks_into_quarantine(&self) -> bool {
        self.only_kills
    }

    /// What lay in the directory before the queue.
    #[must_use]
    pub fn planted(&self) -> &[Planted] {
        self.history.planted()
    }

    /// Q8: what was lost must have been kept aside; else its segment was removed too early.
    fn removed_unread(&self, queue: &str, files: &[FileSeen<'_>]) -> Option<Finding> {
        let kept = |lost: &str| {
            files.iter().any(|file| {
                role(queue, file.name) == Role::Quarantine && file.name.starts_with(lost)
            })
        };
        let name = self.lost_files.iter().find(|name| !kept(name))?;
        Some(Finding {
            clause: Clause::Q8,
            what: What::File(name.clone(), "is gone although it held unread messages"),
        })
    }

    /// The size of what is still to be delivered, where it is known.
    fn unread_bytes(&self) -> Option<u64> {
        (self.sequence.left() == Some(0)).then_some(0)
    }

    pub(super) fn note_losses(&mut self, outcome: &Outcome) {
        let files = outcome.losses.iter().map(|loss| loss.file.clone());
        self.lost_files.extend(files);
    }

    /// Reading met damage, though there is none in these runs.
    pub(super) fn meet_damage(&mut self, outcome: &Outcome) {
        if let Some(loss) = outcome.losses.first() {
            self.doubt(What::DamageMet(loss.file.clone()));
            self.doubt_all();
            self.note_losses(outcome);
        }
    }

    /// Damage was met where there is none. With other options than before, which is all that has
    /// changed since the queue was last opened, they are to blame.
    fn doubt(&mut self, what: What) {
        if self.reopened == Reopened::Otherwise {
            return self.found(Clause::Q9, what);
        }
        let clause = Clause::C12;
        self.doubt.get_or_insert(Finding { clause, what });
    }

    /// After damage was passed nothing is known of how much is left.
    pub(super) fn doubt_all(&mut self) {
        self.doubt(What::DamageMet("the queue".to_owned()));
        self.peeked = None;
        self.sequence.forget_total();
    }
}
