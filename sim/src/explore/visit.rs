//! Judges every (crash point, state) of a recorded run, recovering every distinct image once.
//!
//! An image is recovered to an [`Observation`], kept once for all equal ones; its reach is that and
//! those of all crashes inside its recovery, so judging a pair looks at a few small values. A crash
//! inside recovery allows what the first allowed; a kill and then a power cut is a power cut.

pub(crate) use super::bench::Bench;
use super::trial::Trial;
use super::vouched::{Vouching, counts};
use crate::crash::{Image, Limits, Point, State, Visitor, walk};
use crate::oracle::Violation;
use crate::oracle::sometimes::Marks;
use crate::scenario::{Clause, CrashChoice, CrashKind};
use std::collections::{BTreeMap, BTreeSet};

/// One thing that may come back from an image, and how.
#[derive(Debug, Clone)]
struct Reached {
    observation: u32,
    kind: CrashKind,
    /// The crash inside recovery, if there was one: its first example.
    inside: Option<CrashChoice>,
    /// The crash inside recovery left whole what vouches for messages.
    is_vouched: bool,
    /// What was allowed when it was last judged and fitted.
    fits_at: Option<u32>,
}

/// A broken clause, and the crashes that show it.
#[derive(Debug, Clone)]
pub(crate) struct Broken {
    pub(crate) violation: Violation,
    pub(crate) crashes: Vec<CrashChoice>,
}

impl Broken {
    /// What a person would rather look at: fewer crashes, fewer lost effects, an earlier point.
    fn weight(&self) -> (usize, usize, u32) {
        let lost = self.crashes.iter().map(|crash| crash.lost.len()).sum();
        (
            self.crashes.len(),
            lost,
            self.crashes.first().map_or(0, |crash| crash.point),
        )
    }
}

/// The visitor of a recorded run.
pub(crate) struct Visit<'a, T: Trial> {
    bench: Bench<'a, T>,
    known: BTreeMap<T::Observation, u32>,
    observations: Vec<T::Observation>,
    images: Vec<Vec<Reached>>,
    /// The images whose recovery was to be crashed inside, and was not or not to the end.
    cut: BTreeSet<u32>,
    /// The last enumerated crash point that leads to one of them, as effects and marks.
    cut_at: Option<(u32, u32)>,
    /// The simplest example of every broken clause.
    pub(crate) broken: BTreeMap<Clause, Broken>,
    /// Pairs that broke a clause.
    pub(crate) violations: u64,
    /// Images recovered, those inside recovery included.
    pub(crate) recovered: u64,
    /// Enumerated crash points of which less was seen, as a recovery was not crashed inside.
    pub(crate) points_cut: u64,
    /// Images built inside recovery.
    pub(crate) built_inside: u64,
    /// Pairs judged, those inside recovery included.
    pub(crate) judged: u64,
    /// A hash of everything recovered, in order.
    pub(crate) digest: u64,
    /// The rare states that were met.
    pub(crate) marks: Marks,
    /// Distinct outcomes that cannot be decided.
    pub(crate) undecided: u64,
}

/// After so many violating pairs further ones are counted, but not looked at.
const VIOLATIONS_LOOKED_AT: u64 = 2_000;

impl<'a, T: Trial> Visit<'a, T> {
    pub(crate) fn new(bench: Bench<'a, T>) -> Self {
        Self {
            bench,
            known: BTreeMap::new(),
            observations: Vec::new(),
            images: Vec::new(),
            cut: BTreeSet::new(),
            cut_at: None,
            broken: BTreeMap::new(),
            violations: 0,
            recovered: 0,
            points_cut: 0,
            built_inside: 0,
            judged: 0,
            digest: 0,
            marks: Marks::default(),
            undecided: 0,
        }
    }

    fn intern(&mut self, observation: T::Observation) -> u32 {
        if let Some(number) = self.known.get(&observation) {
            return *number;
        }
        let number = u32::try_from(self.observations.len()).unwrap_or(u32::MAX);
        self.undecided += u64::from(self.bench.trial.is_undecided(&observation));
        self.observations.push(observation.clone());
        self.known.insert(observation, number);
        number
    }

