//! The row of the format's table of readers that said where a reader stands.

use super::error::Error;
use super::reader_files::{Believed, ReaderFile, Saved};
use super::reader_standing::{Basis, are_cuts_known};
use super::reader_view::View;

/// A row of the table; P11 is not one of these, as it goes on "as above": see [`ReaderFile`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "`reason` says in words what each stands for")]
pub enum ReaderRow {
    P1,
    P2,
    P3,
    P4,
    P5,
    P6,
    P7,
    P8,
    P9,
    P10,
    P12,
    P13,
}

impl ReaderRow {
    /// The row's name and where it puts a reader, in words.
    #[must_use]
    pub fn told(self) -> (&'static str, &'static str) {
        match self {
            Self::P1 => ("P1", "it is new, and starts at the end"),
            Self::P2 => (
                "P2",
                "its first open never came to its end: it starts at the end",
            ),
            Self::P3 => ("P3", "as it was saved"),
            Self::P4 => ("P4", "as it was saved, below what was cut since"),
            Self::P5 => (
                "P5",
                "as it was saved without a note, its count as the log has it",
            ),
            Self::P6 => (
                "P6",
                "what was saved is no place of this log: at the log's start",
            ),
            Self::P7 => ("P7", "what was saved is behind the end: at the end"),
            Self::P8 => ("P8", "the start moved over what was saved: at the start"),
            Self::P9 => ("P9", "the log was emptied or begun anew: at the start"),
            Self::P10 => ("P10", "no meta is believed: at the log's start"),
            Self::P12 => (
                "P12",
                "as an older version saved it, its count as the log has it",
            ),
            Self::P13 => ("P13", "the end of a segment that is gone: at the start"),
        }
    }

    /// The row by which a reader stands, from what its open decided on.
    ///
    /// # Errors
    /// That of the filesystem.
    pub(super) fn of(view: &View, saved: &Saved, basis: Basis) -> Result<Self, Error> {
        let (place, is_passed) = match basis {
            Basis::New(row) => return Ok(row),
            Basis::Saved { place, is_passed } => (place, is_passed),
        };
        let (told, since) = match saved.believed {
            Believed::Noted(positions, since) => (positions.confirmed, Some(since)),
            Believed::Bare(positions) => (positions.confirmed, None),
            Believed::Nothing => return Ok(Self::P10),
        };
        let since = since.filter(|_| view.note().is_some());
        let is_of_now = since == Some(view.end.generation);
        Ok(match place {
            None => Self::P6,
            Some(at) if at.offset < view.start.offset && is_passed => Self::P8,
            Some(at) if at.offset < view.start.offset => Self::P9,
            Some(_) if !is_of_now && are_cuts_known(view, since)? => Self::P4,
            Some(at) if at.offset < told.offset => Self::P7,
            Some(_) if is_of_now => Self::P3,
            Some(_) if told.offset == view.start.offset && told.segment < view.start.segment => {
                Self::P13
            }
            Some(_) => match saved.from {
                Some(ReaderFile::Older) => Self::P12,
                Some(ReaderFile::Meta | ReaderFile::Copy) | None => Self::P5,
            },
        })
    }
}
