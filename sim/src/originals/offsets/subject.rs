//! The twins as subjects.

use super::{OffsetStore, Version};
use crate::scenario::{
    Applied, FailureKind, OffsetOp, OffsetOptions, OffsetOutcome, OffsetReply, OffsetTable,
};
use crate::subject::{OffsetObject, OffsetRequest, OffsetSubject};
use crashline::fs::Fs;
use std::path::PathBuf;
use std::sync::Arc;

/// The subjects `original-offsets` and `original-offsets-seed`.
#[derive(Debug)]
pub struct OriginalOffsets(pub Version);

impl OffsetSubject for OriginalOffsets {
    fn name(&self) -> &'static str {
        match self.0 {
            Version::Head => "original-offsets",
            Version::Seed => "original-offsets-seed",
        }
    }

    fn start(&self, request: &OffsetRequest<'_>) -> Result<Box<dyn OffsetObject>, String> {
        if let Some(name) = request.quirks.first() {
            return Err(format!("an original has no quirk `{name}`"));
        }
        Ok(Box::new(Store {
            fs: Arc::clone(request.fs),
            root: request.root.to_owned(),
            options: request.options.clone(),
            version: self.0,
            open: None,
        }))
    }
}

#[derive(Debug)]
struct Store {
    fs: Arc<dyn Fs>,
    root: PathBuf,
    options: OffsetOptions,
    version: Version,
    open: Option<OffsetStore>,
}

impl OffsetObject for Store {
    fn apply(&mut self, op: &OffsetOp) -> OffsetOutcome {
        match (op, &mut self.open) {
            (OffsetOp::Open, _) => {
                let fs = Arc::clone(&self.fs);
                let store = OffsetStore::open(fs, &self.root, &self.options, self.version);
                self.open = Some(store);
                OffsetOutcome::ok(OffsetReply::Done)
            }
            (OffsetOp::Kill, _) => {
                self.open = None;
                OffsetOutcome::ok(OffsetReply::Done)
            }
            (op, Some(store)) => store.apply(op),
            (_, None) => OffsetOutcome::failed(FailureKind::Closed, Applied::No, "it is not open"),
        }
    }

    fn table(&self) -> Option<OffsetTable> {
        self.open.as_ref().map(OffsetStore::table)
    }
}
