//! The disk after the power cut that keeps the least is the state of a walk that loses the most.

use crate::brute::{play, recorded};
use crate::shown::Shown;
use crashline_sim::crash::{Image, Limits, PROFILES, Point, Profile, State, Visitor, walk, worst};
use crashline_sim::generate::Prng;
use crashline_sim::scenario::{CrashKind, Fill};
use crashline_sim::simfs::Recording;

/// Runs that go on after a kill: older effects are still pending in them.
#[derive(Default)]
struct AfterKills(Vec<Recording>);

impl Visitor for AfterKills {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        if image.kind() == CrashKind::Kill {
            let fs = image.mount();
            play(&fs, &mut Prng::new(self.0.len() as u64), 8);
            self.0.push(fs.recording());
        }
        0
    }

    fn state(&mut self, _: &Point, _: &State<'_>, _: u32) {}
}

/// Compares both; says how many effects were lost.
fn compare(recording: &Recording, profile: &Profile) -> usize {
    let shown = Shown::of(recording, profile.name);
    let (end, _, _) = shown.states.last().unwrap();
    let cuts = shown.states.iter().filter(|(point, choice, _)| {
        point.effects == end.effects
            && point.marks == end.marks
            && choice.kind == CrashKind::PowerCut
            && choice.fill.is_none_or(|fill| fill == Fill::Zeros)
    });
    let (_, choice, outcome) = cuts.max_by_key(|(_, choice, _)| choice.lost.len()).unwrap();
    let disk = worst(recording, profile);
    let (_, hash, tree) = &shown.images[*outcome as usize];
    assert_eq!(disk.tree(), *tree, "{} {choice:?}", profile.name);
    assert_eq!(disk.tree_hash(), *hash);
    choice.lost.len()
}

/// A run on it is walked like any other: its sums are right once they are needed.
fn go_on(recording: &Recording, profile: &Profile, settles: bool) {
    let disk = worst(recording, profile);
    let mut prng = Prng::new(1);
    play(&disk, &mut prng, 6);
    if settles {
        disk.settle();
        play(&disk, &mut prng, 6);
    }
    assert!(!Shown::of(&disk.recording(), profile.name).states.is_empty());
}

#[test]
fn it_is_the_state_that_loses_the_most() {
    let (mut lossy, mut after_kills) = (0, 0);
    for seed in 0..200 {
        let recording = recorded(seed, 8 + usize::try_from(seed % 20).unwrap());
        for profile in PROFILES {
            lossy += u32::from(compare(&recording, profile) > 0);
            if seed % 10 > 0 {
                continue;
            }
            go_on(&recording, profile, seed % 20 == 0);
            let mut killed = AfterKills::default();
            walk(&recording, profile, &Limits::default(), 1, &mut killed);
            for inner in killed.0.iter().step_by(5) {
                lossy += u32::from(compare(inner, profile) > 0);
                after_kills += 1;
            }
        }
    }
    assert!(lossy > 1_200 && after_kills > 150, "{lossy}, {after_kills}");
}
