//! What is durable before a point, and which sets of the other effects may be lost.

use crashline_sim::crash::Profile;
use crashline_sim::simfs::{AfterSyncError, Effect, EffectKind, Entry, Recording, SyncOutcome};
use std::collections::BTreeSet;

pub(crate) type Numbers = BTreeSet<u32>;

/// What is durable, pending and gone before one point.
pub(crate) struct Naive<'a> {
    pub(crate) recording: &'a Recording,
    profile: &'a Profile,
    pub(crate) effects: Vec<&'a Effect>,
    /// Effect number to unit.
    units: Vec<u32>,
    pub(crate) durable: Numbers,
    pub(crate) gone: Numbers,
    abandoned: Numbers,
    /// After each sync: its number, and what is durable then.
    pub(crate) syncs: Vec<(u32, Numbers)>,
}

impl<'a> Naive<'a> {
    pub(crate) fn at(recording: &'a Recording, profile: &'a Profile, point: u32) -> Self {
        let effects: Vec<&Effect> = recording.effects().take(point as usize).collect();
        let mut naive = Self {
            recording,
            profile,
            units: units(recording, profile, &effects),
            effects,
            durable: Numbers::new(),
            gone: Numbers::new(),
            abandoned: Numbers::new(),
            syncs: Vec::new(),
        };
        for number in 0..point {
            naive.apply_sync(number);
        }
        naive
    }

    pub(crate) fn effect(&self, number: u32) -> &'a Effect {
        self.effects[number as usize]
    }

    fn pending_before(&self, number: u32) -> Vec<u32> {
        (0..number)
            .filter(|earlier| {
                !matches!(self.effect(*earlier).kind, EffectKind::Sync(_))
                    && !self.durable.contains(earlier)
                    && !self.gone.contains(earlier)
            })
            .collect()
    }

    fn apply_sync(&mut self, number: u32) {
        let effect = self.effect(number);
        let EffectKind::Sync(sync) = &effect.kind else {
            return;
        };
        let pending = self.pending_before(number);
        match sync.outcome {
            SyncOutcome::Done => {
                let mut covered: Numbers = pending
                    .iter()
                    .copied()
                    .filter(|earlier| {
                        !self.abandoned.contains(earlier)
                            && (self.profile.covers)(effect, &self.effect(*earlier).kind)
                    })
                    .collect();
                self.close(&mut covered, &pending);
                self.durable.extend(covered);
                self.syncs.push((number, self.durable.clone()));
            }
            SyncOutcome::Failed(after) => {
                for earlier in &pending {
                    let kind = &self.effect(*earlier).kind;
                    if kind.file() != Some(sync.inode) {
                        continue;
                    }
                    if after == AfterSyncError::Reverted {
                        let unit = self.units[*earlier as usize];
                        self.gone.extend(
                            pending
                                .iter()
                                .filter(|other| self.units[**other as usize] == unit),
                        );
                    } else if matches!(kind, EffectKind::Data(_)) {
                        self.abandoned.insert(*earlier);
                    }
                }
            }
        }
    }

    /// Whether a state with `later` must have `earlier`.
    fn needs(&self, later: u32, earlier: u32) -> bool {
        let (first, second) = (&self.effect(earlier).kind, &self.effect(later).kind);
        self.units[earlier as usize] == self.units[later as usize]
            || earlier < later
                && (first.shares_cell(second)
                    || !self.abandoned.contains(&earlier)
                        && (self.profile.must_precede)(first, second))
    }

    fn close(&self, set: &mut Numbers, pending: &[u32]) {
        loop {
            let more: Vec<u32> = pending
                .iter()
                .copied()
                .filter(|earlier| {
                    !set.contains(earlier) && set.iter().any(|later| self.needs(*later, *earlier))
                })
                .collect();
            if more.is_empty() {
                return;
            }
            set.extend(more);
        }
    }

    pub(crate) fn pending(&self) -> Vec<u32> {
        self.pending_before(u32::try_from(self.effects.len()).unwrap())
    }

    /// All sets of pending effects that may be lost together; `None` if there are too many subsets
    /// to look at.
    pub(crate) fn lost_sets(&self, effects_max: usize) -> Option<Vec<Vec<u32>>> {
        let pending = self.pending();
        if pending.len() > effects_max {
            return None;
        }
        let mut sets = Vec::new();
        for mask in 0_u32..1 << pending.len() {
            let (mut kept, mut lost) = (Numbers::new(), Vec::new());
            for (bit, number) in pending.iter().enumerate() {
                if mask >> bit & 1 == 1 {
                    kept.insert(*number);
                } else {
                    lost.push(*number);
                }
            }
            let is_closed = lost
                .iter()
                .all(|lost| kept.iter().all(|kept| !self.needs(*kept, *lost)));
            if is_closed {
                sets.push(lost);
            }
        }
        Some(sets)
    }
}

fn units(recording: &Recording, profile: &Profile, effects: &[&Effect]) -> Vec<u32> {
    let history = recording
        .log()
        .iter()
        .take(recording.history())
        .filter(|entry| matches!(entry, Entry::Effect(_)))
        .count();
    let mut units = Vec::new();
    for (at, effect) in effects.iter().enumerate() {
        let unit = match at.checked_sub(1).map(|before| effects[before]) {
            Some(before)
                if before.call == effect.call
                    && at != history
                    && (profile.is_glued)(&before.kind, &effect.kind) =>
            {
                units[at - 1]
            }
            _ => u32::try_from(at).unwrap(),
        };
        units.push(unit);
    }
    units
}
