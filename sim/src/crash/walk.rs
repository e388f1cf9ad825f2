//! [`Walker`]: goes through a recording and keeps, at every position, pending effects, durable
//! part and family of states in step.

use super::bits;
use super::build::{Builder, Pools};
use super::content::Choice;
use super::durable::Disk;
use super::family::{Family, Shown};
use super::fill::scramble;
use super::limits::{Limits, Summary};
use super::pending::{Pending, effect_at};
use super::profile::Profile;
use super::sample;
use super::table::Table;
use super::total::Model;
use super::visit::{Image, Point, State, Visitor};
use crate::scenario::{CrashKind, Fill};
use crate::simfs::{Effect, EffectKind, Entry, Recording, SyncOutcome, hash};
use std::cell::{OnceCell, RefCell};

/// Walks recordings one after the other, with the same buffers. A visitor that walks again inside
/// [`Visitor::image`] needs a walker of its own.
#[derive(Debug, Default)]
pub struct Walker {
    pending: Pending,
    model: Model,
    disk: Disk,
    family: Family,
    seen: Table<u32>,
    seen_kills: Table<u32>,
    row: Vec<u64>,
    pools: RefCell<Pools>,
}

/// Walks a recording with buffers of its own.
pub fn walk(
    recording: &Recording,
    profile: &Profile,
    limits: &Limits,
    seed: u64,
    visitor: &mut dyn Visitor,
) -> Summary {
    Walker::new().walk(recording, profile, limits, seed, visitor)
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
        };
        pass.go();
        let summary = pass.summary;
        self.finish();
        summary
    }

    fn start(&mut self, recording: &Recording) {
        self.pools.get_mut().release_idle();
        self.pending.clear();
        self.model.clear();
        self.disk.start(recording);
        self.family.start();
        self.seen.clear();
        self.seen_kills.clear();
    }

    /// Lets go of the recording.
    fn finish(&mut self) {
        self.pools.get_mut().release_idle();
        self.disk.finish();
    }
}

