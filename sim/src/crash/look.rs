//! At one position of a walk: the images that are new, the judging of every state, and the kill.

use super::bits::Set;
use super::build::Builder;
use super::content::Choice;
use super::family::Shown;
use super::fill::scramble;
use super::sample;
use super::total::Total;
use super::visit::{Image, Point, State};
use super::walk::Pass;
use crate::scenario::{CrashKind, Fill};
use crate::simfs::hash;
use std::cell::OnceCell;

impl Pass<'_> {
    /// Shows the states at the present position. Says whether to go on.
    pub(super) fn visit(&mut self, is_joined: bool) -> bool {
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

    fn show_row(&mut self, row: &Set, is_enumerated: bool) -> Shown {
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

    fn image(&mut self, kept: &Set, fill: Fill) -> (u32, Total) {
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
    fn look(&mut self, kept: &Set, fill: Fill, kind: CrashKind, hash: u128) -> u32 {
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
