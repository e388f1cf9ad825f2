//! What a walk shows: positions, states, and images to mount.

use super::bits::{self, Set};
use super::build::Builder;
use super::pending::Pending;
use crate::scenario::{CrashChoice, CrashKind, Fill};
use crate::simfs::SimFs;

/// Looks at images and judges states.
pub trait Visitor {
    /// Called once for every distinct image (of content and kind of crash); the answer is what
    /// [`Visitor::state`] is given for every state that has this image.
    fn image(&mut self, image: &Image<'_>) -> u32;

    /// Called for every allowed state at every position in the recording.
    fn state(&mut self, point: &Point, state: &State<'_>, outcome: u32);
}

/// A position in a recording, between two entries of its log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// Effects before it.
    pub effects: u32,
    /// Marks before it.
    pub marks: u32,
    /// All allowed states are shown at it.
    pub is_enumerated: bool,
}

/// What a crash left, before it is mounted.
#[derive(Debug)]
pub struct Image<'a> {
    pub(crate) hash: u128,
    pub(crate) kind: CrashKind,
    pub(crate) builder: Builder<'a>,
}

impl Image<'_> {
    /// The hash of the tree. Comparable between walks.
    #[must_use]
    pub fn hash(&self) -> u128 {
        self.hash
    }

    /// Which kind of crash left it.
    #[must_use]
    pub fn kind(&self) -> CrashKind {
        self.kind
    }

    /// A filesystem over the image, recording anew, in a new boot after a power cut and in the
    /// same after a kill. After a kill the effects that were not durable still are not: a power
    /// cut can take them back (they are the history of the new recording).
    #[must_use]
    pub fn mount(&self) -> SimFs {
        self.builder.mount(self.kind, self.hash)
    }
}

/// An allowed state at a point.
#[derive(Debug, Clone, Copy)]
pub struct State<'a> {
    pub(crate) point: Point,
    pub(crate) kind: CrashKind,
    pub(crate) fill: Option<Fill>,
    pub(crate) pending: &'a Pending,
    pub(crate) kept: &'a Set,
}

impl State<'_> {
    /// Which kind of crash it is of.
    #[must_use]
    pub fn kind(&self) -> CrashKind {
        self.kind
    }

    /// What lost bytes within a size read as, where any were lost.
    #[must_use]
    pub fn fill(&self) -> Option<Fill> {
        self.fill
    }

    /// How many effects are lost.
    #[must_use]
    pub fn lost_count(&self) -> usize {
        self.lost().count()
    }

    /// The crash in its text form.
    #[must_use]
    pub fn choice(&self) -> CrashChoice {
        CrashChoice {
            point: self.point.effects,
            marks: self.point.marks,
            kind: self.kind,
            lost: self.lost().collect(),
            fill: self.fill,
        }
    }

    fn lost(&self) -> impl Iterator<Item = u32> {
        self.pending
            .effects
            .iter()
            .filter(|effect| self.kind == CrashKind::PowerCut && !bits::has(self.kept, effect.unit))
            .map(|effect| effect.number)
    }
}
