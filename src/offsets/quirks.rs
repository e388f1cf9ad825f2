//! Quirks: known defects of the originals and of their siblings, put back into this engine by name.
//!
//! Each is off by default and acts at one decision point; it shows that the gate finds this
//! defect alone, under the clause that the table names. `source` names its row in
//! `corpus/defects.md`.
//!
//! Not here, because one decision point cannot bring them back:
//! - 29, an identity that differs after each start: the caller chooses the parts of the path.
//! - 31, descriptors that stay open after an error: a handle is closed when it is dropped.
//! - 41, the table's order is random: the engine knows no chance; a table in use by two threads:
//!   every operation needs the store alone.

use super::quirk_list::QUIRKS;

/// One defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quirk {
    /// The new file is not synced before it is renamed.
    NoFileSync,
    /// No directory is ever synced.
    NoDirectorySync,
    /// The directories that hold the store's own are not synced.
    ParentsNotSynced,
    /// The old file is removed before the new one is renamed.
    RemoveBeforeRename,
    /// What is persisted is written queue by queue.
    PersistOneByOne,
    /// Where there is no file, backup and temporary file are not looked at.
    AbsentMainIsNew,
    /// A file that cannot be parsed is an empty table.
    DamageIsEmpty,
    /// A damaged file is not kept aside.
    DamageNotKept,
    /// The backup is created empty.
    BackupEmpty,
    /// The backup is looked for under the file, as if that were a directory.
    BackupWrongPath,
    /// Whatever the file holds becomes the backup.
    BackupUnchecked,
    /// A persist that failed says that it did not.
    PersistErrorLost,
    /// With file and backup damaged nothing is persisted any more.
    PersistGivesUp,
    /// Of the file's other queues nothing is kept.
    PersistDropsOthers,
    /// The whole table is written, whatever queues are given.
    PersistWritesAll,
    /// The first file needs an older one that can be renamed to the backup.
    FirstPersistFails,
    /// An update that may only increase sets the offset.
    IncreaseOnlyIgnored,
    /// Where the table has no offset, the store is not asked.
    StoreNeverRead,
    /// Reading from the store takes over all of its queues.
    StoreReadMergesAll,
    /// Reading from the store replaces the table.
    StoreReadReplacesAll,
    /// Reading from the store lowers the table's offset.
    StoreReadLowers,
    /// A read that failed says that there is no offset.
    ErrorIsAbsent,
    /// A temporary file is never removed.
    TemporaryLeft,
    /// A whole file with a letter beyond ASCII counts as absent.
    NotAsciiIsAbsent,
    /// The note's checksum is not checked.
    NoteUnchecked,
    /// A failed sync is taken for a success.
    SyncErrorIgnored,
    /// Parts of the path are not checked.
    PathUnchecked,
    /// Removing a queue does nothing.
    RemoveDoesNothing,
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
