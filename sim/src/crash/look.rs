//! At one position of a walk: the images that are new, the judging of every state, and the kill.

use super::bits::Set;
use super::build::Builder;
use super::content::Choice;
use super::family::Shown;
use super::fill::scramble;
use super::sample;
use super::visit::{Image, Point, State};
use super::walk::Pass;
use crate::scenario::{CrashKind, Fill};
use crate::simfs::hash;
use std::cell::OnceCell;
use std::ops::Range;

/// An image of a state that was not looked at yet.
#[derive(Debug)]
pub(super) struct Candidate {
    state: usize,
    fill: Fill,
    is_lossy: bool,
    hash: u128,
    known: Option<u32>,
    /// The files in it, among those saved.
    files: Range<usize>,
}

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
        self.evaluate_new(is_enumerated);
        self.show_new();
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

    /// Hashes every image of the states that have none yet. All are looked up together: in a large
    /// table the searches wait for memory, and so they wait at the same time.
    fn evaluate_new(&mut self, is_enumerated: bool) {
        let walker = &mut *self.walker;
        walker.candidates.clear();
        walker.saved.clear();
        for state in walker.family.shown_count()..walker.family.len() {
            self.evaluate(state, is_enumerated);
        }
        let walker = &mut *self.walker;
        for candidate in &mut walker.candidates {
            candidate.known = walker.seen.get(candidate.hash);
        }
        self.summary.states_built += walker.candidates.len() as u64;
    }

    fn evaluate(&mut self, state: usize, is_enumerated: bool) {
        let fills = self.profile.fills;
        let is_mixed = !is_enumerated && fills.len() > 1;
        let mut has_stale = true;
        for fill in fills.iter().copied().chain(is_mixed.then_some(Fill::Mixed)) {
            if fill == Fill::Stale && !has_stale {
                continue;
            }
            let walker = &mut *self.walker;
            let ground = walker.disk.ground(fills);
            let kept = walker.family.row(state);
            let total = walker.model.total(&ground, Choice { kept, fill });
            has_stale = total.has_stale;
            let first = walker.saved.len();
            walker.saved.extend_from_slice(&walker.model.states);
            walker.candidates.push(Candidate {
                state,
                fill,
                is_lossy: total.is_lossy,
                hash: total.hash,
                known: None,
                files: first..walker.saved.len(),
            });
            if !total.is_lossy {
                return;
            }
        }
    }

    /// Lets the visitor look at the images that are new, and gives every state its outcomes.
    fn show_new(&mut self) {
        let candidates = std::mem::take(&mut self.walker.candidates);
        for of_state in candidates.chunk_by(|left, right| left.state == right.state) {
            let mut shown = Shown::default();
            for candidate in of_state {
                let fill = candidate.is_lossy.then_some(candidate.fill);
                shown.push(fill, self.outcome(candidate));
            }
            self.walker.family.show(shown);
        }
        self.walker.candidates = candidates;
    }

    fn outcome(&mut self, candidate: &Candidate) -> u32 {
        let walker = &mut *self.walker;
        // The same image may have come up since, at this position.
        if let Some(outcome) = candidate.known.or_else(|| walker.seen.get(candidate.hash)) {
            return outcome;
        }
        walker.model.states.clear();
        let files = walker.saved.get(candidate.files.clone());
        walker
            .model
            .states
            .extend_from_slice(files.unwrap_or_default());
        let mut row = std::mem::take(&mut walker.row);
        row.clear();
        row.extend_from_slice(walker.family.row(candidate.state));
        let outcome = self.look(&row, candidate.fill, CrashKind::PowerCut, candidate.hash);
        self.walker.row = row;
        self.walker.seen.insert(candidate.hash, outcome);
        outcome
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
        let kept = self.walker.pending.all();
        let outcome = match self.killed {
            Some(outcome) => outcome,
            None => self.killed_outcome(&kept),
        };
        self.killed = Some(outcome);
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

    fn killed_outcome(&mut self, kept: &Set) -> u32 {
        let walker = &mut *self.walker;
        let ground = walker.disk.ground(self.profile.fills);
        let choice = Choice {
            kept,
            fill: Fill::Zeros,
        };
        let content = walker.model.total(&ground, choice).hash;
        let mut key = content;
        if self.limits.kills_by_durable_part {
            let durable = ground.base.tree_hash;
            key = hash::mix(key, durable ^ u128::from(walker.pending.identity));
        }
        self.summary.states_built += 1;
        if let Some(outcome) = walker.seen_kills.get(key) {
            return outcome;
        }
        let outcome = self.look(kept, Fill::Zeros, CrashKind::Kill, content);
        self.walker.seen_kills.insert(key, outcome);
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crash::{Limits, Visitor, profile, walk};
    use crate::simfs::{SimFs, TreeEntry};
    use crashline::fs::{Fs, OpenMode};
    use std::path::{Path, PathBuf};

    /// Counts the images after a kill.
    #[derive(Default)]
    struct Kills(u32);

    impl Visitor for Kills {
        fn image(&mut self, image: &Image<'_>) -> u32 {
            self.0 += u32::from(image.kind() == CrashKind::Kill);
            self.0
        }

        fn state(&mut self, _point: &Point, _state: &State<'_>, _outcome: u32) {}
    }

    #[test]
    fn kills_with_as_many_but_other_pending_effects_are_told_apart() {
        let directory = PathBuf::from("/data");
        let tree = [(directory.clone(), TreeEntry::Directory)];
        let fs = SimFs::from_tree(&tree).unwrap();
        // Twice the same empty directory, on a disk that may still know of another name each time.
        for name in ["one", "two"] {
            let path = Path::new("/data").join(name);
            drop(fs.open(&path, OpenMode::CreateNew, 0o644).unwrap());
            fs.remove_file(&path).unwrap();
            if name == "one" {
                fs.sync_dir(&directory).unwrap();
            }
        }
        let mut kills = Kills::default();
        let profile = profile("posix-min").unwrap();
        walk(&fs.recording(), profile, &Limits::default(), 0, &mut kills);
        // Nothing; a file; none, not durably; nothing again, durably; and the second file.
        assert_eq!(kills.0, 1 + 2 + 2);
    }
}
