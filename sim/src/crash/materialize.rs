//! One crash state by its text form, for replays.

use super::bits;
use super::build::{Builder, Pools};
use super::content::Choice;
use super::durable::Disk;
use super::pending::{Pending, effect_at};
use super::profile::Profile;
use super::total::Model;
use super::walk::unit_end;
use crate::scenario::{CrashChoice, CrashKind, Fill};
use crate::simfs::{EffectKind, Entry, Recording, SimFs, SyncOutcome};
use std::cell::{OnceCell, RefCell};

/// Why there is no such state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAllowed {
    /// The recording ends before the point.
    #[error("the recording has {effects} effects, the crash comes after {point}")]
    Beyond {
        /// The crash's point.
        point: u32,
        /// What there is.
        effects: u32,
    },
    /// The effect is durable, or there is no such effect before the point.
    #[error("effect {0} cannot be lost at this point")]
    NotPending(u32),
    /// It is lost alone, but the profile keeps it together with, or before, one that is kept.
    #[error("effect {lost} is lost but effect {kept}, which needs it, is kept")]
    Needed {
        /// The lost effect.
        lost: u32,
        /// The one that needs it.
        kept: u32,
    },
    /// The profile does not let lost bytes read so.
    #[error("lost bytes do not read as {0:?} with this profile")]
    Fill(Fill),
}

/// What is pending and what is durable at one point.
#[derive(Debug, Default)]
struct Position {
    pending: Pending,
    model: Model,
    disk: Disk,
    pools: RefCell<Pools>,
}

thread_local! {
    /// Buffers that are not in use.
    static IDLE: RefCell<Vec<Position>> = const { RefCell::new(Vec::new()) };
}

/// The disk after one crash, recording anew.
///
/// # Errors
/// If the profile does not allow this state.
pub fn materialize(
    recording: &Recording,
    profile: &Profile,
    choice: &CrashChoice,
) -> Result<SimFs, NotAllowed> {
    let fill = choice.fill.unwrap_or(Fill::Zeros);
    if fill != Fill::Mixed && !profile.fills.contains(&fill) {
        return Err(NotAllowed::Fill(fill));
    }
    Position::with(|position| {
        position.go_to(recording, profile, choice.point)?;
        let kept = position.kept(choice)?;
        Ok(position.mount(recording, profile, &kept, fill, choice.kind))
    })
}

impl Position {
    /// Works with buffers that were used before, where there are some.
    fn with<T>(work: impl FnOnce(&mut Self) -> T) -> T {
        let mut position = IDLE.with_borrow_mut(Vec::pop).unwrap_or_default();
        let result = work(&mut position);
        position.pools.get_mut().release_idle();
        position.disk.finish();
        IDLE.with_borrow_mut(|idle| idle.push(position));
        result
    }

    /// The disk that a crash here leaves.
    fn mount(
        &mut self,
        recording: &Recording,
        profile: &Profile,
        kept: &[u64],
        fill: Fill,
        kind: CrashKind,
    ) -> SimFs {
        let ground = self.disk.ground(profile.fills);
        let total = self.model.total(&ground, Choice { kept, fill });
        let builder = Builder {
            recording,
            disk: &self.disk,
            pending: &self.pending,
            model: &self.model,
            fills: profile.fills,
            kept,
            fill,
            pools: &self.pools,
            store: OnceCell::new(),
        };
        builder.mount(kind, total.hash)
    }

    fn go_to(
        &mut self,
        recording: &Recording,
        profile: &Profile,
        point: u32,
    ) -> Result<(), NotAllowed> {
        self.pools.get_mut().release_idle();
        self.pending.clear();
        self.model.clear();
        self.disk.start(recording);
        let end = u32::try_from(recording.log.len()).expect("positions have 32 bits");
        let history = u32::try_from(recording.history).expect("a part of the log");
        let (mut at, mut effects) = (0, 0);
        while effects < point || at < history {
            if at == end {
                return Err(NotAllowed::Beyond { point, effects });
            }
            let Some(Entry::Effect(effect)) = recording.log.get(at as usize) else {
                at += 1;
                continue;
            };
            let mut next = at + 1;
            if matches!(effect.kind, EffectKind::Sync(_)) {
                self.sync(recording, profile, at);
            } else {
                let border = if at < history { history } else { end };
                next = unit_end(recording, profile, at, border);
                if at >= history {
                    // A point within a unit cuts it.
                    next = next.min(at + point - effects);
                }
                self.add(recording, profile, at, next, effects);
            }
            effects += next - at;
            at = next;
        }
        self.pending.at = at;
        Ok(())
    }

    fn add(&mut self, recording: &Recording, profile: &Profile, at: u32, end: u32, number: u32) {
        let known = self.pending.effects.len();
        let unit = self.pending.add(recording, profile, at, end, number);
        for at in at..end {
            self.disk.note_removed(&effect_at(recording, at).kind, unit);
        }
        self.model.add(recording, &self.pending, known, &self.disk);
    }

    fn sync(&mut self, recording: &Recording, profile: &Profile, at: u32) {
        let sync = effect_at(recording, at);
        let is_done =
            matches!(&sync.kind, EffectKind::Sync(sync) if sync.outcome == SyncOutcome::Done);
        if is_done {
            let mut durable = Vec::new();
            if !self.pending.cover(recording, profile, sync, &mut durable) {
                return;
            }
            let choice = Choice {
                kept: &durable,
                fill: Fill::Zeros,
            };
            let total = self.model.total(&self.disk.ground(profile.fills), choice);
            self.disk
                .advance(recording, &self.pending, &self.model, &durable, total.hash);
            self.pending.remove(&durable);
        } else {
            let gone = self.pending.abandon(recording, profile, sync);
            self.pending.remove(&gone);
            self.disk.drop_reverted(&gone);
        }
        self.model.rebuild(recording, &self.pending, &self.disk);
    }

    /// The set of kept units.
    fn kept(&self, choice: &CrashChoice) -> Result<Vec<u64>, NotAllowed> {
        let mut kept = self.pending.all();
        if choice.kind == CrashKind::Kill {
            return Ok(kept);
        }
        for lost in &choice.lost {
            let effect = self
                .pending
                .effects
                .iter()
                .find(|effect| effect.number == *lost)
                .ok_or(NotAllowed::NotPending(*lost))?;
            bits::remove(&mut kept, effect.unit);
        }
        for effect in &self.pending.effects {
            let is_lost = choice.lost.contains(&effect.number);
            if is_lost != bits::has(&kept, effect.unit) {
                continue;
            }
            let lost = self.lost_of(effect.unit, choice).unwrap_or(effect.number);
            return Err(NotAllowed::Needed {
                lost,
                kept: effect.number,
            });
        }
        for effect in &self.pending.effects {
            if !bits::has(&kept, effect.unit) {
                continue;
            }
            let needs = self.pending.needs(effect.unit);
            for other in &self.pending.effects {
                if bits::has(needs, other.unit) && !bits::has(&kept, other.unit) {
                    return Err(NotAllowed::Needed {
                        lost: other.number,
                        kept: effect.number,
                    });
                }
            }
        }
        Ok(kept)
    }

    /// A lost effect of a unit.
    fn lost_of(&self, unit: u32, choice: &CrashChoice) -> Option<u32> {
        self.pending
            .effects
            .iter()
            .filter(|effect| effect.unit == unit)
            .map(|effect| effect.number)
            .find(|number| choice.lost.contains(number))
    }
}