struct Pass<'w> {
    walker: &'w mut Walker,
    recording: &'w Recording,
    profile: &'w Profile,
    limits: &'w Limits,
    seed: u64,
    visitor: &'w mut dyn Visitor,
    summary: Summary,
    effects: u32,
    marks: u32,
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
        let durable = walker.pending.covered(self.recording, self.profile, sync);
        if durable.iter().all(|word| *word == 0) {
            return;
        }
        walker.advance(self.recording, self.profile.fills, &durable);
        if !walker.family.is_whole {
            walker
                .family
                .enumerate(&walker.pending, self.limits.states_max);
        }
    }

    /// Shows the states at the present position. Says whether to go on.
    fn visit(&mut self, is_joined: bool) -> bool {
        let is_enumerated = self.walker.family.is_whole;
        if !is_enumerated {
            let walker = &mut *self.walker;
            let seed = scramble(self.seed ^ u64::from(self.effects) << 20);
            let rows = sample::rows(&walker.pending, &walker.model, self.limits, seed);
            walker.family.replace(rows, walker.pending.words);
        }
        while let Some(state) = self.walker.family.next_unshown() {
            let shown = self.show(state, is_enumerated);
            self.walker.family.show(shown);
        }
        let point = Point {
            effects: self.effects,
            marks: self.marks,
            is_enumerated,
        };
        self.judge(&point);
        if !is_joined {
            self.kill(&point);
        }
        self.summary.points += 1;
        if is_enumerated {
            self.summary.points_enumerated += 1;
        } else {
            self.summary.points_sampled += 1;
        }
        self.summary.is_cut_short = self
            .limits
            .images_max
            .is_some_and(|most| self.summary.images >= most);
        !self.summary.is_cut_short
    }

    fn judge(&mut self, point: &Point) {
        let walker = &*self.walker;
        let mut judged = 0;
        for state in 0..walker.family.len() {
            for (fill, outcome) in walker.family.shown(state).images() {
                let state = State {
                    point: *point,
                    kind: CrashKind::PowerCut,
                    fill: *fill,
                    pending: &walker.pending,
                    kept: walker.family.row(state),
                };
                self.visitor.state(point, &state, *outcome);
                judged += 1;
            }
        }
        self.summary.states_judged += judged;
        self.summary.states_at_a_point_max = self.summary.states_at_a_point_max.max(judged);
    }

    /// The images of a state, each built or known.
    fn show(&mut self, state: usize, is_enumerated: bool) -> Shown {
        let mut row = std::mem::take(&mut self.walker.row);
        row.clear();
        row.extend_from_slice(self.walker.family.row(state));
        let shown = self.show_row(&row, is_enumerated);
        self.walker.row = row;
        shown
    }

    fn show_row(&mut self, row: &bits::Set, is_enumerated: bool) -> Shown {
        let mut shown = Shown::default();
        let fills = self.profile.fills;
        let mut has_stale = true;
        for fill in fills.iter().copied() {
            if fill == Fill::Stale && !has_stale {
                continue;
            }
            let (outcome, total) = self.image(row, fill);
            has_stale = total.has_stale;
            if !total.is_lossy {
                shown.push(None, outcome);
                return shown;
            }
            shown.push(Some(fill), outcome);
        }
        if !is_enumerated && fills.len() > 1 {
            let (outcome, _) = self.image(row, Fill::Mixed);
            shown.push(Some(Fill::Mixed), outcome);
        }
        shown
    }

    fn image(&mut self, kept: &bits::Set, fill: Fill) -> (u32, super::total::Total) {
        let walker = &mut *self.walker;
        let ground = walker.disk.ground(self.profile.fills);
        let total = walker.model.total(&ground, Choice { kept, fill });
        self.summary.states_built += 1;
        if let Some(outcome) = walker.seen.get(total.hash) {
            return (outcome, total);
        }
        let outcome = self.look(kept, fill, CrashKind::PowerCut, total.hash);
        self.walker.seen.insert(total.hash, outcome);
        (outcome, total)
    }

    /// Lets the visitor look at an image.
    fn look(&mut self, kept: &bits::Set, fill: Fill, kind: CrashKind, hash: u128) -> u32 {
        let walker = &*self.walker;
        self.summary.images += 1;
        self.visitor.image(&Image {
            hash,
            kind,
            builder: Builder {
                recording: self.recording,
                disk: &walker.disk,
                pending: &walker.pending,
                model: &walker.model,
                fills: self.profile.fills,
                kept,
                fill,
                pools: &walker.pools,
                store: OnceCell::new(),
            },
        })
    }

    /// The one state after a kill: everything the process saw.
    fn kill(&mut self, point: &Point) {
        let walker = &mut *self.walker;
        let kept = walker.pending.all();
        let ground = walker.disk.ground(self.profile.fills);
        let choice = Choice {
            kept: &kept,
            fill: Fill::Zeros,
        };
        let content = walker.model.total(&ground, choice).hash;
        let mut key = content;
        if self.limits.kills_by_durable_part {
            let durable = ground.base.tree_hash;
            key = hash::mix(key, durable ^ u128::from(walker.pending.units));
        }
        self.summary.states_built += 1;
        let outcome = match walker.seen_kills.get(key) {
            Some(outcome) => outcome,
            None => {
                let outcome = self.look(&kept, Fill::Zeros, CrashKind::Kill, content);
                self.walker.seen_kills.insert(key, outcome);
                outcome
            }
        };
        let state = State {
            point: *point,
            kind: CrashKind::Kill,
            fill: None,
            pending: &self.walker.pending,
            kept: &kept,
        };
        self.visitor.state(point, &state, outcome);
        self.summary.states_judged += 1;
    }
}

impl Walker {
    /// Makes units durable, in all that is kept.
    fn advance(&mut self, recording: &Recording, fills: &[Fill], durable: &bits::Set) {
        self.pools.get_mut().release_idle();
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
