//! The kept family of states is the set of all allowed ones, found by trying every subset; and
//! every image is what the naive model says.

use crate::naive::{Naive, is_lossy, is_tree, show};
use crashline::fs::{Fs, OpenMode};
use crashline_sim::crash::{
    Image, Limits, PROFILES, Point, Profile, State, Visitor, materialize, walk,
};
use crashline_sim::generate::Prng;
use crashline_sim::scenario::{CrashChoice, CrashKind, Fill};
use crashline_sim::simfs::compare::{FileStep, Player, draw_step};
use crashline_sim::simfs::{AfterSyncError, Recording, SimFs, TreeEntry};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Beyond so many pending effects a point is not tried by brute force.
const PENDING_MAX: usize = 12;

type Content = Vec<(PathBuf, TreeEntry)>;

/// Keeps everything that a walk shows.
#[derive(Default)]
pub(crate) struct Everything {
    pub(crate) images: Vec<(CrashKind, u128, Content)>,
    pub(crate) states: Vec<(Point, CrashChoice, u32)>,
    /// One mounted image in so many is walked again.
    nested_every: usize,
    pub(crate) nested: Vec<Recording>,
}

impl Visitor for Everything {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        let fs = image.mount();
        assert_eq!(
            fs.tree_hash(),
            image.hash(),
            "the sum is the hash from scratch"
        );
        self.images.push((image.kind(), image.hash(), fs.tree()));
        if self.nested_every > 0 && self.images.len().is_multiple_of(self.nested_every) {
            fs.create_dir(Path::new("/root")).ok();
            let mut prng = Prng::new(self.images.len() as u64);
            play(&fs, &mut prng, 12);
            self.nested.push(fs.recording());
        }
        u32::try_from(self.images.len() - 1).unwrap()
    }

    fn state(&mut self, point: &Point, state: &State<'_>, outcome: u32) {
        self.states.push((*point, state.choice(), outcome));
    }
}

/// Plays drawn calls below `/root`; once in a while a sync fails.
pub(crate) fn play(fs: &SimFs, prng: &mut Prng, calls: usize) {
    let mut player = Player::new(fs, Path::new("/root"));
    for _ in 0..calls {
        let step = draw_step(&mut |bound| prng.below(bound));
        let fails = prng.below(6) == 0;
        if let FileStep::Open { path, .. } = &step
            && fails
        {
            let after = if prng.below(2) == 0 {
                AfterSyncError::Clean
            } else {
                AfterSyncError::Reverted
            };
            let path = Path::new("/root").join(path);
            if let Ok(file) = fs.open_file(&path, OpenMode::Write) {
                file.fail_sync(after, 5).unwrap_err();
            }
        } else {
            player.play(&step);
        }
    }
}

fn check(recording: &Recording, profile: &Profile, nested_every: usize) -> (u64, Vec<Recording>) {
    let mut shown = Everything {
        nested_every,
        ..Everything::default()
    };
    let limits = Limits {
        states_max: 5000,
        ..Limits::default()
    };
    walk(recording, profile, &limits, 1, &mut shown);
    let mut by_point: BTreeMap<(u32, u32), Vec<(CrashChoice, u32)>> = BTreeMap::new();
    for (point, choice, outcome) in &shown.states {
        let states = by_point.entry((point.effects, point.marks)).or_default();
        states.push((choice.clone(), *outcome));
    }
    let mut compared = 0;
    for ((effects, _), states) in by_point {
        compared += check_point(recording, profile, &shown, effects, &states);
    }
    (compared, shown.nested)
}

fn check_point(
    recording: &Recording,
    profile: &Profile,
    shown: &Everything,
    effects: u32,
    states: &[(CrashChoice, u32)],
) -> u64 {
    let naive = Naive::at(recording, profile, effects);
    let Some(sets) = naive.lost_sets(PENDING_MAX) else {
        return 0;
    };
    let mut found: BTreeMap<Vec<u32>, Vec<(Option<Fill>, u32)>> = BTreeMap::new();
    for (choice, outcome) in states {
        if choice.kind == CrashKind::Kill {
            let tree = naive.tree(&[]);
            let (kind, _, read) = &shown.images[*outcome as usize];
            assert_eq!(*kind, CrashKind::Kill);
            assert!(
                is_tree(&tree, read, true),
                "a kill leaves everything: {} at {effects}, history {}\n{}",
                profile.name,
                recording.history(),
                show(&tree, read, recording)
            );
            continue;
        }
        let fills = found.entry(choice.lost.clone()).or_default();
        fills.push((choice.fill, *outcome));
    }
    let found_sets: Vec<&Vec<u32>> = found.keys().collect();
    let mut expected: Vec<&Vec<u32>> = sets.iter().collect();
    expected.sort();
    assert_eq!(
        found_sets,
        expected,
        "{} at {effects}: {:#?}",
        profile.name,
        recording.log()
    );
    for (lost, fills) in &found {
        let tree = naive.tree(lost);
        for (fill, outcome) in fills {
            let (kind, _, read) = &shown.images[*outcome as usize];
            assert_eq!(*kind, CrashKind::PowerCut);
            assert!(
                fill.is_some() || !is_lossy(&tree),
                "{} at {effects} without {lost:?}: bytes were lost\n{}",
                profile.name,
                show(&tree, read, recording)
            );
            let zeros = *fill == Some(Fill::Zeros);
            assert!(
                is_tree(&tree, read, zeros),
                "{} at {effects} without {lost:?}, {fill:?}\n{}",
                profile.name,
                show(&tree, read, recording)
            );
        }
    }
    found.len() as u64
}

pub(crate) fn recorded(seed: u64, calls: usize) -> Recording {
    let mut prng = Prng::named(seed, "brute");
    let fs = SimFs::new();
    fs.create_dir(Path::new("/root")).unwrap();
    if prng.below(3) > 0 {
        play(&fs, &mut prng, 20);
        fs.settle();
    }
    if prng.below(8) == 0 {
        fs.set_tearing(crashline_sim::simfs::Tearing::EverySector);
    }
    play(&fs, &mut prng, calls);
    fs.recording()
}

#[test]
fn the_family_is_every_allowed_subset() {
    let mut compared = 0;
    for seed in 0..400 {
        let recording = recorded(seed, 10 + usize::try_from(seed % 12).unwrap());
        for profile in PROFILES {
            compared += check(&recording, profile, 0).0;
        }
    }
    assert!(compared > 30_000, "only {compared} states were compared");
}

#[test]
fn a_recording_of_a_mounted_image_is_walked_by_the_same_rules() {
    let mut compared = 0;
    for seed in 0..90 {
        let recording = recorded(seed, 14);
        for profile in PROFILES {
            let (_, nested) = check(&recording, profile, 5);
            for inner in nested.iter().filter(|inner| inner.starts_plain()) {
                compared += check(inner, profile, 0).0;
            }
        }
    }
    assert!(compared > 8_000, "only {compared} states were compared");
}

#[test]
fn a_state_in_its_text_form_materializes_to_the_same_image() {
    for seed in 0..100 {
        let recording = recorded(seed, 10);
        for profile in PROFILES {
            let mut shown = Everything::default();
            walk(&recording, profile, &Limits::default(), 1, &mut shown);
            let every = (shown.states.len() / 50).max(1);
            for (_, choice, outcome) in shown.states.iter().step_by(every) {
                let fs = materialize(&recording, profile, choice).unwrap();
                let (_, hash, _) = &shown.images[*outcome as usize];
                assert_eq!(fs.tree_hash(), *hash, "{} {choice:?}", profile.name);
            }
        }
    }
}
