//! What profiles have to do with each other, and a kill with a power cut after it.

use crate::brute::{play, recorded};
use crate::shown::Shown;
use crashline_sim::crash::{
    Image, Limits, PROFILES, Point, Profile, State, Visitor, Walker, materialize, profile, walk,
};
use crashline_sim::generate::Prng;
use crashline_sim::scenario::{CrashKind, Fill};
use crashline_sim::simfs::{Recording, SimFs};
use std::collections::BTreeSet;

#[test]
fn every_honest_state_is_one_of_posix_min() {
    let gate = profile("posix-min").unwrap();
    let mut checked = 0;
    for seed in 0..150 {
        let recording = recorded(seed, 16);
        for profile in PROFILES.iter().filter(|profile| profile.is_honest) {
            let shown = Shown::of(&recording, profile.name);
            let every = (shown.states.len() / 200).max(1);
            for (_, choice, outcome) in shown.states.iter().step_by(every) {
                let image = materialize(&recording, gate, choice);
                let image = image.unwrap_or_else(|error| {
                    panic!("{} has {choice:?}: {error}", profile.name);
                });
                if choice.fill.is_none_or(|fill| fill == Fill::Zeros) {
                    let (_, hash, _) = &shown.images[*outcome as usize];
                    assert_eq!(image.tree_hash(), *hash, "{}: {choice:?}", profile.name);
                }
                checked += 1;
            }
        }
    }
    assert!(checked > 10_000, "only {checked} states were checked");
}

/// Walks again after every kill, and holds the power cuts then against those of the same moment.
struct KillThenCut<'a> {
    profile: &'a Profile,
    inner: Walker,
    hashes: Vec<u128>,
    after_kill: Vec<Option<BTreeSet<u128>>>,
    at: Option<Point>,
    cuts: BTreeSet<u128>,
    compared: u32,
}

impl Visitor for KillThenCut<'_> {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        let after_kill = (image.kind() == CrashKind::Kill).then(|| {
            let mut cuts = CutHashes::default();
            let recording = image.mount().recording();
            self.inner
                .walk(&recording, self.profile, &Limits::default(), 1, &mut cuts);
            cuts.hashes.into_iter().collect()
        });
        self.after_kill.push(after_kill);
        self.hashes.push(image.hash());
        u32::try_from(self.hashes.len() - 1).unwrap()
    }

    fn state(&mut self, point: &Point, state: &State<'_>, outcome: u32) {
        if self.at != Some(*point) {
            self.at = Some(*point);
            self.cuts.clear();
        }
        if state.kind() == CrashKind::PowerCut {
            self.cuts.insert(self.hashes[outcome as usize]);
            return;
        }
        let cuts = std::mem::take(&mut self.cuts);
        if let Some(after_kill) = &self.after_kill[outcome as usize]
            && point.is_enumerated
        {
            assert_eq!(*after_kill, cuts, "{} at {point:?}", self.profile.name);
            self.compared += 1;
        }
    }
}

#[derive(Default)]
struct CutHashes {
    hashes: Vec<u128>,
}

impl Visitor for CutHashes {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        if image.kind() == CrashKind::PowerCut {
            self.hashes.push(image.hash());
        }
        0
    }

    fn state(&mut self, _: &Point, _: &State<'_>, _: u32) {}
}

#[test]
fn a_power_cut_after_a_kill_takes_what_it_would_have_taken_before() {
    let mut compared = 0;
    for seed in 0..150 {
        let recording = recorded(seed, 10);
        for profile in PROFILES {
            let mut visitor = KillThenCut {
                profile,
                inner: Walker::new(),
                hashes: Vec::new(),
                after_kill: Vec::new(),
                at: None,
                cuts: BTreeSet::new(),
                compared: 0,
            };
            walk(&recording, profile, &Limits::default(), 1, &mut visitor);
            compared += visitor.compared;
        }
    }
    assert!(compared > 1500, "only {compared} kills were compared");
}

fn long_recording(seed: u64) -> Recording {
    let mut prng = Prng::named(seed, "long");
    let fs = SimFs::new();
    crashline::fs::Fs::create_dir(&fs, std::path::Path::new("/root")).unwrap();
    play(&fs, &mut prng, 400);
    fs.recording()
}

#[test]
fn beyond_the_limit_states_are_sampled_and_stay_allowed() {
    let limits = Limits {
        states_max: 40,
        ..Limits::default()
    };
    let gate = profile("posix-min").unwrap();
    for seed in 0..20 {
        let recording = long_recording(seed);
        let mut shown = Shown::default();
        let summary = walk(&recording, gate, &limits, 1, &mut shown);
        assert!(summary.points_sampled > 10, "{summary:?}");
        assert_eq!(
            summary.points,
            summary.points_enumerated + summary.points_sampled
        );
        assert_eq!(summary.states_judged, shown.states.len() as u64);
        assert_eq!(summary.images, shown.images.len() as u64);
        let every = (shown.states.len() / 300).max(1);
        for (_, choice, outcome) in shown.states.iter().step_by(every) {
            let image = materialize(&recording, gate, choice).unwrap();
            assert_eq!(image.tree_hash(), shown.images[*outcome as usize].1);
        }
        let mut again = Shown::default();
        assert_eq!(walk(&recording, gate, &limits, 1, &mut again), summary);
        assert!(again.states == shown.states, "the same seed, the same walk");
    }
}

#[test]
fn a_walk_ends_at_its_bound_of_images() {
    let limits = Limits {
        images_max: Some(20),
        ..Limits::default()
    };
    let mut shown = Shown::default();
    let summary = walk(
        &long_recording(1),
        profile("posix-min").unwrap(),
        &limits,
        1,
        &mut shown,
    );
    assert!(summary.is_cut_short && summary.images >= 20);
}
