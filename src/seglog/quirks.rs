//! Quirks: known defects of the original, put back into this engine by name.
//!
//! Each is off by default and acts at one decision point; it shows that the gate finds this
//! defect alone, under the clause that the table names. `source` names its row in
//! `corpus/defects.md`.
//!
//! Not here, because one decision point cannot bring them back (the original's twin shows them):
//! - A depth that drifts: it is the difference of two positions, nowhere a counter.
//! - A reader that skips the rest of a batch for one bad record: sums tell records apart.
//! - 55, a flipped bit in a start meta or in a sidecar: the note's start counts and not theirs.
//!
//! Snapshots have no options and so no quirks: what a reader does wrong in reading, they share.

use super::quirk_list::QUIRKS;

/// One defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quirk {
    /// A durable flush does not sync the segment's bytes.
    NoDataSync,
    /// The directory is never synced.
    NoDirectorySync,
    /// Everything behind the durable end is trusted, after a power cut too.
    TrustTheTail,
    /// A failed sync of a segment is taken for a success.
    SyncErrorIgnored,
    /// Bytes of a failed sync are not written again.
    NoRewriteAfterFailedSync,
    /// A flush that could not write shows its end all the same, and says that it succeeded.
    FlushErrorIgnored,
    /// Readers are shown an end before the bytes up to it are written.
    ReadEndBeforeWrite,
    /// A log whose writer meta is damaged is taken for a new one, whatever the copy says.
    TornWriterMetaIsNew,
    /// The checksum of the writer meta is not checked.
    WriterMetaUnchecked,
    /// A put tells the virtual end behind it.
    PutTellsItsEnd,
    /// A cut of the log's end is acknowledged before the metas that say so are synced.
    CutNotDurable,
    /// What was put before a roll cannot be taken back.
    CutWithinSegment,
    /// The log's end is cut inside a message, or with a count that does not fit.
    CutOffBoundary,
    /// A refused cut flushes and moves the read end.
    RefusedCutFlushes,
    /// What an interrupted cut left behind the end is taken for messages.
    InterruptedCutFollowed,
    /// What stands behind the end is not cut off before more is put.
    TailNotCut,
    /// Growing the end takes any count.
    GrowTakesAnyCount,
    /// A new queue start empties the log first, and moves it then.
    NewStartInTwoSteps,
    /// Retention removes segments before the metas name the new start.
    CleanRemovesFirst,
    /// Retention removes segments while the metas that name the new start are not synced.
    StartNotDurable,
    /// Retention does not ask where the readers stand.
    CleanIgnoresReaders,
    /// Retention removes the segment that holds the bound.
    CleanCutsWithin,
    /// Retention leaves one segment.
    CleanTakesLastTwo,
    /// The sidecars of removed segments go with them.
    SidecarsNotKept,
    /// A sidecar that cannot be parsed is an error of retention.
    EmptySidecarBlocks,
    /// A reader knows of a cut only what the next end tells it.
    ReaderNeverLooks,
    /// What was read ahead is kept when the log was cut.
    ReadAheadKept,
    /// Messages that were not read can be confirmed.
    ConfirmTakesUnread,
    /// A reader's durable flush is not synced.
    ReaderFlushNotSynced,
    /// Where the log was cut is not written down for readers that are closed.
    CutsNotKept,
    /// A reader that was ahead of the end when the log was cut keeps its position.
    ReaderAheadKept,
    /// A position in a removed segment is not moved to the log's start.
    RemovedPositionKept,
    /// A skip that fails has moved the confirmed position.
    FailedSkipMoves,
    /// Skips and resets take a place inside a message.
    SkipOffBoundary,
    /// A reader whose meta is damaged counts as new and starts at the end.
    TornReaderMetaSkipsToEnd,
    /// The checksum of a reader meta is not checked.
    ReaderMetaUnchecked,
    /// A reader is known only when its position is saved the first time.
    FirstOpenNotKept,
    /// A batch of raw records takes any count.
    RawCountUnchecked,
    /// A reader says that it waits for more until it has read something.
    WaitingAfterOpen,
    /// The depth is counted from the read position.
    DepthFromRead,
    /// Sidecars stay when the log is moved.
    MoveLeavesSidecars,
    /// Opening for reading only settles what a crash left.
    LookWrites,
    /// Opening for reading only shows what is durable, and nothing behind it.
    LookShowsDurable,
    /// Emptying removes segments before the metas say so.
    EmptyRemovesFirst,
    /// Deleting leaves what was rolled back.
    DeleteLeavesFiles,
    /// Deleting removes the metas first and drops nothing before.
    DeleteRemovesMetasFirst,
    /// Messages beyond the limits are taken.
    SizeUnchecked,
    /// A refused put flushes and moves the read end.
    RefusedPutFlushes,
    /// Neither writer nor readers take a lock.
    NoLock,
}

/// A set of quirks; empty by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Quirks(u64);

impl Quirks {
    /// The set with this one added.
    #[must_use]
    pub const fn with(self, quirk: Quirk) -> Self {
        Self(self.0 | 1 << quirk as u64)
    }

    /// Whether it is switched on.
    #[must_use]
    pub const fn has(self, quirk: Quirk) -> bool {
        self.0 & 1 << quirk as u64 != 0
    }

    /// The set of the quirks with these names.
    ///
    /// # Errors
    /// The first name that is no quirk's.
    pub fn parse<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        names.into_iter().try_fold(Self::default(), |set, name| {
            QUIRKS
                .iter()
                .find(|info| info.name == name)
                .map(|info| set.with(info.quirk))
                .ok_or_else(|| name.to_owned())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_complete_and_in_order() {
        for (index, info) in QUIRKS.iter().enumerate() {
            assert_eq!(info.quirk as usize, index, "{}", info.name);
            let set = Quirks::parse([info.name]).unwrap();
            for other in QUIRKS {
                assert_eq!(set.has(other.quirk), other.quirk == info.quirk);
            }
        }
        assert_eq!(QUIRKS.len(), Quirk::NoLock as usize + 1);
        assert_eq!(Quirks::parse(["no-such"]), Err("no-such".to_owned()));
    }
}
