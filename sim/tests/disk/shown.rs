//! Everything that a walk shows, kept to be looked at.

use crashline_sim::crash::{Image, Limits, Point, State, Visitor, profile, walk};
use crashline_sim::scenario::{CrashChoice, CrashKind, Fill};
use crashline_sim::simfs::{Recording, SimFs, TreeEntry};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub(crate) type Content = Vec<(PathBuf, TreeEntry)>;

/// Keeps everything that a walk shows.
#[derive(Default)]
pub(crate) struct Shown {
    pub(crate) images: Vec<(CrashKind, u128, Content)>,
    pub(crate) states: Vec<(Point, CrashChoice, u32)>,
}

impl Visitor for Shown {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        let fs = image.mount();
        assert_eq!(
            fs.tree_hash(),
            image.hash(),
            "the sum is the hash from scratch"
        );
        self.images.push((image.kind(), image.hash(), fs.tree()));
        u32::try_from(self.images.len() - 1).unwrap()
    }

    fn state(&mut self, point: &Point, state: &State<'_>, outcome: u32) {
        self.states.push((*point, state.choice(), outcome));
    }
}

impl Shown {
    pub(crate) fn of(recording: &Recording, profile_name: &str) -> Self {
        let mut shown = Self::default();
        let profile = profile(profile_name).unwrap();
        walk(recording, profile, &Limits::default(), 1, &mut shown);
        shown
    }

    /// The images after a power cut at the end, with these fills or none.
    pub(crate) fn at_end(&self, fills: &[Fill]) -> Vec<&Content> {
        let end = self.states.last().unwrap().0;
        self.states
            .iter()
            .filter(|(point, choice, _)| {
                point.effects == end.effects
                    && point.marks == end.marks
                    && choice.kind == CrashKind::PowerCut
                    && choice.fill.is_none_or(|fill| fills.contains(&fill))
            })
            .map(|(_, _, outcome)| &self.images[*outcome as usize].2)
            .collect()
    }
}

/// What a file may contain after a power cut now; it is there in every state.
pub(crate) fn contents_after(
    fs: &SimFs,
    profile_name: &str,
    fills: &[Fill],
    file: &str,
) -> BTreeSet<Vec<u8>> {
    let shown = Shown::of(&fs.recording(), profile_name);
    let contents = shown.at_end(fills);
    contents
        .into_iter()
        .map(|tree| {
            let found = tree.iter().find(|(path, _)| path == Path::new(file));
            let Some((_, TreeEntry::File(bytes))) = found else {
                panic!("{file} is not in {tree:?}");
            };
            bytes.clone()
        })
        .collect()
}
