//! What is tried once beside a run: a second opener (C10), and a path that leads out of the root
//! (C9).

use super::program::OffsetCase;
use crate::explore::record::empty_disk;
use crate::explore::session::DIRECTORY;
use crate::oracle::Violation;
use crate::scenario::{Clause, FailureKind, OffsetOp, OffsetOptions, OffsetOutcome};
use crate::simfs::SimFs;
use crate::subject::OffsetRequest;
use crashline::fs::Fs;
use std::path::Path;
use std::sync::Arc;

/// What is wrong, after the store on `sim` was opened for writing.
pub(super) fn wrong_manners(case: &OffsetCase<'_>, sim: &SimFs) -> Vec<Violation> {
    let mut found = Vec::new();
    let second = open(case, sim.clone(), case.setup.options);
    let is_locked = |outcome: &OffsetOutcome| {
        let kind = outcome.result.as_ref().err().map(|failure| failure.kind);
        kind == Some(FailureKind::Locked)
    };
    if second.as_ref().is_some_and(|outcome| !is_locked(outcome)) {
        let words = "a second opener was not told that the store is open";
        found.push(broken(Clause::C10, words));
    }
    let outside = OffsetOptions {
        client: "..".to_owned(),
        ..case.setup.options.clone()
    };
    let Ok(other) = empty_disk() else {
        return found;
    };
    let left = open(case, other, &outside);
    if left.is_some_and(|outcome| outcome.result.is_ok()) {
        let words = "a client called `..` was taken for a directory";
        found.push(broken(Clause::C9, words));
    }
    found
}

/// Opens a store of its own; nothing where it could not be tried.
fn open(case: &OffsetCase<'_>, sim: SimFs, options: &OffsetOptions) -> Option<OffsetOutcome> {
    let fs: Arc<dyn Fs> = Arc::new(sim);
    let store = case.setup.subject.start(&OffsetRequest {
        fs: &fs,
        root: Path::new(DIRECTORY),
        options,
        quirks: case.setup.quirks,
    });
    Some(store.ok()?.apply(&OffsetOp::Open))
}

fn broken(clause: Clause, words: &str) -> Violation {
    Violation {
        clause,
        evidence: words.to_owned(),
        step: Some(0),
    }
}
