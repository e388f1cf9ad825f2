//! Where a reader stands when it is opened: one table, from what is saved, what is registered, and
//! what became of the log since.

use super::cuts::lowest_since;
use super::error::{Error, Loss};
use super::position::Position;
use super::reader_files::{Believed, Saved};
use super::reader_view::View;
use super::registry::Registration;

/// Where a reader stands.
#[derive(Debug)]
pub(super) struct Standing {
    pub(super) at: Position,
    pub(super) losses: Vec<Loss>,
    /// Whether a meta was damaged, or nothing is believed that should be there.
    pub(super) is_damaged: bool,
}

impl Standing {
    /// Decides.
    ///
    /// | believed | registered | stands |
    /// |---|---|---|
    /// | nothing, no file | no | at the end: it is new |
    /// | nothing | its first open never came to its end | at the end: it is new |
    /// | nothing | else | at the start, and that is a loss |
    /// | positions of ours | | as saved, below what was cut since; the start, if that is no place of this log |
    /// | positions of an original | | as saved, if that is a place of this log; else the start |
    ///
    /// # Errors
    /// That of the filesystem.
    pub(super) fn decide(
        view: &mut View,
        saved: &Saved,
        registration: Registration,
    ) -> Result<Self, Error> {
        let end = view.end.position;
        // Metas of a first open that was cut off may be torn, which costs nothing.
        let is_torn = matches!(registration, Registration::Begun(_));
        let damaged = saved.damaged.as_ref().filter(|_| !is_torn);
        let mut losses: Vec<Loss> = damaged.into_iter().cloned().collect();
        let is_new = match registration {
            Registration::None => !saved.is_there,
            Registration::Begun(_) => true,
            Registration::Done | Registration::Damaged => false,
        };
        let found = match saved.believed {
            Believed::Nothing if is_new => {
                return Ok(Self {
                    at: end,
                    losses: Vec::new(),
                    is_damaged: false,
                });
            }
            Believed::Nothing => None,
            Believed::Noted(positions, since) => {
                let found = since_generation(view, positions.confirmed, since)?;
                found.map(|at| (at, since))
            }
            Believed::Bare(positions) => {
                let found = verified(view, &positions.confirmed)?;
                found.map(|at| (at, view.end.generation))
            }
        };
        let is_damaged = found.is_none() || damaged.is_some();
        let at = match found {
            Some((at, since)) if at.offset < view.start.offset => {
                losses.extend(view.lost_before_start(&at, since)?);
                view.start
            }
            Some((at, _)) => view.records.canonical(at, &end)?,
            None => {
                if losses.is_empty() {
                    losses.push(saved.files.lost());
                }
                view.start
            }
        };
        Ok(Self {
            at,
            losses,
            is_damaged,
        })
    }
}

/// What is left of a position taken in generation `since`; `None` where that is no place of this
/// log.
fn since_generation(view: &mut View, at: Position, since: u64) -> Result<Option<Position>, Error> {
    let (end, now) = (view.end.position, view.end.generation);
    let is_known = view.note().is_some();
    let cut = if is_known && since < now {
        lowest_since(&view.cuts(now)?, since, now)
    } else {
        None
    };
    let kept = match cut {
        Some(cut) if cut.offset < at.offset => cut,
        Some(_) => at,
        None if is_known && since == now => at,
        // Nothing tells what was cut since.
        None => return verified(view, &at),
    };
    Ok(Some(if end.offset <= kept.offset { end } else { kept }))
}

/// The place in this log that a position names which nothing vouches for, its count as the log has
/// it; the end, for one that lies behind it in every respect. `None` where there is no such place.
fn verified(view: &mut View, at: &Position) -> Result<Option<Position>, Error> {
    let (start, end) = (view.start, view.end.position);
    if end.offset <= at.offset {
        let is_behind = (end.segment, end.position) <= (at.segment, at.position);
        let is_end = end.offset == at.offset && is_place(view, at, &end)?;
        return Ok((is_behind || is_end).then_some(end));
    }
    if at.offset < start.offset {
        return Ok(Some(*at).filter(|at| at.segment <= start.segment));
    }
    let Some(way) = view.search.find(start, at.offset, None, &end)? else {
        return Ok(None);
    };
    Ok(is_place(view, at, &way.to)?.then_some(way.to))
}

/// Whether both are one place by segment and position.
fn is_place(view: &View, at: &Position, place: &Position) -> Result<bool, Error> {
    if (at.segment, at.position) == (place.segment, place.position) {
        return Ok(true);
    }
    let is_before = place.position == 0 && at.segment.checked_add(1) == Some(place.segment);
    Ok(is_before && view.records.segments.size(at.segment)? == Some(at.position))
}
