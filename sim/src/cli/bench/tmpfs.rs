//! A folder in memory, where the cost of a disk is none, and two things measured side by side.
#![expect(
    clippy::disallowed_methods,
    reason = "a folder is made and removed for the measurement"
)]

use super::super::clock::ProcessorTime;
use super::super::failure::Failure;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Where Linux keeps a filesystem in memory for everybody.
const PLACE: &str = "/dev/shm";

/// What `statfs` says of it.
const TMPFS_MAGIC: u64 = 0x0102_1994;

/// Whether there is one.
pub(super) fn is_there() -> bool {
    let Ok(stat) = rustix::fs::statfs(PLACE) else {
        return false;
    };
    u64::try_from(stat.f_type).is_ok_and(|kind| kind == TMPFS_MAGIC)
}

/// A folder in memory that goes when it is dropped.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new() -> Result<Self, Failure> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("crashline-bench-{}-{number}", std::process::id());
        let path = Path::new(PLACE).join(name);
        std::fs::create_dir(&path).map_err(failed)?;
        Ok(Self(path))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed goes with the next boot.
        drop(std::fs::remove_dir_all(&self.0));
    }
}

/// A measurement that could not be made.
pub(super) fn failed(error: impl Display) -> Failure {
    Failure::usage(format!("cannot measure in {PLACE}: {error}"))
}

/// One block of work.
pub(super) type Block<'a> = &'a mut dyn FnMut() -> Result<(), Failure>;

/// How often `one` takes the time of `other`.
pub(super) fn times(blocks: usize, one: Block<'_>, other: Block<'_>) -> Result<f64, Failure> {
    let [one, other] = medians(blocks, one, other)?;
    Ok(one / other)
}

/// The seconds that a block of each takes: medians of so many, taken by turns.
pub(super) fn medians(
    blocks: usize,
    one: Block<'_>,
    other: Block<'_>,
) -> Result<[f64; 2], Failure> {
    interleaved(blocks, &mut || seconds(one), &mut || seconds(other))
}

/// Tells how many seconds the timed part of it took.
pub(super) type Timed<'a> = &'a mut dyn FnMut() -> Result<f64, Failure>;

/// Medians of what both tell, so many times by turns.
pub(super) fn interleaved(
    blocks: usize,
    one: Timed<'_>,
    other: Timed<'_>,
) -> Result<[f64; 2], Failure> {
    let (mut ones, mut others) = (Vec::new(), Vec::new());
    for turn in 0..blocks {
        if turn % 2 == 0 {
            ones.push(one()?);
        }
        others.push(other()?);
        if turn % 2 == 1 {
            ones.push(one()?);
        }
    }
    Ok([median(&mut ones), median(&mut others).max(1e-9)])
}

/// The seconds that a block takes.
pub(super) fn seconds(block: Block<'_>) -> Result<f64, Failure> {
    let watch = ProcessorTime::start();
    block()?;
    Ok(watch.seconds())
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
