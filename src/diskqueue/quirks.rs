//! Quirks: known defects of the original, put back into this engine by name.
//!
//! Each is off by default and acts at one decision point; it shows that the gate finds this
//! defect alone, under the clause that the table names. `source` names its row in
//! `corpus/defects.md`.
//!
//! Not here, because one decision point cannot bring them back (the original's twin shows them):
//! - 25, depth forced to zero only at the tail: the depth here is never corrected at the tail, so
//!   there is no place that could do it too late.
//! - 30, a reader that ends a segment by the size limit: here a segment ends where its file ends,
//!   and the limit is not known to the reader. What is shown is the consequence, in
//!   [`Quirk::ExactFillIsBad`].
//! - 41, the data directory as a format string: paths are made by joining bytes, nowhere by
//!   formatting.
//! - The read-ahead of one message: it needs a second read position that everything must mind.
//! - A log position behind the read position after a stale copy came back (22): a meta is one
//!   file, so both positions are of one moment; [`Quirk::MetaUnchecked`] shows damage doing it.

use super::quirk_list::QUIRKS;

/// One defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quirk {
    /// The segment is not synced before the meta names its bytes.
    NoDataSync,
    /// The directory is never synced.
    NoDirectorySync,
    /// A meta that cannot be parsed is believed as far as it could be.
    MetaHalfParsed,
    /// The checksum of the note and the order of the positions are not checked.
    MetaUnchecked,
    /// The writer goes on at the meta's position whatever the segment holds behind it.
    StaleMetaOverwritesTail,
    /// A segment that was read to its end before it was sealed is quarantined.
    BadOnRollAtTail,
    /// A segment that the messages fill exactly is quarantined.
    ExactFillIsBad,
    /// Zeros behind the durable point are read as empty messages.
    HoleReadAsEmpty,
    /// Everything behind the durable point is trusted, after a power cut too.
    TrustTheTail,
    /// Finished segments are removed before the meta that says so.
    UnlinkBeforeMeta,
    /// The depth is what the meta says, whatever the segments hold.
    DepthIsACounter,
    /// A segment that cannot be opened is quarantined.
    OpenErrorIsCorruption,
    /// Without a meta the queue starts at segment 0, whatever there is.
    LostMetaRestartsAtZero,
    /// The spare has another name each time, and what a failed replace leaves is not removed.
    TemporaryLeak,
    /// Reads do not count towards the next sync.
    ReadsNeverSynced,
    /// The limits for puts are applied to stored messages.
    LimitsOnStored,
    /// A failed sync of a segment is taken for a success.
    SyncErrorIgnored,
    /// Bytes of a failed sync are not written again.
    NoRewriteAfterFailedSync,
    /// What a failed put left behind the write position is not cut.
    FailedPutNotCut,
    /// A put that owes a sync returns before it is done.
    OwedSyncLater,
    /// The error of an owed sync reaches nobody.
    OwedErrorLost,
    /// Emptying removes the segments before the meta says so.
    EmptyRemovesFirst,
    /// Deleting removes the meta first.
    DeleteRemovesMetaFirst,
    /// A quarantined file replaces an older one.
    BadReplacesBad,
    /// No lock is taken.
    NoLock,
}

/// A set of quirks; empty by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Quirks(u32);

impl Quirks {
    /// The set with this one added.
    #[must_use]
    pub const fn with(self, quirk: Quirk) -> Self {
        Self(self.0 | 1 << quirk as u32)
    }

    /// Whether it is switched on.
    #[must_use]
    pub const fn has(self, quirk: Quirk) -> bool {
        self.0 & 1 << quirk as u32 != 0
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
