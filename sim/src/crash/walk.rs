//! [`Walker`]: goes through a recording and keeps, at every position, pending effects, durable
//! part and family of states in step.

use super::bits;
use super::build::Pools;
use super::content::{Choice, FileState};
use super::durable::Disk;
use super::family::Family;
use super::limits::{Limits, Summary};
use super::look::Candidate;
use super::pending::{Pending, effect_at};
use super::profile::Profile;
use super::table::Table;
use super::total::Model;
use super::visit::Visitor;
use super::worst;
use crate::scenario::Fill;
use crate::simfs::{Effect, EffectKind, Entry, Recording, SyncOutcome};
use std::cell::RefCell;

/// Walks recordings one after the other, with the same buffers. A visitor that walks again inside
/// [`Visitor::image`] needs a walker of its own.
#[derive(Debug, Default)]
pub struct Walker {
    pub(super) pending: Pending,
    pub(super) model: Model,
    pub(super) disk: Disk,
    pub(super) family: Family,
    pub(super) seen: Table<u32>,
    pub(super) seen_kills: Table<u32>,
    pub(super) row: Vec<u64>,
    pub(super) candidates: Vec<Candidate>,
    pub(super) saved: Vec<FileState>,
    pub(super) pools: RefCell<Pools>,
}

thread_local! {
    /// Walkers that are not in use: a walk inside a walk takes another one.
    static IDLE: RefCell<Vec<Walker>> = const { RefCell::new(Vec::new()) };
}

/// Walks a recording with buffers that were used before, where there are some.
pub fn walk(
    recording: &Recording,
    profile: &Profile,
    limits: &Limits,
    seed: u64,
    visitor: &mut dyn Visitor,
) -> Summary {
    let mut walker = IDLE.with_borrow_mut(Vec::pop).unwrap_or_default();
    let summary = walker.walk(recording, profile, limits, seed, visitor);
    IDLE.with_borrow_mut(|idle| idle.push(walker));
    summary
}

impl Walker {
    /// A walker without buffers yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Shows `visitor` every position of the recording, every state that the profile allows there
    /// within the limits, and every distinct image once. The same arguments give the same calls.
    pub fn walk(
        &mut self,
        recording: &Recording,
        profile: &Profile,
        limits: &Limits,
        seed: u64,
        visitor: &mut dyn Visitor,
    ) -> Summary {
        self.start(recording);
        let mut pass = Pass {
            walker: self,
            recording,
            profile,
            limits,
            seed,
            visitor,
            summary: Summary::default(),
            effects: 0,
            marks: 0,
            killed: None,
        };
        pass.go();
        let summary = pass.summary;
        self.finish();
        summary
    }

    fn start(&mut self, recording: &Recording) {
        self.release_idle();
        self.pending.clear();
        self.model.clear();
        self.disk.start(recording);
        self.family.start();
        self.seen.clear();
        self.seen_kills.clear();
        self.seen.reserve(recording.log.len() * 2);
    }

    /// Lets go of what nobody uses: whoever changes a layer copies it while another one has it.
    /// The disks of further crashes lie over those of this walk, so they come first.
    fn release_idle(&mut self) {
        worst::release_idle();
        self.pools.get_mut().release_idle();
    }

    /// Lets go of the recording.
    fn finish(&mut self) {
        self.release_idle();
        self.disk.finish();
        self.seen.clear();
        self.seen_kills.clear();
    }
}

/// One walk.
pub(super) struct Pass<'w> {
    pub(super) walker: &'w mut Walker,
    pub(super) recording: &'w Recording,
    pub(super) profile: &'w Profile,
    pub(super) limits: &'w Limits,
    pub(super) seed: u64,
    pub(super) visitor: &'w mut dyn Visitor,
    pub(super) summary: Summary,
    pub(super) effects: u32,
    pub(super) marks: u32,
    /// The outcome of a kill since the last effect.
    pub(super) killed: Option<u32>,
}

