//! Every quirk of the log breaks its clause in a scenario of its own, and without it the scenario
//! breaks nothing there.

use crate::explore::find_break;
use crate::scenario::{Clause, Scenario};
use crashline::seglog::QUIRKS;

macro_rules! scenarios {
    ($($name:literal)*) => {
        /// Name and text of every file in `corpus/quirks`.
        const TEXTS: &[(&str, &str)] = &[$((
            $name,
            include_str!(concat!("../../../../corpus/quirks/", $name, ".json")),
        )),*];
    };
}

scenarios! {
    "flushed"
    "unsynced-tail"
    "failed-sync"
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
}

/// Each quirk that crashes and errors show, and the scenario that shows it.
const SHOWN: &[(&str, &str)] = &[
    ("segment-not-synced", "flushed"),
    ("names-not-synced", "flushed"),
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
];

/// These take damage to be shown: no crash tears a sector.
const BY_DAMAGE: &[&str] = &[
    "torn-writer-meta-is-new",
    "writer-meta-unchecked",
    "empty-sidecar-blocks",
    "torn-reader-meta-skips-to-end",
    "reader-meta-unchecked",
];

fn scenario(name: &str) -> Scenario {
    let text = TEXTS.iter().find(|(one, _)| *one == name);
    let (_, text) = text.expect("the corpus has it");
    Scenario::parse(text).expect("the corpus holds scenarios")
}

fn breaks(scenario: &Scenario, clause: Clause) -> bool {
    let found = find_break(scenario, clause, true, false);
    found.expect("it can be run").is_some()
}

#[test]
fn every_quirk_is_shown() {
    let mut shown = Vec::new();
    for info in QUIRKS {
        let Some((_, name)) = SHOWN.iter().find(|(quirk, _)| *quirk == info.name) else {
            assert!(BY_DAMAGE.contains(&info.name), "{}", info.name);
            continue;
        };
        let clause: Clause = info.clause.parse().expect("the list names clauses");
        let right = scenario(name);
        let mut broken = right.clone();
        broken.quirks = vec![info.name.to_owned()];
        assert!(breaks(&broken, clause), "{} in {name}", info.name);
        if !shown.contains(&(*name, clause)) {
            assert!(!breaks(&right, clause), "{clause} in {name}");
            shown.push((*name, clause));
        }
    }
    assert_eq!(QUIRKS.len(), SHOWN.len() + BY_DAMAGE.len());
}
