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
        4 => (some.0 + i64::from(choices.between(1, 4)), some.1),
        5 => (some.0, some.1 + choices.pick(&[1, -1, 2])),
        6 => (
            end.offset + i64::from(choices.between(1, 40)),
            end.count + 1,
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

/// Where a log starts anew: below its start, at its end, above it, at nothing, or nowhere.
pub(super) fn new_start(choices: &mut Choices, view: &LogView) -> Target {
    let (start, end) = (view.start(), view.end());
    match choices.weighted(&[2, 3, 3, 2, 1]) {
        0 => (0, 0),
        1 => (end.offset + 1000, end.count + 25),
        2 => (start.offset / 2, start.count / 2),
        3 => (end.offset, end.count),
        _ => (-1, end.count),
    }
}
