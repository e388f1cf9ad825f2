//! Q4: a read that never returned did not take place.

use super::notes::{Mark, depth, meta_of_an_open_queue};
use crate::scenario::Action;
use crate::subject::{OpenRequest, Opened, Subject};

/// Passes over the first message after the first crash of a queue, unless it is the only one, and
/// makes that durable: opened again, the queue is the same.
pub(super) fn open(request: &OpenRequest<'_>, engine: &dyn Subject) -> Opened {
    let is_crashed = meta_of_an_open_queue(request).is_some();
    let mut opened = engine.open(request);
    let mark = Mark::of(request);
    if is_crashed
        && !request.read_only
        && !mark.is_set()
        && let Some(object) = &mut opened.object
    {
        mark.set(true);
        if depth(object.as_mut()) > 1 {
            object.apply(&Action::Read, &[]);
            object.apply(&Action::Sync, &[]);
        }
    }
    opened
}