impl Pass<'_> {
    fn go(&mut self) {
        let end = u32::try_from(self.recording.log.len()).expect("positions have 32 bits");
        let history = u32::try_from(self.recording.history).expect("a part of the log");
        let mut at = 0;
        let mut is_joined = false;
        loop {
            if at >= history && !self.visit(is_joined) {
                return;
            }
            if at == end {
                return;
            }
            let border = if at < history { history } else { end };
            let entry = self.recording.log.get(at as usize);
            (at, is_joined) = match entry {
                Some(Entry::Effect(effect)) if matches!(effect.kind, EffectKind::Sync(_)) => {
                    self.walker.pending.at = at + 1;
                    self.sync(effect);
                    self.effects += 1;
                    (at + 1, false)
                }
                Some(Entry::Effect(_)) => self.unit(at, border),
                _ => {
                    self.marks += 1;
                    self.walker.pending.at = at + 1;
                    (at + 1, is_joined)
                }
            };
        }
    }

    /// Adds the unit that starts at a place in the log; says where it ends and whether a kill can
    /// not fall there.
    fn unit(&mut self, first: u32, border: u32) -> (u32, bool) {
        let end = unit_end(self.recording, self.profile, first, border);
        self.killed = None;
        let walker = &mut *self.walker;
        let known = walker.pending.effects.len();
        let unit = walker
            .pending
            .add(self.recording, self.profile, first, end, self.effects);
        walker.pending.at = end;
        for at in first..end {
            let kind = &effect_at(self.recording, at).kind;
            walker.disk.note_removed(kind, unit);
        }
        let changes_others = walker
            .model
            .add(self.recording, &walker.pending, known, &walker.disk);
        if changes_others {
            walker.family.hide();
        }
        walker
            .family
            .add(&walker.pending, unit, self.limits.states_max);
        self.effects += end - first;
        (end, effect_at(self.recording, end - 1).joined)
    }

    fn sync(&mut self, sync: &Effect) {
        self.killed = None;
        let walker = &mut *self.walker;
        let is_done =
            matches!(&sync.kind, EffectKind::Sync(sync) if sync.outcome == SyncOutcome::Done);
        if !is_done {
            let gone = walker.pending.abandon(self.recording, self.profile, sync);
            if gone.iter().any(|word| *word != 0) {
                walker.pending.remove(&gone);
                walker.disk.drop_reverted(&gone);
                walker
                    .model
                    .rebuild(self.recording, &walker.pending, &walker.disk);
                walker.family.forget_images();
            }
            walker
                .family
                .enumerate(&walker.pending, self.limits.states_max);
            return;
        }
        let mut durable = Vec::new();
        let (recording, profile) = (self.recording, self.profile);
        if !walker.pending.cover(recording, profile, sync, &mut durable) {
            return;
        }
        walker.advance(self.recording, self.profile.fills, &durable);
        if !walker.family.is_whole {
            walker
                .family
                .enumerate(&walker.pending, self.limits.states_max);
        }
    }
}

impl Walker {
    /// Makes units durable, in all that is kept.
    fn advance(&mut self, recording: &Recording, fills: &[Fill], durable: &bits::Set) {
        self.release_idle();
        let choice = Choice {
            kept: durable,
            fill: Fill::Zeros,
        };
        let total = self.model.total(&self.disk.ground(fills), choice);
        self.disk
            .advance(recording, &self.pending, &self.model, durable, total.hash);
        let mut kept_units = self.pending.all();
        for (kept, durable) in kept_units.iter_mut().zip(durable) {
            *kept &= !durable;
        }
        self.family.settle(durable, &kept_units);
        if self.disk.removed_changed(recording, &self.pending, durable) {
            self.family.hide();
        }
        self.pending.remove(durable);
        self.model.rebuild(recording, &self.pending, &self.disk);
    }
}

/// Where the unit ends that starts at a place in the log.
pub(crate) fn unit_end(recording: &Recording, profile: &Profile, first: u32, border: u32) -> u32 {
    let mut end = first + 1;
    while end < border
        && let Some(Entry::Effect(next)) = recording.log.get(end as usize)
    {
        let last = effect_at(recording, end - 1);
        if last.call != next.call || !(profile.is_glued)(&last.kind, &next.kind) {
            break;
        }
        end += 1;
    }
    end
}
