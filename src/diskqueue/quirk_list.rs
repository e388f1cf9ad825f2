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
        Quirk::NoDataSync,
        "no-data-sync",
        "Q3",
        "A (fsync results ignored)",
        "the segment is not synced before the meta names its bytes",
    ),
    info(
        Quirk::NoDirectorySync,
        "no-directory-sync",
        "Q3",
        "A (no directory fsync)",
        "the directory is never synced",
    ),
    info(
        Quirk::MetaHalfParsed,
        "meta-half-parsed",
        "C7",
        "1 A-torn-meta-half-parsed",
        "a meta that cannot be parsed is believed as far as it could be",
    ),
    info(
        Quirk::MetaUnchecked,
        "meta-unchecked",
        "C7",
        "22 B-reader-ahead-of-writer (A)",
        "neither the note's checksum nor the order of the positions is checked",
    ),
    info(
        Quirk::StaleMetaOverwritesTail,
        "stale-meta-overwrites-tail",
        "Q2",
        "3 A-stale-meta-overwrites-tail",
        "the writer goes on at the meta's position whatever the segment holds behind it",
    ),
    info(
        Quirk::BadOnRollAtTail,
        "bad-on-roll-at-tail",
        "Q8",
        "6 A-spurious-bad-on-roll-at-tail",
        "a segment that was read to its end before it was sealed is quarantined",
    ),
    info(
        Quirk::ExactFillIsBad,
        "exact-fill-is-bad",
        "Q8",
        "30 A-exact-fill",
        "a segment that the messages fill exactly is quarantined",
    ),
    info(
        Quirk::HoleReadAsEmpty,
        "hole-read-as-empty",
        "Q1",
        "13 A-length-not-validated / hole",
        "zeros behind the durable point are read as empty messages",
    ),
    info(
        Quirk::TrustTheTail,
        "trust-the-tail",
        "Q1",
        "A (no checksums)",
        "everything behind the durable point is trusted, after a power cut too",
    ),
    info(
        Quirk::UnlinkBeforeMeta,
        "unlink-before-meta",
        "Q8",
        "24 A-unlink-before-meta",
        "finished segments are removed before the meta that says so",
    ),
    info(
        Quirk::DepthIsACounter,
        "depth-is-a-counter",
        "Q5",
        "25 A-depth-drifts-after-damage",
        "the depth is what the meta says, whatever the segments hold",
    ),
    info(
        Quirk::OpenErrorIsCorruption,
        "open-error-is-corruption",
        "C12",
        "26 A-transient-open-error-is-corruption",
        "a segment that cannot be opened is quarantined",
    ),
    info(
        Quirk::LostMetaRestartsAtZero,
        "lost-meta-restarts-at-zero",
        "C7",
        "27 meta-lost-then-segment-zero-overwritten",
        "without a meta the queue starts at segment 0, whatever there is",
    ),
    info(
        Quirk::TemporaryLeak,
        "temporary-leak",
        "C8",
        "32 A-tmp-leak-and-health-while-disk-full",
        "what a failed replace of the meta leaves is not removed",
    ),
    info(
        Quirk::ReadsNeverSynced,
        "reads-never-synced",
        "Q11",
        "35 A-reads-alone-never-synced",
        "reads do not count towards the next sync",
    ),
    info(
        Quirk::LimitsOnStored,
        "limits-on-stored",
        "Q9",
        "13 A-length-not-validated / hole",
        "the limits for puts are applied to stored messages",
    ),
    info(
        Quirk::SyncErrorIgnored,
        "sync-error-ignored",
        "C5",
        "A (fsync results ignored)",
        "a failed sync of a segment is taken for a success",
    ),
    info(
        Quirk::NoRewriteAfterFailedSync,
        "no-rewrite-after-failed-sync",
        "C5",
        "A (fsync results ignored)",
        "bytes of a failed sync are not written again",
    ),
    info(
        Quirk::FailedPutNotCut,
        "failed-put-not-cut",
        "C4",
        "4 B-enospc-flush-acked-then-hole (A)",
        "what a failed put left behind the write position is not cut",
    ),
    info(
        Quirk::OwedSyncLater,
        "owed-sync-later",
        "Q11",
        "A (sync in the next turn of the loop)",
        "a put that owes a sync returns before it is done",
    ),
    info(
        Quirk::OwedErrorLost,
        "owed-error-lost",
        "C5",
        "32 A-tmp-leak-and-health-while-disk-full",
        "the error of an owed sync reaches nobody",
    ),
    info(
        Quirk::EmptyRemovesFirst,
        "empty-removes-first",
        "Q7",
        "24 A-unlink-before-meta",
        "emptying removes the segments before the meta says so",
    ),
    info(
        Quirk::DeleteRemovesMetaFirst,
        "delete-removes-meta-first",
        "Q12",
        "24 A-unlink-before-meta",
        "deleting removes the meta first",
    ),
    info(
        Quirk::BadReplacesBad,
        "bad-replaces-bad",
        "C8",
        "A (rename to .bad replaces)",
        "a quarantined file replaces an older one",
    ),
    info(
        Quirk::NoLock,
        "no-lock",
        "C10",
        "A (no lock)",
        "no lock is taken",
    ),
];
