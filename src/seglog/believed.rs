//! Which copy of the writer meta is believed.
//!
//! | row | `meta.writer.dat` | `.tmp` | believed |
//! |---|---|---|---|
//! | M1 | noted | noted | that with the larger generation, or else sequence |
//! | M2 | noted | anything else | the former: an original was killed while it saved |
//! | M3 | bare | bare | the former: an original wrote last; the latter if records contradict it |
//! | M4 | bare | anything else | the former |
//! | M5 | damaged | noted or bare | the latter; the damage is reported |
//! | M6 | absent | noted or bare | the latter |
//! | M7 | absent | absent or damaged, and no segments | a new log |
//! | M8 | anything else | | nothing: the segments are scanned; that is reported |
//! | M9 | absent | noted, a later generation began before its end | as if it were damaged |
//! | M10 | damaged | noted, sequence 0 | the latter; a crash tore the former |
//! | M11 | bare | noted, with the same text, another sequence | as if the former were damaged |
//!
//! M9: a new file may hold what that of a deleted log had. M10: a second copy of sequence 0 was
//! written before there was a first one of ours. M11: an original writes both; this is a first copy
//! of ours that was cut behind its text.

use super::cuts::Cut;
use super::position::Position;
use super::writer_meta::{WriterMeta, WriterNote};
use crate::records::text::NUMBER_MAX;
use std::cmp::Ordering;

/// What is believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Believed {
    /// A meta of ours.
    Noted(WriterNote),
    /// An original wrote last: the ends that it told, the more credible first.
    Bare(Vec<Position>),
    /// There is no log yet.
    New,
    /// Nothing.
    Nothing,
}

/// Whether a place can be one. That all numbers are used up is not believed of a meta without a
/// checksum.
pub(super) fn is_place(place: &Position) -> bool {
    is_noted_place(place) && place.offset < NUMBER_MAX && place.count < NUMBER_MAX
}

/// The same of a place with a checksum: puts use up all numbers but that of the last segment, which
/// has to have a next one.
fn is_noted_place(place: &Position) -> bool {
    place.segment < NUMBER_MAX
        && place.position <= place.offset
        && place.offset <= NUMBER_MAX
        && place.count <= NUMBER_MAX
}

/// A meta whose numbers make sense; anything else is damaged, whatever its checksum says.
#[must_use]
pub fn sensible(meta: WriterMeta) -> WriterMeta {
    let is_sensible = match &meta {
        WriterMeta::Absent | WriterMeta::Damaged => true,
        WriterMeta::Bare(end) => is_place(end),
        WriterMeta::Noted(end, note) => {
            let (start, durable) = (&note.start, &note.durable);
            // One segment starts at one offset, and a later one not before an earlier place.
            let is_in_order = |a: &Position, b: &Position| {
                let fits = match a.segment.cmp(&b.segment) {
                    Ordering::Less => a.offset <= b.segment_offset(),
                    Ordering::Equal => {
                        a.position <= b.position && a.segment_offset() == b.segment_offset()
                    }
                    Ordering::Greater => false,
                };
                fits && a.offset <= b.offset && a.count <= b.count
            };
            let numbers = [note.generation, note.sequence, note.sums_bytes];
            [end, start, durable].into_iter().all(is_noted_place)
                && is_in_order(start, durable)
                && is_in_order(durable, end)
                && note.life <= note.generation
                && numbers.iter().all(|number| *number < NUMBER_MAX)
        }
    };
    match is_sensible {
        true => meta,
        false => WriterMeta::Damaged,
    }
}

/// The first copy, unless it is what is left of one of ours.
pub(super) fn credible_main(main: WriterMeta, copy: &WriterMeta) -> WriterMeta {
    match (&main, copy) {
        (WriterMeta::Bare(end), WriterMeta::Noted(told, note))
            if note.sequence > 0 && told == end =>
        {
            WriterMeta::Damaged
        }
        _ => main,
    }
}

/// The second copy, unless it is what a removed log left on the disk. `newest` is the generation
/// that began last, whatever copy names it.
pub(super) fn credible_copy(
    main: &WriterMeta,
    copy: WriterMeta,
    newest: Option<&Cut>,
) -> WriterMeta {
    match (main, copy, newest) {
        (WriterMeta::Absent, WriterMeta::Noted(_, note), Some(newest))
            if note.generation < newest.generation && newest.end.offset < note.durable.offset =>
        {
            WriterMeta::Damaged
        }
        _ => copy,
    }
}

