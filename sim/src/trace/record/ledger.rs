//! What is left and what is gone, and which suspicions the rest of the history bears out.
//!
//! What would be left if everything were read is asked after every step, but only what really
//! happens counts: a message that was thought lost and comes after all was not lost, and one that
//! should not be there and never comes does no harm.

use super::Broken;
use super::delivery::{Change, Source, Verdict};
use super::item::{Gone, Item, Mark, Why};

/// A clause that is broken if it turns out so.
#[derive(Debug)]
struct Suspicion {
    broken: Broken,
    proven: bool,
    /// So many messages that it is about are lost as things stand.
    lost: usize,
}

/// The messages of a history as of the last step.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// What is to be delivered, in order.
    pub(super) left: Vec<Item>,
    /// What no longer is, in the order in which it went.
    pub(super) gone: Vec<Gone>,
    suspicions: Vec<Suspicion>,
    put_count: u64,
    /// From which step to before which one a message was hidden, that came after all.
    hidden: Vec<(usize, usize)>,
    /// The same of messages that seemed to come and never did.
    phantoms: Vec<(usize, usize)>,
}

impl Ledger {
    /// A message was put: as it will stand among those to be delivered.
    pub(super) fn put(&mut self, bytes: &[u8]) -> Item {
        self.put_count += 1;
        Item {
            bytes: bytes.to_vec(),
            number: self.put_count - 1,
            mark: None,
        }
    }

    /// A message was read, or `None`: whatever is hidden before it is proven to be lost.
    pub(super) fn read(&mut self, item: Option<&Item>) {
        let limit = item.map_or(u64::MAX, |item| item.number);
        for gone in &self.gone {
            if let Why::Lost { suspicion, .. } = gone.why
                && gone.item.number < limit
            {
                prove(&mut self.suspicions, suspicion);
            }
        }
        if let Some(Mark { suspicion, .. }) = item.and_then(|item| item.mark) {
            prove(&mut self.suspicions, suspicion);
        }
    }

    /// Takes over what is left after `step`.
    pub(super) fn adopt(
        &mut self,
        step: usize,
        wanted: Vec<Item>,
        found: &[Vec<u8>],
        change: Change,
    ) {
        let invented = self.suspect(step, change.invented);
        let again = self.suspect(step, change.again);
        let lost = self.suspect(step, change.lost);
        let mut left = Vec::new();
        let mut number = 0;
        for (source, bytes) in change.sources.iter().zip(found) {
            let item = match source {
                Source::Wanted(at) => wanted.get(*at).cloned(),
                Source::Gone(at) => self.bring_back(*at, step, again),
                Source::Nowhere => None,
            };
            let item = item.unwrap_or_else(|| Item {
                bytes: bytes.clone(),
                number,
                mark: Some(Mark {
                    suspicion: invented,
                    since: step,
                }),
            });
            number = item.number;
            left.push(item);
        }
        let mut at = 0;
        self.gone.retain(|_| {
            at += 1;
            !change.sources.contains(&Source::Gone(at - 1))
        });
        for (at, item) in wanted.into_iter().enumerate() {
            if change.missing.contains(&at) {
                self.lose(step, item, lost);
            }
        }
        self.left = left;
    }

    /// By how much more messages were to come after `step` than seemed so then.
    pub(super) fn correction(&self, step: usize) -> i64 {
        let count = |spans: &[(usize, usize)]| {
            let within = spans
                .iter()
                .filter(|(from, to)| (*from..*to).contains(&step));
            i64::try_from(within.count()).unwrap_or(i64::MAX)
        };
        count(&self.hidden) - count(&self.phantoms)
    }

    /// The history is over, and everything that is left was read: what turned out to be broken.
    pub(super) fn finish(&mut self) -> Vec<Broken> {
        for item in &self.left {
            if let Some(mark) = item.mark {
                prove(&mut self.suspicions, mark.suspicion);
            }
        }
        self.suspicions
            .drain(..)
            .filter(|suspicion| suspicion.proven || suspicion.lost > 0)
            .map(|suspicion| suspicion.broken)
            .collect()
    }

    fn suspect(&mut self, step: usize, verdict: Verdict) -> Option<usize> {
        let (clause, evidence) = verdict?;
        self.suspicions.push(Suspicion {
            broken: Broken {
                step,
                clause,
                evidence,
            },
            proven: false,
            lost: 0,
        });
        Some(self.suspicions.len() - 1)
    }

    fn bring_back(&mut self, at: usize, step: usize, again: Option<usize>) -> Option<Item> {
        let gone = self.gone.get(at)?;
        let mut item = gone.item.clone();
        match gone.why {
            Why::Lost { suspicion, since } => {
                self.hidden.push((since, step));
                if let Some(suspicion) = suspicion.and_then(|at| self.suspicions.get_mut(at)) {
                    suspicion.lost -= 1;
                }
            }
            Why::Read | Why::Dropped => {
                item.mark = again.map(|suspicion| Mark {
                    suspicion: Some(suspicion),
                    since: step,
                });
            }
        }
        Some(item)
    }

    fn lose(&mut self, step: usize, item: Item, lost: Option<usize>) {
        if let Some(mark) = item.mark {
            self.phantoms.push((mark.since, step));
            return;
        }
        if let Some(suspicion) = lost.and_then(|at| self.suspicions.get_mut(at)) {
            suspicion.lost += 1;
        }
        let why = Why::Lost {
            suspicion: lost,
            since: step,
        };
        self.gone.push(Gone { item, why });
    }
}

fn prove(suspicions: &mut [Suspicion], at: Option<usize>) {
    if let Some(suspicion) = at.and_then(|at| suspicions.get_mut(at)) {
        suspicion.proven = true;
    }
}
