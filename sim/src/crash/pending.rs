//! The effects that are not durable, as units that are kept or lost whole, and what each needs.
#![expect(
    clippy::indexing_slicing,
    reason = "hot; unit numbers come from the list that they index"
)]

use super::bits::{self, Set};
use super::fill::scramble;
use super::profile::Profile;
use crate::simfs::{AfterSyncError, Effect, EffectKind, Entry, Recording, SyncOutcome};

/// An effect that is not durable.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PendingEffect {
    /// Where it stands in the recording's log.
    pub(crate) at: u32,
    /// Its number among the effects.
    pub(crate) number: u32,
    /// Its unit among the pending ones.
    pub(crate) unit: u32,
    /// A failed sync gave up on it: no later one covers it.
    pub(crate) is_abandoned: bool,
}

impl PendingEffect {
    fn identity(&self) -> u64 {
        scramble(u64::from(self.number) << 1 | u64::from(self.is_abandoned))
    }
}

/// The pending effects in order, and for each unit the set of units that it needs.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    pub(crate) effects: Vec<PendingEffect>,
    /// The log entry that comes next.
    pub(crate) at: u32,
    pub(crate) units: u32,
    /// Which effects are pending: other ones have another number here, even if they are as many.
    pub(crate) identity: u64,
    /// Words in a row.
    pub(crate) words: usize,
    /// One row a unit: the pending units that must be kept with it, itself left out, closed.
    needs: Vec<u64>,
    spare: Vec<u64>,
}

/// The effect at a place of a recording's log.
pub(crate) fn effect_at(recording: &Recording, at: u32) -> &Effect {
    match &recording.log[at as usize] {
        Entry::Effect(effect) => effect,
        Entry::Mark(_) => unreachable!("a pending effect stands where an effect stands"),
    }
}

impl Pending {
    pub(crate) fn clear(&mut self) {
        self.effects.clear();
        self.at = 0;
        self.units = 0;
        self.identity = 0;
        self.words = 1;
        self.needs.clear();
    }

    /// The units that `unit` needs.
    pub(crate) fn needs(&self, unit: u32) -> &Set {
        let start = unit as usize * self.words;
        &self.needs[start..start + self.words]
    }

    /// Adds the unit of the effects at `first..end` of the log, of which the first has `number`.
    pub(crate) fn add(
        &mut self,
        recording: &Recording,
        profile: &Profile,
        first: u32,
        end: u32,
        number: u32,
    ) -> u32 {
        let unit = self.units;
        let words = bits::words_for(unit as usize + 1);
        if words > self.words {
            self.widen(words);
        }
        self.units += 1;
        self.add_needs(recording, profile, self.effects.len(), first..end);
        for (at, number) in (first..end).zip(number..) {
            let effect = PendingEffect {
                at,
                number,
                unit,
                is_abandoned: false,
            };
            self.identity = self.identity.wrapping_add(effect.identity());
            self.effects.push(effect);
        }
        unit
    }

    /// Adds the row of the next unit, that of the effects at `places`, from the pending effects
    /// before `known`.
    fn add_needs(
        &mut self,
        recording: &Recording,
        profile: &Profile,
        known: usize,
        places: impl Iterator<Item = u32>,
    ) {
        let mut row = std::mem::take(&mut self.spare);
        row.clear();
        row.resize(self.words, 0);
        for at in places {
            let kind = &effect_at(recording, at).kind;
            // Newest first: what an earlier find needs already is not asked again.
            for earlier in self.effects[..known].iter().rev() {
                if !bits::has(&row, earlier.unit) && is_needed(recording, profile, earlier, kind) {
                    let start = earlier.unit as usize * self.words;
                    bits::insert(&mut row, earlier.unit);
                    bits::unite(&mut row, &self.needs[start..start + self.words]);
                }
            }
        }
        self.needs.extend_from_slice(&row);
        self.spare = row;
    }

    /// Finds anew what every unit needs.
    fn renew_needs(&mut self, recording: &Recording, profile: &Profile) {
        self.needs.clear();
        let mut first = 0;
        for unit in 0..self.units {
            let of_unit = self.effects[first..]
                .iter()
                .take_while(|effect| effect.unit == unit);
            let places: Vec<u32> = of_unit.map(|effect| effect.at).collect();
            let next = first + places.len();
            self.add_needs(recording, profile, first, places.into_iter());
            first = next;
        }
    }

