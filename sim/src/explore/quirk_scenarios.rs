//! Scenarios that show one planted defect each: a check with the defect takes its scenario first,
//! since chance may meet it late.

use super::corpus_files::corpus_files;
use crate::scenario::Scenario;

/// Name and text of every file in `corpus/quirks`.
const TEXTS: &[(&str, &str)] = corpus_files!("quirks":
    "flushed"
    "unsynced-tail"
    "failed-sync-and-another"
    "failed-write"
    "cut"
    "cut-over-segments"
    "grown"
    "new-start"
    "retention"
    "retention-within"
    "retention-of-a-reader"
    "cut-beside-a-reader"
    "cut-and-read-again"
    "cut-below-a-closed-reader"
    "confirms"
    "reader-flushed"
    "reader-opened-first"
    "emptied-below-a-reader"
    "skip-off-a-border"
    "batch"
    "moved"
    "emptied"
    "deleted"
    "sizes"
    "beside"
    "names"
    "store-read-fails"
    "store-two-queues"
    "store-strange-name"
    "store-failed-sync"
    "store-failed-write"
    "torn-writer-meta"
    "flipped-writer-meta"
    "flipped-sidecar"
    "longer-reader-meta"
    "flipped-reader-meta"
);

/// Each quirk that has a scenario, and its name.
const SHOWN: &[(&str, &str)] = &[
    ("segment-not-synced", "flushed"),
    ("names-not-synced", "names"),
    ("tail-trusted", "unsynced-tail"),
    ("failed-sync-ignored", "failed-sync-and-another"),
    ("failed-sync-not-rewritten", "failed-sync-and-another"),
    ("flush-error-ignored", "failed-write"),
    ("read-end-before-write", "flushed"),
    ("put-tells-its-end", "flushed"),
    ("cut-not-durable", "cut"),
    ("cut-within-segment", "cut-over-segments"),
    ("cut-off-boundary", "cut"),
    ("refused-cut-flushes", "cut"),
    ("interrupted-cut-followed", "cut-over-segments"),
    ("tail-not-cut", "cut"),
    ("grow-takes-any-count", "grown"),
    ("new-start-in-two-steps", "new-start"),
    ("clean-removes-first", "retention"),
    ("start-not-durable", "retention"),
    ("clean-ignores-readers", "retention-of-a-reader"),
    ("clean-cuts-within", "retention-within"),
    ("clean-takes-last-two", "retention"),
    ("sidecars-not-kept", "retention"),
    ("reader-never-looks", "cut-beside-a-reader"),
    ("read-ahead-kept", "cut-and-read-again"),
    ("confirm-takes-unread", "confirms"),
    ("reader-flush-not-synced", "reader-flushed"),
    ("cuts-not-kept", "cut-below-a-closed-reader"),
    ("reader-ahead-kept", "cut-below-a-closed-reader"),
    ("removed-position-kept", "emptied-below-a-reader"),
    ("failed-skip-moves", "skip-off-a-border"),
    ("skip-off-boundary", "skip-off-a-border"),
    ("first-open-not-kept", "reader-opened-first"),
    ("raw-count-unchecked", "batch"),
    ("waiting-after-open", "confirms"),
    ("depth-from-read", "confirms"),
    ("move-leaves-sidecars", "moved"),
    ("look-writes", "flushed"),
    ("look-shows-durable", "flushed"),
    ("emptying-removes-first", "emptied"),
    ("delete-leaves-files", "deleted"),
    ("delete-removes-metas-first", "deleted"),
    ("size-unchecked", "sizes"),
    ("refused-put-flushes", "sizes"),
    ("log-not-locked", "beside"),
    ("error-is-absent", "store-read-fails"),
    ("persist-one-by-one", "store-two-queues"),
    ("not-ascii-is-absent", "store-strange-name"),
    ("sync-error-ignored", "store-failed-sync"),
    ("temporary-left", "store-failed-write"),
    ("torn-writer-meta-is-new", "torn-writer-meta"),
    ("writer-meta-unchecked", "flipped-writer-meta"),
    ("empty-sidecar-blocks", "flipped-sidecar"),
    ("torn-reader-meta-skips-to-end", "longer-reader-meta"),
    ("reader-meta-unchecked", "flipped-reader-meta"),
];

/// The scenario that shows a quirk, without the quirk; nothing where chance is quick enough.
///
/// # Panics
/// If a file of the corpus is no scenario, which a test excludes.
#[must_use]
pub fn scenario_of_quirk(quirk: &str) -> Option<Scenario> {
    let (_, name) = SHOWN.iter().find(|(one, _)| *one == quirk)?;
    let (_, text) = TEXTS.iter().find(|(one, _)| one == name)?;
    Some(Scenario::parse(text).expect("the corpus holds scenarios"))
}

#[cfg(test)]
mod tests {
    use super::super::corpus_files::unlisted;
    use super::*;

    #[test]
    fn all_files_are_listed_and_show_something() {
        assert_eq!(unlisted("quirks", TEXTS), Vec::<String>::new());
        for (name, _) in TEXTS {
            assert!(SHOWN.iter().any(|(_, shown)| shown == name), "{name}");
        }
        for (quirk, name) in SHOWN {
            assert!(scenario_of_quirk(quirk).is_some(), "{quirk}: {name}");
        }
    }
}
