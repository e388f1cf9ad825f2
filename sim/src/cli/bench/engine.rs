//! What the engine costs beside the bare system calls, in memory: ratios of medians of interleaved
//! blocks, whose goals hold on any machine.

use super::super::failure::Failure;
use super::super::output::say;
use super::bare::{Bare, HEADER_BYTES, PUTS_PER_SYNC};
use super::case::{Case, Goal, Suite};
use super::opening::open_over_stats;
use super::tmpfs::{Block, Folder, failed, is_there, times};
use crashline::diskqueue::{DiskQueue, Options};
use crashline::fs::{RealFs, read_exact_at};
use crashline::shared::SharedQueue;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

/// Messages of a batch.
const BATCH: usize = 64;

/// All cases; none where there is no filesystem in memory.
pub(super) fn suite() -> Suite {
    let mut cases = Vec::new();
    if is_there() {
        cases.extend(puts());
        cases.extend(reads());
        cases.push(Case::of_times(
            "open 1 GiB / open 1 MiB and stats",
            Some(Goal::AtMost(1.2)),
            open_large,
        ));
    } else {
        say(
            "crashline: skipped: there is no filesystem in memory to measure put, read and open on",
        );
    }
    Suite {
        cases,
        ratios: Vec::new(),
    }
}

fn puts() -> Vec<Case> {
    // A put copies its message and sums it up: for large ones that is a part of the cost.
    let goals = [(16, None), (100, Some(1.2)), (1_000, None), (10_000, None)];
    let mut cases: Vec<Case> = goals
        .map(|(size, goal)| {
            let name = format!("put / pwrite, {size} bytes");
            let measure = move || put_over_pwrite(size, false, Putter::Alone);
            Case::of_times(name, goal.map(Goal::AtMost), measure)
        })
        .into();
    cases.push(Case::of_times(
        "put / pwrite, 100 bytes, a sync every 2,500",
        Some(Goal::AtMost(1.35)),
        || put_over_pwrite(100, true, Putter::Alone),
    ));
    cases.push(Case::of_times(
        "put by shared handle / pwrite, 100 bytes",
        Some(Goal::AtMost(1.35)),
        || put_over_pwrite(100, false, Putter::Shared),
    ));
    cases.push(Case::of_times(
        "pwrite / put in a batch of 64, 100 bytes",
        Some(Goal::AtLeast(4.0)),
        || Ok(1.0 / put_over_pwrite(100, false, Putter::Batches)?),
    ));
    cases
}

fn reads() -> Vec<Case> {
    let mut cases: Vec<Case> = [16, 100, 1_000, 10_000]
        .map(|size| {
            let name = format!("read / pread, {size} bytes");
            Case::of_times(name, Some(Goal::AtMost(1.0)), move || read_over_pread(size))
        })
        .into();
    cases.push(Case::of_times(
        "put / read, 100 bytes",
        Some(Goal::AtLeast(7.0)),
        || put_over_read(100),
    ));
    cases
}

/// Who puts.
#[derive(Debug, Clone, Copy)]
enum Putter {
    Alone,
    Shared,
    Batches,
}

/// Blocks, and messages in each: small ones so that both sides see the same phase of the machine.
fn shape(size: usize) -> (usize, usize) {
    match size {
        0..=1_000 => (120, 4 * BATCH),
        _ => (60, BATCH),
    }
}

/// Puts until everything that is kept in memory has its size.
fn warm_up(size: usize) -> usize {
    let bytes = usize::try_from(Options::default().unsynced_bytes_max).unwrap_or(0);
    2 * bytes / (HEADER_BYTES + size)
}

fn options(syncs: bool) -> Options {
    Options {
        sync_every: if syncs {
            PUTS_PER_SYNC as u64
        } else {
            u64::MAX
        },
        ..Options::default()
    }
}

fn open(folder: &Path, options: Options) -> Result<DiskQueue, Failure> {
    let opened = DiskQueue::open(Arc::new(RealFs), folder, OsStr::new("queue"), options);
    Ok(opened.map_err(failed)?.queue)
}

