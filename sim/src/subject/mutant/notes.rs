//! What mutants read and keep in the queue's own files, so that they remember across opens as
//! an engine would.

use crate::scenario::{Action, Outcome, Reply};
use crate::subject::{Object, OpenRequest};
use crashline::fs::{Fs, OpenMode, SyncKind, read_file, read_up_to, write_all_at};
use std::path::PathBuf;
use std::sync::Arc;

/// Where a mutant keeps its mark: in the lock file, behind what the engine reads of it.
const MARK_OFFSET: u64 = 4096;

/// The path of the queue's file with this ending.
pub(super) fn path(request: &OpenRequest<'_>, ending: &str) -> PathBuf {
    let name = format!("{}.diskqueue.{ending}", request.object);
    request.directory.join(name)
}

/// The lines of a meta whose note says that the queue was not closed; none after a clean close,
/// without a meta, or where it is no text.
pub(super) fn meta_of_an_open_queue(request: &OpenRequest<'_>) -> Option<Vec<String>> {
    let bytes = read_file(request.fs.as_ref(), &path(request, "meta.dat"), usize::MAX).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let is_open = text.contains(" opened ");
    is_open.then(|| text.lines().map(str::to_owned).collect())
}

/// The depth that an open queue tells, or 0.
pub(super) fn depth(object: &mut dyn Object) -> i64 {
    match object.apply(&Action::Depth, &[]) {
        Outcome {
            result: Ok(Reply::Count(count)),
            ..
        } => count,
        _ => 0,
    }
}

/// A byte that outlives the object.
#[derive(Debug)]
pub(super) struct Mark {
    fs: Arc<dyn Fs>,
    path: PathBuf,
}

impl Mark {
    pub(super) fn of(request: &OpenRequest<'_>) -> Self {
        Self {
            fs: Arc::clone(request.fs),
            path: path(request, "lock"),
        }
    }

    pub(super) fn is_set(&self) -> bool {
        let mut byte = [0];
        let file = self.fs.open(&self.path, OpenMode::Read, 0).ok();
        let count = file.and_then(|file| read_up_to(file.as_ref(), MARK_OFFSET, &mut byte).ok());
        count == Some(1) && byte == [1]
    }

    /// Sets or takes away the mark; what fails is as if it had not been tried.
    pub(super) fn set(&self, is_set: bool) {
        let Ok(file) = self.fs.open(&self.path, OpenMode::Write, 0) else {
            return;
        };
        if write_all_at(file.as_ref(), MARK_OFFSET, &[u8::from(is_set)]).is_ok() {
            drop(file.sync(SyncKind::All));
        }
    }
}
