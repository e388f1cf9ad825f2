//! Where the log starts, as a reader finds it at open.

use super::error::Error;
use super::position::Position;
use super::reader_view::View;
use super::start_meta::{START_BYTES_MAX, StartMeta, parse};

/// The start: that of the note, unless an original cleaned since; without a note that of the start
/// meta, where the segments bear it out, else that of the first segment whose start is known, else
/// the end.
pub(super) fn log_start(view: &View) -> Result<Position, Error> {
    let (segments, end) = (&view.records.segments, &view.end.position);
    let store = &view.store;
    let bytes = store.read(&store.paths.start_meta(), START_BYTES_MAX + 1)?;
    let meta = bytes.map_or(StartMeta::Absent, |bytes| parse(&bytes));
    if let Some(note) = view.note() {
        return Ok(match meta {
            StartMeta::Bare(start)
                if note.start.offset < start.offset && start.offset <= end.offset =>
            {
                start
            }
            StartMeta::Bare(_) | StartMeta::Noted(..) | StartMeta::Absent | StartMeta::Damaged => {
                note.start
            }
        });
    }
    if let StartMeta::Bare(start) | StartMeta::Noted(start, _) = meta
        && start.offset <= end.offset
        && is_borne_out(view, &start)?
    {
        return Ok(start);
    }
    let first = segments.size(0)?.map(|_| 0);
    for segment in first.into_iter().chain(segments.behind(0, end.segment)?) {
        let offset = segments.start_from_behind(segment, end)?;
        let count = segments.count_at_start(segment, end)?;
        if let (Some(offset), Some(count)) = (offset, count) {
            return Ok(Position {
                segment,
                position: 0,
                offset,
                count,
            });
        }
    }
    Ok(*end)
}

/// Whether offset and count of a start are what the segments from it on say, as far as they do.
fn is_borne_out(view: &View, start: &Position) -> Result<bool, Error> {
    let (segments, end) = (&view.records.segments, &view.end.position);
    if start.is_same_place(end) {
        return Ok(true);
    }
    // A log starts where a segment does.
    if start.position > 0 || start.segment > end.segment || segments.size(start.segment)?.is_none()
    {
        return Ok(false);
    }
    let offset = segments.start_from_behind(start.segment, end)?;
    if offset.is_some_and(|offset| offset != start.offset) {
        return Ok(false);
    }
    let count = segments.count_at_start(start.segment, end)?;
    Ok(count.is_none_or(|count| count == start.count))
}
