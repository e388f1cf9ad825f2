//! Opens what a run or a crash left, and reads it to its end.

use super::after::Came;
use super::story::Story;
use crate::scenario::{Clause, Scenario};
use crate::simfs::SimFs;
use crate::subject::{guarded, options_of};
use crashline::diskqueue::{DiskQueue, Error, Quirks};
use crashline::fs::Fs;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

/// Where the data directory stands on the simulated disk.
pub(super) const DIRECTORY: &str = "/data";
/// The name of the queue.
pub(super) const NAME: &str = "queue";

/// Opens what is on the disk, reads it to its end, and sees that the queue can be used.
#[must_use]
pub fn drain(sim: &SimFs, story: &Story, scenario: &Scenario) -> Came {
    let mut came = Came::default();
    let drained = guarded(|| drain_into(&mut came, sim, story, scenario));
    match drained {
        Ok(Ok(())) => {}
        Ok(Err(failed)) => came.failed = Some(failed),
        Err(panicked) => came.failed = Some((Clause::C3, panicked.message)),
    }
    came
}

fn drain_into(
    came: &mut Came,
    sim: &SimFs,
    story: &Story,
    scenario: &Scenario,
) -> Result<(), (Clause, String)> {
    let options = options_of(&scenario.options, Quirks::default());
    let fs: Arc<dyn Fs> = Arc::new(sim.clone());
    let opened = DiskQueue::open(fs, Path::new(DIRECTORY), OsStr::new(NAME), options);
    let failed = |what: &'static str| {
        move |error: Error| (Clause::C1, format!("{what} failed after the run: {error}"))
    };
    let mut queue = opened.map_err(failed("open"))?.queue;
    let depth = queue.depth().map_err(failed("depth"))?;
    loop {
        match queue.read_slice() {
            Ok(Some(message)) => came
                .messages
                .push(story.number_of(message).ok_or(message.len())),
            Ok(None) => break,
            Err(Error::Damage { losses }) => came.losses += losses.len(),
            Err(error) => return Err(failed("read")(error)),
        }
    }
    if came.losses == 0 && depth != came.messages.len() as u64 {
        let words = format!(
            "depth said {depth}, and {} messages came",
            came.messages.len()
        );
        return Err((Clause::Q5, words));
    }
    queue.put(b"afterwards").map_err(failed("put"))?;
    queue.close().map_err(failed("close"))
}
