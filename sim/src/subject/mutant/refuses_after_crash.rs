//! C1: what a crash left behind the durable point is no reason to open.

use super::notes::{meta_of_an_open_queue, path};
use crate::scenario::{Applied, FailureKind, Outcome};
use crate::subject::{OpenRequest, Opened, Subject};

/// Fails where the segment being written is longer than its meta says.
pub(super) fn open(request: &OpenRequest<'_>, engine: &dyn Subject) -> Opened {
    if is_longer(request) == Some(true) {
        let words = "the segment is longer than its meta says";
        return Opened {
            outcome: Outcome::failed(FailureKind::Io(None), Applied::No, words),
            object: None,
        };
    }
    engine.open(request)
}

fn is_longer(request: &OpenRequest<'_>) -> Option<bool> {
    let meta = meta_of_an_open_queue(request)?;
    let (segment, offset) = meta.get(2)?.split_once(',')?;
    let segment: u64 = segment.parse().ok()?;
    let offset: u64 = offset.parse().ok()?;
    let path = path(request, &format!("{segment:06}.dat"));
    let size = request.fs.stat(&path).ok()?.size;
    Some(size > offset)
}