    fn widen(&mut self, words: usize) {
        let mut wide = Vec::with_capacity(self.units as usize * words);
        for row in self.needs.chunks_exact(self.words) {
            wide.extend_from_slice(row);
            wide.resize(wide.len() + words - self.words, 0);
        }
        self.needs = wide;
        self.words = words;
    }

    /// Puts into `covered` the units that a sync makes durable, with all that they need. Says
    /// whether there are any.
    pub(crate) fn cover(
        &self,
        recording: &Recording,
        profile: &Profile,
        sync: &Effect,
        covered: &mut Vec<u64>,
    ) -> bool {
        covered.clear();
        covered.resize(self.words, 0);
        for effect in &self.effects {
            let kind = &effect_at(recording, effect.at).kind;
            if !effect.is_abandoned
                && !bits::has(covered, effect.unit)
                && (profile.covers)(sync, kind)
            {
                bits::insert(covered, effect.unit);
                bits::unite(covered, self.needs(effect.unit));
            }
        }
        covered.iter().any(|word| *word != 0)
    }

    /// Drops the units in `gone` and numbers the others anew.
    pub(crate) fn remove(&mut self, gone: &Set) {
        let mut kept = std::mem::take(&mut self.spare);
        kept.clear();
        kept.extend((0..self.words).map(|word| !gone[word] & self.mask(word)));
        let words = self.words;
        let mut next = 0;
        // Rows move towards the start, and each only grows closer together.
        for unit in bits::members(&kept) {
            let (from, to) = (unit as usize * words, next * words);
            self.needs.copy_within(from..from + words, to);
            bits::compact(&mut self.needs[to..to + words], &kept);
            next += 1;
        }
        self.needs.truncate(next * words);
        self.units = kept.iter().map(|word| word.count_ones()).sum();
        self.effects.retain(|effect| bits::has(&kept, effect.unit));
        for effect in &mut self.effects {
            effect.unit = bits::rank(&kept, effect.unit);
        }
        self.spare = kept;
        self.renew_identity();
    }

    fn renew_identity(&mut self) {
        let identities = self.effects.iter().map(PendingEffect::identity);
        self.identity = identities.fold(0, u64::wrapping_add);
    }

    /// The bits of one word that stand for units.
    fn mask(&self, word: usize) -> u64 {
        let left = (self.units as usize).saturating_sub(word * 64);
        if left >= 64 {
            u64::MAX
        } else {
            (1 << left) - 1
        }
    }

    /// The set of all pending units.
    pub(crate) fn all(&self) -> Vec<u64> {
        (0..self.words).map(|word| self.mask(word)).collect()
    }

    /// What a failed sync does: its file's bytes are never covered by a later one, and nothing
    /// waits for them any more, since their writing is over; where the cache was reverted, they
    /// and the size are gone, and the units that held them are returned.
    pub(crate) fn abandon(
        &mut self,
        recording: &Recording,
        profile: &Profile,
        sync: &Effect,
    ) -> Vec<u64> {
        let mut gone = vec![0; self.words];
        let EffectKind::Sync(sync) = &sync.kind else {
            return gone;
        };
        let SyncOutcome::Failed(after) = sync.outcome else {
            return gone;
        };
        for effect in &mut self.effects {
            let kind = &effect_at(recording, effect.at).kind;
            if kind.file() != Some(sync.inode) {
                continue;
            }
            match after {
                AfterSyncError::Reverted => bits::insert(&mut gone, effect.unit),
                AfterSyncError::Clean => {
                    effect.is_abandoned |= matches!(kind, EffectKind::Data(_));
                }
            }
        }
        self.renew_needs(recording, profile);
        self.renew_identity();
        gone
    }
}

/// Whether a state with `later` must have `earlier`.
fn is_needed(
    recording: &Recording,
    profile: &Profile,
    earlier: &PendingEffect,
    later: &EffectKind,
) -> bool {
    let kind = &effect_at(recording, earlier.at).kind;
    kind.shares_cell(later) || !earlier.is_abandoned && (profile.must_precede)(kind, later)
}