fn put_over_pwrite(size: usize, syncs: bool, putter: Putter) -> Result<f64, Failure> {
    let folder = Folder::new()?;
    let mut bare = Bare::new(&folder, size, syncs)?;
    let mut queue = open(folder.path(), options(syncs))?;
    let (blocks, puts) = match (syncs, shape(size)) {
        (true, _) => (40, PUTS_PER_SYNC),
        (false, shape) => shape,
    };
    let message = vec![7; size];
    // The memory for what is not synced is there after as many bytes as it may have.
    for _ in 0..warm_up(size) {
        bare.put()?;
        queue.put(&message).map_err(failed)?;
    }
    let mut write = || (0..puts).try_for_each(|_| bare.put());
    let mut put: Box<dyn FnMut() -> Result<(), Failure>> = match putter {
        Putter::Alone => {
            Box::new(move || (0..puts).try_for_each(|_| queue.put(&message).map_err(failed)))
        }
        Putter::Shared => {
            let shared = SharedQueue::new(queue);
            Box::new(move || (0..puts).try_for_each(|_| shared.put(&message).map_err(failed)))
        }
        Putter::Batches => {
            let batch = vec![message; BATCH];
            Box::new(move || {
                (0..puts / BATCH).try_for_each(|_| queue.put_batch(&batch).map_err(failed))
            })
        }
    };
    times(blocks, put.as_mut(), &mut write)
}

/// A queue that holds so many messages, all of them durable.
fn filled(folder: &Folder, size: usize, messages: usize) -> Result<DiskQueue, Failure> {
    let mut queue = open(folder.path(), options(false))?;
    let batch = vec![vec![7; size]; BATCH];
    for _ in 0..messages.div_ceil(BATCH) {
        queue.put_batch(&batch).map_err(failed)?;
    }
    queue.close().map_err(failed)?;
    open(folder.path(), options(false))
}

fn read_some(queue: &mut DiskQueue, reads: usize) -> Result<(), Failure> {
    for _ in 0..reads {
        let message = queue.read_slice().map_err(failed)?;
        if message.is_none_or(|message| message.first() != Some(&7)) {
            return Err(failed("a message is missing"));
        }
    }
    Ok(())
}

fn read_over_pread(size: usize) -> Result<f64, Failure> {
    let folder = Folder::new()?;
    let (blocks, reads) = shape(size);
    let mut queue = filled(&folder, size, blocks * reads)?;
    // A file of its own: the one that is read second would find its bytes in the cache.
    let mut bare = Bare::new(&folder, size, false)?;
    (0..blocks * reads).try_for_each(|_| bare.put())?;
    let mut record = vec![0; HEADER_BYTES + size];
    let mut offset = 0;
    let mut pread = || {
        (0..reads).try_for_each(|_| {
            read_exact_at(bare.file.as_ref(), offset, &mut record).map_err(failed)?;
            offset += record.len() as u64;
            Ok(())
        })
    };
    times(blocks, &mut || read_some(&mut queue, reads), &mut pread)
}

fn put_over_read(size: usize) -> Result<f64, Failure> {
    let (folder, other) = (Folder::new()?, Folder::new()?);
    let (blocks, count) = shape(size);
    let mut full = filled(&folder, size, blocks * count)?;
    let mut queue = open(other.path(), options(false))?;
    let message = vec![7; size];
    let put: Block<'_> = &mut || (0..count).try_for_each(|_| queue.put(&message).map_err(failed));
    times(blocks, put, &mut || read_some(&mut full, count))
}

fn open_large() -> Result<f64, Failure> {
    let fill = |folder: &Path, message: &[u8], messages| {
        let mut queue = open(folder, options(false))?;
        for _ in 0..messages {
            queue.put(message).map_err(failed)?;
        }
        queue.close().map_err(failed)
    };
    open_over_stats(&fill, &|folder| open(folder, options(false)).map(drop))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_measures_something() {
        if !is_there() {
            return;
        }
        for putter in [Putter::Alone, Putter::Shared, Putter::Batches] {
            assert!(put_over_pwrite(16, false, putter).unwrap() > 0.0);
        }
        assert!(read_over_pread(16).unwrap() > 0.0);
        assert!(put_over_read(16).unwrap() > 0.0);
    }
}
