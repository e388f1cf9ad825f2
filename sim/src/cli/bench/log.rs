//! What the segmented log costs beside a plain buffer, in memory: ratios of medians of interleaved
//! blocks, whose goals hold on any machine.

use super::super::failure::Failure;
use super::bare::{Buffered, PUTS_PER_SYNC};
use super::case::{Case, Goal, Suite};
use super::opening::open_over_stats;
use super::tmpfs::{Folder, failed, interleaved, is_there, medians, seconds};
use crashline::fs::RealFs;
use crashline::seglog::{Confirm, LogOptions, LogReader, LogWriter};
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

const SIZE: usize = 100;
/// Blocks of puts between two flushes.
const BLOCKS: usize = 320;
/// Reads in a block.
const READS: usize = 10_000;
/// Reads a second that are enough where a bare scan is more than twice as fast.
const READS_ENOUGH: f64 = 2_000_000.0;

/// All cases; none where there is no filesystem in memory.
pub(super) fn suite() -> Suite {
    let mut suite = Suite::default();
    if is_there() {
        let at_most = |most| Some(Goal::AtMost(most));
        suite.cases = vec![
            Case::of_times(
                "log: put / BufWriter, 100 bytes, between flushes",
                at_most(1.5),
                || put_over_buffered(false),
            ),
            Case::of_times(
                "log: put / BufWriter, 100 bytes, a flush every 2,500",
                None,
                || put_over_buffered(true),
            ),
            Case::new("log: read and confirm, 100 bytes", "messages/s", || {
                let [read, _] = read_and_scan(READS)?;
                Ok(rate(READS, read))
            }),
            Case::of_times(
                "log: read and confirm / half a scan or 2,000,000",
                Some(Goal::AtLeast(1.0)),
                || read_over_goal(READS),
            ),
            Case::of_times(
                "log: open 1 GiB / open 1 MiB and stats",
                at_most(1.2),
                open_large,
            ),
        ];
    }
    suite
}

fn open(folder: &Path) -> Result<LogWriter, Failure> {
    let options = LogOptions::default();
    let opened = LogWriter::open(Arc::new(RealFs), folder, OsStr::new("log"), options);
    Ok(opened.map_err(failed)?.writer)
}

/// The time of puts divided by that of a buffer's, both flushed after 2,500: with the flushes or
/// without them.
fn put_over_buffered(is_with_flushes: bool) -> Result<f64, Failure> {
    let folder = Folder::new()?;
    let mut writer = open(folder.path())?;
    let mut buffered = Buffered::new(&folder, SIZE)?;
    let message = [7; SIZE];
    let mut puts = || {
        let mut puts = 0..PUTS_PER_SYNC;
        let puts =
            seconds(&mut || puts.try_for_each(|_| writer.put(&message).map(drop).map_err(failed)))?;
        let flush = seconds(&mut || writer.flush(true).map_err(failed))?;
        Ok(if is_with_flushes { puts + flush } else { puts })
    };
    let mut writes = || {
        let mut puts = 0..PUTS_PER_SYNC;
        let puts = seconds(&mut || puts.try_for_each(|_| buffered.put()))?;
        let flush = seconds(&mut || buffered.sync())?;
        Ok(if is_with_flushes { puts + flush } else { puts })
    };
    let [put, write] = interleaved(BLOCKS, &mut puts, &mut writes)?;
    Ok(put / write)
}

/// Seconds that so many reads, each confirmed, and a bare scan of as many messages take.
fn read_and_scan(reads: usize) -> Result<[f64; 2], Failure> {
    const BLOCKS: usize = 30;
    let folder = Folder::new()?;
    let mut writer = open(folder.path())?;
    let mut buffered = Buffered::new(&folder, SIZE)?;
    let mut reader = reader_of(&folder, &writer)?;
    for _ in 0..BLOCKS * reads {
        writer.put(&[7; SIZE]).map_err(failed)?;
        buffered.put()?;
    }
    writer.flush(true).map_err(failed)?;
    let told = reader.update_queue_end(writer.read_end(), false);
    told.map_err(failed)?;
    let mut scan = buffered.scan()?;
    let mut read = || {
        for _ in 0..reads {
            let message = reader.try_read_one().map_err(failed)?;
            if message.is_none_or(|message| message.bytes.first() != Some(&7)) {
                return Err(failed("a message is missing"));
            }
            reader.confirm_read(Confirm::AllRead).map_err(failed)?;
        }
        Ok(())
    };
    let mut pass = || {
        for _ in 0..reads {
            if scan.read()?.first() != Some(&7) {
                return Err(failed("a message is missing"));
            }
        }
        Ok(())
    };
    medians(BLOCKS, &mut read, &mut pass)
}

/// A reader in the writer's process, which is told of cuts.
fn reader_of(folder: &Folder, writer: &LogWriter) -> Result<LogReader, Failure> {
    let (log, name) = (OsStr::new("log"), OsStr::new("reader"));
    let (options, end) = (LogOptions::default(), writer.read_end());
    let opened = LogReader::open(Arc::new(RealFs), folder.path(), log, name, options, end);
    let mut reader = opened.map_err(failed)?.reader;
    reader.follow(&writer.changes());
    Ok(reader)
}

#[expect(clippy::cast_precision_loss, reason = "a rate needs few digits")]
fn rate(count: usize, seconds: f64) -> f64 {
    count as f64 / seconds
}

/// How often the rate of reading is what it has to be: half that of a scan, or enough.
fn read_over_goal(reads: usize) -> Result<f64, Failure> {
    let [read, scan] = read_and_scan(reads)?;
    Ok(rate(reads, read) / (rate(reads, scan) / 2.0).min(READS_ENOUGH))
}

fn open_large() -> Result<f64, Failure> {
    let fill = |folder: &Path, message: &[u8], messages| {
        let mut writer = open(folder)?;
        for _ in 0..messages {
            writer.put(message).map_err(failed)?;
        }
        writer.close().map_err(failed)
    };
    open_over_stats(&fill, &|folder| open(folder).map(drop))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_measures_something() {
        if !is_there() {
            return;
        }
        assert!(put_over_buffered(true).unwrap() > 0.0);
        assert!(read_over_goal(10).unwrap() > 0.0);
    }
}
