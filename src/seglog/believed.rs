//! Which copy of the writer meta is believed.
//!
//! | `meta.writer.dat` | `.tmp` | believed |
//! |---|---|---|
//! | noted | noted | that with the larger generation, or else sequence |
//! | noted | anything else | the former: an original was killed while it saved |
//! | bare | anything | the former: an original wrote last; the latter where the records contradict it |
//! | damaged or absent | noted, or bare | the latter |
//! | absent | absent or damaged, and no segments | a new log |
//! | anything else | | nothing: the segments are scanned |
//!
//! A second copy that stands alone is damaged if the lock file knows of a later generation: a new
//! file may hold what an old one had. A second copy of sequence 0 was written before there was a first one of ours: then a damaged
//! first copy is one that a crash tore. Else a first copy that is damaged is reported, and so is one that is absent while there are segments
//! and no second copy.

use super::position::Position;
use super::writer_meta::{WriterMeta, WriterNote};

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

/// The second copy, unless it is what a removed log left on the disk.
pub(super) fn credible_copy(main: &WriterMeta, copy: WriterMeta, kept: u64) -> WriterMeta {
    match (main, copy) {
        (WriterMeta::Absent, WriterMeta::Noted(_, note)) if note.generation < kept => {
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
        let with = |generation, sequence| {
            let note = WriterNote {
                generation,
                ..note(sequence)
            };
            WriterMeta::Noted(Position::default(), note)
        };
        let (old, new) = (with(3, 9), with(4, 0));
        let newer = WriterNote {
            generation: 4,
            ..note(0)
        };
        assert_eq!(believe(&old, &new, true), Believed::Noted(newer));
        let credible = |main, kept| credible_copy(&main, old, kept);
        assert_eq!(credible(WriterMeta::Absent, 4), WriterMeta::Damaged);
        assert_eq!(credible(WriterMeta::Absent, 3), old);
        assert_eq!(credible(WriterMeta::Damaged, 4), old);
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
