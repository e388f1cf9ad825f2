//! Scenarios of defects that were met before: every check runs them first.

use super::corpus_files::corpus_files;
use crate::scenario::Scenario;

/// Name and text of every file in `corpus/regressions`.
const TEXTS: &[(&str, &str)] = corpus_files!("regressions":
    "empty-message-behind-an-older-meta"
    "empty-message-that-nothing-tells-of"
    "empty-messages-and-no-meta"
    "failed-batch-leaves-a-record"
    "killed-while-cutting-the-tail"
    "limits-of-an-open-that-failed"
    "log-closed-in-a-full-segment"
    "log-confirm-of-a-negative-count"
    "log-copy-left-by-a-move"
    "log-cut-over-segments"
    "log-deleted-in-part"
    "log-deleted-twice"
    "log-deleted-with-what-was-rolled-back"
    "log-grown-to-its-end"
    "log-growth-of-nothing-on-a-full-disk"
    "log-last-count"
    "log-last-offset"
    "log-meta-cut-behind-its-text"
    "log-move-past-a-directory"
    "log-moved-in-part"
    "log-moved-with-two-names"
    "log-new-start-that-failed"
    "log-new-start-without-cuts"
    "log-older-cuts-after-growth"
    "log-older-segment-after-a-kill"
    "log-older-sums-from-before-a-cut"
    "log-put-behind-a-cut-at-a-full-segment"
    "log-put-behind-a-failed-move"
    "log-put-behind-a-failed-roll"
    "log-reader-flush-after-a-kill"
    "log-reader-of-a-moved-log"
    "log-reset-of-nothing-on-a-full-disk"
    "log-rollback-of-nothing-on-a-full-disk"
    "log-start-behind-a-longer-segment"
    "log-start-behind-a-shorter-segment"
    "log-start-taken-back"
    "log-that-nobody-can-look-at"
    "log-torn-meta-of-an-open"
    "log-torn-meta-of-a-reader"
    "longer-reader-meta-kept-whole"
    "longer-writer-meta-kept-whole"
    "meta-names-another-place"
    "misplaced-writes-keep-the-depth"
    "missing-segment-without-a-meta"
    "no-descriptor-to-read-with"
    "nothing-left-that-tells"
    "older-meta-of-removed-segments"
    "only-sums-are-left"
    "original-exact-fill"
    "original-full-disk-hides-everything"
    "original-limit-lowered"
    "original-older-meta"
    "owed-sync-fails-unseen"
    "planted-sums-of-no-file"
    "read-after-a-failed-empty"
    "read-again-after-a-roll"
    "reverted-sums-in-an-unknown-boot"
    "segment-cut-before-its-record-ends"
    "short-segment-with-a-changed-body"
    "sums-that-recovery-only-saw"
    "sync-after-a-failed-one"
    "two-names-of-one-meta"
    "wrong-depth-in-the-meta"
    "zeros-behind-a-seal-before-a-gap"
    "zeros-behind-a-sealed-segment"
);

/// The scenarios, by name.
///
/// # Panics
/// If a file of the corpus is no scenario, which a test excludes.
#[must_use]
pub fn regressions() -> Vec<(&'static str, Scenario)> {
    let parsed = |text| Scenario::parse(text).expect("the corpus holds scenarios");
    TEXTS
        .iter()
        .map(|(name, text)| (*name, parsed(text)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::corpus_files::unlisted;
    use super::*;
    use crate::explore::{Verdict, find_break, replay};
    use crate::scenario::Clause;

    #[test]
    fn all_files_are_listed() {
        assert_eq!(unlisted("regressions", TEXTS), Vec::<String>::new());
    }

    #[test]
    fn none_comes_back() {
        let originals = |(_, scenario): &(&str, Scenario)| scenario.engine.starts_with("original-");
        for (name, scenario) in regressions().into_iter().filter(|one| !originals(one)) {
            let replayed = replay(&scenario).unwrap();
            assert_eq!(
                replayed.verdict,
                Verdict::Pass,
                "{name}: {:?}",
                replayed.found
            );
        }
    }

    #[test]
    fn the_defects_that_chance_seldom_meets_are_shown() {
        for (name, quirk, clause) in [
            (
                "failed-batch-leaves-a-record",
                "failed-put-not-cut",
                Clause::C4,
            ),
            ("owed-sync-fails-unseen", "owed-error-lost", Clause::C5),
            (
                "sync-after-a-failed-one",
                "no-rewrite-after-failed-sync",
                Clause::C5,
            ),
            (
                "no-descriptor-to-read-with",
                "open-error-is-corruption",
                Clause::C12,
            ),
            ("meta-names-another-place", "meta-unchecked", Clause::C7),
        ] {
            let all = regressions();
            let (_, scenario) = all.iter().find(|(one, _)| *one == name).unwrap();
            let mut broken = scenario.clone();
            broken.quirks = vec![quirk.to_owned()];
            let found = find_break(&broken, clause, true, false).unwrap();
            assert!(found.is_some(), "{name} with {quirk} breaks {clause}");
        }
    }
}
