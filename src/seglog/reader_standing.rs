//! Where a reader stands when it is opened: one table, from what is saved, what is registered, and
//! what became of the log since.

use super::cuts::lowest_since;
use super::error::{Error, Loss};
use super::position::Position;
use super::quirks::Quirk;
use super::reader_files::{Believed, Saved};
use super::reader_row::ReaderRow;
use super::reader_view::View;
use super::registry::Registration;

/// Where a reader stands.
#[derive(Debug)]
pub(super) struct Standing {
    pub(super) at: Position,
    /// Why it stands there.
    pub(super) basis: Basis,
    pub(super) losses: Vec<Loss>,
    /// Whether a meta was damaged, or nothing is believed that should be there.
    pub(super) is_damaged: bool,
    /// It stands below what is saved, and nothing but the end that there is now says so.
    pub(super) is_lowered: bool,
}

/// What a decision rests on.
#[derive(Debug, Clone, Copy)]
pub(super) enum Basis {
    /// It is new, by this row.
    New(ReaderRow),
    /// What is saved.
    Saved {
        /// The place in this log that it names, if it names one.
        place: Option<Position>,
        /// Whether there are messages between that and a start behind it.
        is_passed: bool,
    },
}

impl Standing {
    /// Decides.
    ///
    /// | row | believed | registered | stands |
    /// |---|---|---|---|
    /// | P1 | nothing, no file | no | at the end: it is new |
    /// | P2 | nothing | its first open never came to its end | at the end: it is new |
    /// | P3 | positions of ours, of this generation | | as saved |
    /// | P4 | positions of ours, of an older one | | as saved, below what was cut since |
    /// | P5 | positions of an original, or cuts are not known | | as saved, its count counted |
    /// | P6 | as P5, and no place of this log | | at the start, and that is a loss |
    /// | P7 | behind the end | | at the end, and that is saved |
    /// | P8 | below the start | | at the start, and that is a loss |
    /// | P9 | below the start of a log that was emptied | | at the start |
    /// | P10 | nothing | else | at the start, and that is a loss |
    /// | P11 | the copy | | as above; a damaged meta is a loss |
    /// | P12 | a meta of the first version | | as P5 |
    /// | P13 | as P5, the start's offset in a segment before its | | at the start |
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
        if saved.damaged.is_some() && view.store.has(Quirk::TornReaderMetaSkipsToEnd) {
            return Ok(Self::of_new(end, ReaderRow::P1));
        }
        let new = match registration {
            Registration::None if !saved.is_there => Some(ReaderRow::P1),
            Registration::Begun(_) => Some(ReaderRow::P2),
            Registration::None | Registration::Done | Registration::Damaged => None,
        };
        if let (Believed::Nothing, Some(row)) = (&saved.believed, new) {
            return Ok(Self::of_new(end, row));
        }
        let found = match saved.believed {
            Believed::Nothing => None,
            Believed::Noted(positions, since) => {
                let (at, end) = (positions.confirmed, view.end);
                let found = if view.note().is_some() {
                    view.kept(at, since, &end)?
                } else {
                    view.verified(&at, &end.position)?
                };
                found.map(|at| (at, since))
            }
            Believed::Bare(positions) => {
                let found = view.verified(&positions.confirmed, &end)?;
                found.map(|at| (at, view.end.generation))
            }
        };
        let is_damaged = found.is_none() || damaged.is_some();
        let is_lowered = is_lowered(view, &saved.believed, found.map(|(at, _)| at))?;
        let at = match found {
            Some((at, since)) if at.offset < view.start.offset => {
                losses.extend(view.lost_before_start(&at, since)?);
                view.start
            }
            Some((at, _)) => view.in_one_form(at, &end)?,
            None => {
                if losses.is_empty() {
                    losses.push(saved.files.lost());
                }
                view.start
            }
        };
        let basis = Basis::Saved {
            place: found.map(|(at, _)| at),
            is_passed: losses.iter().any(|loss| Some(loss) != damaged),
        };
        Ok(Self {
            at,
            basis,
            losses,
            is_damaged,
            is_lowered,
        })
    }

    /// That of a reader which is new.
    fn of_new(end: Position, row: ReaderRow) -> Self {
        Self {
            at: end,
            basis: Basis::New(row),
            losses: Vec::new(),
            is_damaged: false,
            is_lowered: false,
        }
    }
}

/// Whether a reader was found `at` a place though more is saved, and no cut that is known says so:
/// as the log grows, an open after this one would find it farther on.
fn is_lowered(view: &View, believed: &Believed, at: Option<Position>) -> Result<bool, Error> {
    let (positions, since) = match believed {
        Believed::Noted(positions, since) => (positions, Some(*since)),
        Believed::Bare(positions) => (positions, None),
        Believed::Nothing => return Ok(false),
    };
    if at.is_none_or(|at| positions.confirmed.offset <= at.offset) {
        return Ok(false);
    }
    Ok(!are_cuts_known(view, since)?)
}

/// Whether it is known what was cut since a generation; it is where that is the log's own.
pub(super) fn are_cuts_known(view: &View, since: Option<u64>) -> Result<bool, Error> {
    let now = view.end.generation;
    Ok(match since {
        Some(since) if since == now => true,
        Some(since) => lowest_since(&view.cuts(now)?, since, now).is_some(),
        None => false,
    })
}
