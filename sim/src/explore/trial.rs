//! What a walk through the crashes of a recorded run asks of the kind of subject it is: to recover
//! an image, and to judge what came back at every point that can leave it.

use crate::oracle::Violation;
use crate::oracle::sometimes::Marks;
use crate::scenario::CrashKind;
use crate::simfs::{Recording, SimFs};

/// A recorded run, and how its images are recovered.
pub(crate) trait Trial {
    /// What came back from an image; small, since it is kept for every distinct one.
    type Observation: Clone + Ord;

    /// Recovers the image on `sim` and goes on with it; `hash` is the image's and decides how.
    /// Gives the recording of the recovery alone where it is asked for.
    fn recover(
        &self,
        sim: SimFs,
        kind: CrashKind,
        hash: u128,
        wants_recording: bool,
    ) -> (Self::Observation, Option<Recording>);

    /// Whether this cannot be decided.
    fn is_undecided(&self, observation: &Self::Observation) -> bool;

    /// A number that is the same for positions in the run that allow the same; nothing where the
    /// run was not judged that far.
    fn version(&self, position: u32) -> Option<u32>;

    /// Judges what came back after a crash at a position in the run.
    fn judge(
        &self,
        position: u32,
        kind: CrashKind,
        observation: &Self::Observation,
    ) -> Result<Marks, Violation>;
}