/// Judges both copies.
pub(super) fn believe(main: &WriterMeta, copy: &WriterMeta, has_segments: bool) -> Believed {
    match (main, copy) {
        (WriterMeta::Noted(_, main), WriterMeta::Noted(_, copy))
            if (copy.generation, copy.sequence) > (main.generation, main.sequence) =>
        {
            Believed::Noted(*copy)
        }
        (WriterMeta::Noted(_, note), _)
        | (WriterMeta::Damaged | WriterMeta::Absent, WriterMeta::Noted(_, note)) => {
            Believed::Noted(*note)
        }
        (WriterMeta::Bare(main), WriterMeta::Bare(copy)) => Believed::Bare(vec![*main, *copy]),
        (WriterMeta::Bare(end), _)
        | (WriterMeta::Damaged | WriterMeta::Absent, WriterMeta::Bare(end)) => {
            Believed::Bare(vec![*end])
        }
        (WriterMeta::Absent, WriterMeta::Absent | WriterMeta::Damaged) if !has_segments => {
            Believed::New
        }
        (WriterMeta::Damaged | WriterMeta::Absent, WriterMeta::Damaged | WriterMeta::Absent) => {
            Believed::Nothing
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(sequence: u64) -> WriterMeta {
        WriterMeta::Noted(Position::default(), note(sequence))
    }

    fn note(sequence: u64) -> WriterNote {
        WriterNote {
            sequence,
            ..WriterNote::default()
        }
    }

    #[test]
    fn what_a_removed_log_left_is_not_believed() {
        let at = |offset| Position {
            offset,
            ..Position::default()
        };
        let with = |generation, sequence| WriterNote {
            generation,
            durable: at(70),
            ..note(sequence)
        };
        let meta = |note| WriterMeta::Noted(Position::default(), note);
        let (old, new) = (meta(with(3, 9)), meta(with(4, 0)));
        assert_eq!(believe(&old, &new, true), Believed::Noted(with(4, 0)));
        let credible = |main, generation, offset| {
            let end = at(offset);
            credible_copy(&main, old, Some(&Cut { generation, end }))
        };
        assert_eq!(credible(WriterMeta::Absent, 4, 0), WriterMeta::Damaged);
        assert_eq!(credible(WriterMeta::Absent, 4, 70), old, "recovery began");
        assert_eq!(credible(WriterMeta::Absent, 3, 0), old);
        assert_eq!(credible(WriterMeta::Damaged, 4, 0), old);
    }

    #[test]
    fn a_first_copy_of_ours_may_be_cut_behind_its_text() {
        let bare = WriterMeta::Bare(Position::default());
        assert_eq!(credible_main(bare, &noted(1)), WriterMeta::Damaged);
        assert_eq!(
            credible_main(bare, &noted(0)),
            bare,
            "it was not written yet"
        );
        assert_eq!(credible_main(bare, &bare), bare);
        let other = WriterMeta::Bare(Position {
            offset: 9,
            ..Position::default()
        });
        assert_eq!(credible_main(other, &noted(1)), other);
    }

    #[test]
    fn all_numbers_may_be_used_up_but_only_with_a_checksum() {
        let at = |offset, count| Position {
            offset,
            count,
            ..Position::default()
        };
        let (end, last) = (
            at(NUMBER_MAX, NUMBER_MAX),
            at(NUMBER_MAX - 1, NUMBER_MAX - 1),
        );
        let noted = |end| {
            let (durable, start) = (end, end);
            let note = WriterNote {
                durable,
                start,
                ..note(1)
            };
            WriterMeta::Noted(end, note)
        };
        for meta in [noted(end), noted(last), WriterMeta::Bare(last)] {
            assert_eq!(sensible(meta), meta);
        }
        for meta in [WriterMeta::Bare(end), noted(at(NUMBER_MAX + 1, 0))] {
            assert_eq!(sensible(meta), WriterMeta::Damaged);
        }
    }

    #[test]
    fn every_pair_of_copies_has_its_row() {
        let end = Position::default();
        let (bare, damaged, absent) = (
            WriterMeta::Bare(end),
            WriterMeta::Damaged,
            WriterMeta::Absent,
        );
        let one = Believed::Bare(vec![end]);
        for (main, copy, expected) in [
            (noted(1), noted(2), Believed::Noted(note(2))),
            (noted(2), noted(1), Believed::Noted(note(2))),
            (noted(1), bare, Believed::Noted(note(1))),
            (noted(1), damaged, Believed::Noted(note(1))),
            (noted(1), absent, Believed::Noted(note(1))),
            (bare, noted(1), one.clone()),
            (bare, bare, Believed::Bare(vec![end, end])),
            (bare, damaged, one.clone()),
            (bare, absent, one.clone()),
            (damaged, noted(1), Believed::Noted(note(1))),
            (absent, noted(1), Believed::Noted(note(1))),
            (damaged, bare, one.clone()),
            (absent, bare, one),
            (absent, damaged, Believed::Nothing),
            (absent, absent, Believed::Nothing),
            (damaged, absent, Believed::Nothing),
            (damaged, damaged, Believed::Nothing),
        ] {
            assert_eq!(believe(&main, &copy, true), expected, "{main:?}, {copy:?}");
        }
        for copy in [absent, damaged] {
            assert_eq!(believe(&absent, &copy, false), Believed::New);
        }
        assert_eq!(believe(&damaged, &absent, false), Believed::Nothing);
    }
}