    /// Recovers an image and everything inside its recovery.
    fn recover(&mut self, image: &Image<'_>) -> Vec<Reached> {
        let bench = &self.bench;
        let is_chosen = bench.depth > 0 && image.hash().is_multiple_of(bench.inside_one_in);
        // This image is counted first.
        let left = bench.recovered_max.saturating_sub(self.recovered + 1);
        let goes_inside = is_chosen && left > 0;
        let (observation, inside) =
            bench
                .trial
                .recover(image.mount(), image.kind(), image.hash(), goes_inside);
        self.recovered += 1;
        let first = Reached {
            observation: self.intern(observation),
            kind: image.kind(),
            inside: None,
            is_vouched: true,
            fits_at: None,
        };
        self.note(image.hash(), first.observation);
        let mut reached = vec![first];
        let mut is_cut = is_chosen && !goes_inside;
        if let Some(recording) = inside {
            let profile = self.bench.profile;
            let nested = Limits {
                images_max: Some(
                    self.bench
                        .nested
                        .images_max
                        .map_or(left, |most| most.min(left)),
                ),
                ..*self.bench.nested
            };
            let (seed, before) = (self.bench.seed, self.bench.vouching);
            let mut visit = Inside {
                vouching: before.map(|before| Vouching::of(&recording, Some(before))),
                visit: self,
                first: image.kind(),
                reached: &mut reached,
            };
            let summary = walk(&recording, profile, &nested, seed, &mut visit);
            self.built_inside += summary.states_built;
            is_cut = summary.is_cut_short;
        }
        if is_cut {
            self.cut.insert(self.next_image());
        }
        reached
    }

    /// The number that the next image of the run gets.
    fn next_image(&self) -> u32 {
        u32::try_from(self.images.len()).unwrap_or(u32::MAX)
    }

    /// Folds an image and what came of it into the digest.
    fn note(&mut self, hash: u128, observation: u32) {
        let bytes = hash.to_le_bytes();
        self.digest = xxhash_rust::xxh3::xxh3_64_with_seed(
            &bytes,
            self.digest.rotate_left(5) ^ u64::from(observation),
        );
    }

    fn look_at(&mut self, point: &Point, state: &State<'_>, reached: usize, outcome: usize) {
        let image = self.images.get_mut(outcome);
        let Some(found) = image.and_then(|image| image.get_mut(reached)) else {
            return;
        };
        let trial = self.bench.trial;
        let version = trial.version(point.marks);
        if version.is_none() || found.fits_at == version {
            return;
        }
        let Some(observation) = self.observations.get(found.observation as usize) else {
            return;
        };
        let violation = match trial.judge(point.marks, found.kind, observation) {
            Ok(marks) => {
                found.fits_at = version;
                self.marks.add(marks);
                return;
            }
            Err(violation) => violation,
        };
        let is_vouched = || {
            let outlives = |vouching: &Vouching| vouching.outlives(&state.choice().lost);
            found.is_vouched && self.bench.vouching.is_none_or(outlives)
        };
        if !counts(self.bench.profile, found.kind, &violation, is_vouched) {
            return;
        }
        self.violations += 1;
        if self.violations > VIOLATIONS_LOOKED_AT {
            return;
        }
        let mut crashes = vec![state.choice()];
        crashes.extend(found.inside.clone());
        let broken = Broken { violation, crashes };
        let clause = broken.violation.clause;
        let better = self
            .broken
            .get(&clause)
            .is_none_or(|best| broken.weight() < best.weight());
        if better {
            self.broken.insert(clause, broken);
        }
    }
}

impl<T: Trial> Visitor for Visit<'_, T> {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        let found = self
            .bench
            .wanted
            .is_some_and(|clause| self.broken.contains_key(&clause));
        let reached = if found {
            Vec::new()
        } else {
            self.recover(image)
        };
        let number = self.next_image();
        self.images.push(reached);
        number
    }

    fn state(&mut self, point: &Point, state: &State<'_>, outcome: u32) {
        let count = self.images.get(outcome as usize).map_or(0, Vec::len);
        self.judged += count as u64;
        let at = Some((point.effects, point.marks));
        if point.is_enumerated && self.cut_at != at && self.cut.contains(&outcome) {
            self.cut_at = at;
            self.points_cut += 1;
        }
        for reached in 0..count {
            self.look_at(point, state, reached, outcome as usize);
        }
    }
}

/// The visitor of the recording that a recovery made.
struct Inside<'v, 'a, T: Trial> {
    vouching: Option<Vouching>,
    visit: &'v mut Visit<'a, T>,
    first: CrashKind,
    reached: &'v mut Vec<Reached>,
}

impl<T: Trial> Visitor for Inside<'_, '_, T> {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        let kind = self.first.max(image.kind());
        let trial = self.visit.bench.trial;
        let (observation, _) = trial.recover(image.mount(), kind, image.hash(), false);
        self.visit.recovered += 1;
        let number = self.visit.intern(observation);
        self.visit.note(image.hash(), number);
        number
    }

    fn state(&mut self, _point: &Point, state: &State<'_>, outcome: u32) {
        // The point inside recovery does not matter: the first crash's point decides.
        let kind = self.first.max(state.kind());
        let outlives = |vouching: &Vouching| vouching.outlives(&state.choice().lost);
        let is_vouched = self.vouching.as_ref().is_none_or(outlives);
        let new = !self.reached.iter().any(|reached| {
            reached.observation == outcome
                && reached.kind == kind
                && reached.is_vouched == is_vouched
        });
        if new {
            let inside = Some(state.choice());
            self.reached.push(Reached {
                observation: outcome,
                kind,
                inside,
                is_vouched,
                fits_at: None,
            });
        }
    }
}
