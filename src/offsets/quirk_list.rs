//! The quirks by name: what each breaks, where it comes from, what it does.

use super::quirks::Quirk;

/// What `list quirks` shows of a quirk.
#[derive(Debug, Clone, Copy)]
pub struct QuirkInfo {
    /// The quirk.
    pub quirk: Quirk,
    /// The name that switches it on.
    pub name: &'static str,
    /// The clause that it breaks.
    pub clause: &'static str,
    /// The report that it comes from: its row in `corpus/defects.md`.
    pub source: &'static str,
    /// What it does.
    pub text: &'static str,
}

const fn info(
    quirk: Quirk,
    name: &'static str,
    clause: &'static str,
    source: &'static str,
    text: &'static str,
) -> QuirkInfo {
    QuirkInfo {
        quirk,
        name,
        clause,
        source,
        text,
    }
}

/// All quirks, in the order of [`Quirk`].
pub const QUIRKS: &[QuirkInfo] = &[
    info(
        Quirk::NoFileSync,
        "no-file-sync",
        "O1",
        "9 C-remove-before-rename",
        "the new file is not synced before it is renamed",
    ),
    info(
        Quirk::NoDirectorySync,
        "no-directory-sync",
        "O1",
        "9 C-remove-before-rename",
        "no directory is ever synced",
    ),
    info(
        Quirk::ParentsNotSynced,
        "parents-not-synced",
        "O1",
        "C (no directory fsync)",
        "the directories that hold the store's own are not synced",
    ),
    info(
        Quirk::RemoveBeforeRename,
        "remove-before-rename",
        "C7",
        "9 C-remove-before-rename",
        "the old file is removed before the new one is renamed",
    ),
    info(
        Quirk::PersistOneByOne,
        "persist-one-by-one",
        "O2",
        "made up",
        "what is persisted is written queue by queue, in a file each time",
    ),
    info(
        Quirk::AbsentMainIsNew,
        "absent-main-is-new",
        "O5",
        "9 C-remove-before-rename",
        "without a file neither backup nor temporary file is looked at",
    ),
    info(
        Quirk::DamageIsEmpty,
        "damage-is-empty",
        "O5",
        "10 C-bad-json-means-empty-then-wipes",
        "a file that cannot be parsed is an empty table",
    ),
    info(
        Quirk::DamageNotKept,
        "damage-not-kept",
        "O5",
        "10 C-bad-json-means-empty-then-wipes",
        "a damaged file is not kept aside",
    ),
    info(
        Quirk::BackupEmpty,
        "backup-empty",
        "O5",
        "11 C-backup-always-empty-and-wrong-path",
        "the backup is created empty",
    ),
    info(
        Quirk::BackupWrongPath,
        "backup-wrong-path",
        "O5",
        "11 C-backup-always-empty-and-wrong-path",
        "the backup is looked for under the file",
    ),
    info(
        Quirk::BackupUnchecked,
        "backup-unchecked",
        "O5",
        "11 C-backup-always-empty-and-wrong-path",
        "whatever the file holds becomes the backup",
    ),
    info(
        Quirk::PersistErrorLost,
        "persist-error-lost",
        "O1",
        "31 C-write-failure-leaks-and-swallows",
        "a persist that failed says that it did not",
    ),
    info(
        Quirk::PersistGivesUp,
        "persist-gives-up",
        "O5",
        "36 C-java-persist-gives-up",
        "with file and backup damaged nothing is persisted any more",
    ),
    info(
        Quirk::PersistDropsOthers,
        "persist-drops-others",
        "O7",
        "38 C-cpp-first-persist-and-order",
        "of the file's other queues nothing is kept",
    ),
    info(
        Quirk::PersistWritesAll,
        "persist-writes-all",
        "O7",
        "36 C-java-persist-gives-up",
        "the whole table is written, whatever queues are given",
    ),
    info(
        Quirk::FirstPersistFails,
        "first-persist-fails",
        "C12",
        "38 C-cpp-first-persist-and-order",
        "the first file needs an older one to become the backup",
    ),
    info(
        Quirk::IncreaseOnlyIgnored,
        "increase-only-ignored",
        "O3",
        "38 C-cpp-first-persist-and-order",
        "an update that may only increase sets the offset",
    ),
    info(
        Quirk::StoreNeverRead,
        "store-never-read",
        "O4",
        "38 C-cpp-first-persist-and-order",
        "where the table has no offset, the store is not asked",
    ),
    info(
        Quirk::StoreReadMergesAll,
        "store-read-merges-all",
        "O4",
        "C (Go at 2173d07)",
        "reading from the store takes over all of its queues",
    ),
    info(
        Quirk::StoreReadReplacesAll,
        "store-read-replaces-all",
        "O4",
        "C (the seed's version)",
        "reading from the store replaces the table",
    ),
    info(
        Quirk::StoreReadLowers,
        "store-read-lowers",
        "O4",
        "C (Java)",
        "reading from the store lowers the table's offset",
    ),
    info(
        Quirk::ErrorIsAbsent,
        "error-is-absent",
        "O4",
        "39 C-failed-read-becomes-offset-zero",
        "a read that failed says that there is no offset",
    ),
    info(
        Quirk::TemporaryLeft,
        "temporary-left",
        "C8",
        "31 C-write-failure-leaks-and-swallows",
        "a temporary file is never removed",
    ),
    info(
        Quirk::NotAsciiIsAbsent,
        "not-ascii-is-absent",
        "O6",
        "41 C-concurrent-table-and-text-pitfalls",
        "a whole file with a letter beyond ASCII counts as absent",
    ),
    info(
        Quirk::NoteUnchecked,
        "note-unchecked",
        "O5",
        "10 C-bad-json-means-empty-then-wipes",
        "the note's checksum is not checked",
    ),
    info(
        Quirk::SyncErrorIgnored,
        "sync-error-ignored",
        "C5",
        "31 C-write-failure-leaks-and-swallows",
        "a failed sync is taken for a success",
    ),
    info(
        Quirk::PathUnchecked,
        "path-unchecked",
        "C9",
        "29 C-clientid-is-the-directory",
        "parts of the path are not checked",
    ),
    info(
        Quirk::RemoveDoesNothing,
        "remove-does-nothing",
        "O7",
        "36 C-java-persist-gives-up",
        "removing a queue does nothing",
    ),
    info(
        Quirk::NoLock,
        "no-lock",
        "C10",
        "41 C-concurrent-table-and-text-pitfalls",
        "no lock is taken",
    ),
];
