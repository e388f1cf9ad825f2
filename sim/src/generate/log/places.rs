//! Places as arguments: a boundary, or something that is none.

use super::view::LogView;
use crate::generate::Choices;

/// An offset and a count.
pub(super) type Target = (i64, i64);

/// Draws a place: half of them are boundaries, the others are off a boundary, of a wrong count,
/// before the start or beyond the end.
pub(super) fn place(choices: &mut Choices, view: &LogView) -> Target {
    let (start, end) = (view.start(), view.end());
    let some = boundary(choices, view);
    match choices.weighted(&[8, 3, 2, 4, 2, 2, 2, 1]) {
        0 => some,
        1 => (end.offset, end.count),
        2 => (start.offset, start.count),
        3 => border(choices, view).unwrap_or(some),
        4 => (behind(some.0, choices.between(1, 4)), some.1),
        5 => (some.0, some.1.saturating_add(choices.pick(&[1, -1, 2]))),
        6 => (
            behind(end.offset, choices.between(1, 40)),
            behind(end.count, 1),
        ),
        _ => (start.offset - 1, start.count),
    }
}

/// Any boundary.
pub(super) fn boundary(choices: &mut Choices, view: &LogView) -> Target {
    let at = choices.pick(&view.boundaries);
    (at.offset, at.count)
}

/// The start of a segment that is not the first one.
fn border(choices: &mut Choices, view: &LogView) -> Option<Target> {
    let mut borders: Vec<Target> = Vec::new();
    for at in view.boundaries.iter().skip(1) {
        if at.position == 0 {
            borders.push((at.offset, at.count));
        }
    }
    (!borders.is_empty()).then(|| choices.pick(&borders))
}

fn behind(number: i64, more: u32) -> i64 {
    number.saturating_add(i64::from(more))
}

/// Where a log starts anew: below its start, at its end, above it, at nothing, nowhere, or where
/// its numbers are soon used up (C13).
pub(super) fn new_start(choices: &mut Choices, view: &LogView) -> Target {
    let (start, end) = (view.start(), view.end());
    match choices.weighted(&[2, 3, 3, 2, 1, 1]) {
        0 => (0, 0),
        1 => (behind(end.offset, 1000), behind(end.count, 25)),
        2 => (start.offset / 2, start.count / 2),
        3 => (end.offset, end.count),
        4 => (-1, end.count),
        _ => (
            i64::MAX - i64::from(choices.below(200)),
            i64::MAX - i64::from(choices.below(20)),
        ),
    }
}
