//! The reader meta: the confirmed position and the end that the reader knew, and in the note the
//! generation that they were taken in.
//!
//! ```text
//! CONFIRMED_COUNT
//! END_COUNT
//! CONFIRMED_SEGMENT,CONFIRMED_POSITION,CONFIRMED_OFFSET
//! END_SEGMENT,END_POSITION,END_OFFSET
//! <AE 83>
//! crashline 1 GENERATION SEQUENCE
//! ```
//!
//! Version 1 has the same lines in a file of another name.

use super::noted::{Layout, META_BYTES, decimals, hex_fields, join, push_hex_fields, split};
use super::position::Position;

/// What the text tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReaderPositions {
    /// Everything before it is confirmed.
    pub confirmed: Position,
    /// The end of the log that the reader was told last.
    pub end: Position,
}

/// What the note tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReaderNote {
    /// The generation of the log that the positions were taken in.
    pub generation: u64,
    /// Grows with every write of the meta.
    pub sequence: u64,
}

/// What a copy of the reader meta is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReaderMeta {
    /// There is none.
    Absent,
    /// Ours, and whole.
    Noted(ReaderPositions, ReaderNote),
    /// An original wrote last.
    Bare(ReaderPositions),
    /// Nothing in it is believed.
    Damaged,
}

/// Judges a whole file, or more than [`META_BYTES`] bytes of one.
#[must_use]
pub fn parse(bytes: &[u8]) -> ReaderMeta {
    match split(bytes) {
        Layout::Noted { text, note } => {
            parse_text(text)
                .zip(hex_fields(note))
                .map(|(positions, [generation, sequence])| {
                    let note = ReaderNote {
                        generation,
                        sequence,
                    };
                    ReaderMeta::Noted(positions, note)
                })
        }
        Layout::Bare(text) => parse_text(text).map(ReaderMeta::Bare),
    }
    .unwrap_or(ReaderMeta::Damaged)
}

/// The bytes of a meta with its note.
#[must_use]
pub fn encode(positions: &ReaderPositions, note: &ReaderNote) -> [u8; META_BYTES] {
    let ReaderPositions { confirmed, end } = positions;
    join(
        |text| {
            text.push_decimal(confirmed.count);
            text.push(b"\n");
            text.push_decimal(end.count);
            text.push(b"\n");
            for place in [confirmed, end] {
                text.push_decimal(place.segment);
                text.push(b",");
                text.push_decimal(place.position);
                text.push(b",");
                text.push_decimal(place.offset);
                text.push(b"\n");
            }
        },
        |text| push_hex_fields(text, &[note.generation, note.sequence]),
    )
}

/// A confirmed position behind the end, or one of the same offset with another count, is none.
fn parse_text(text: &[u8]) -> Option<ReaderPositions> {
    let [confirmed_count, end_count, a, b, c, d, e, f] = decimals(text, b"\n\n,,\n,,\n")?;
    let confirmed = Position {
        segment: a,
        position: b,
        offset: c,
        count: confirmed_count,
    };
    let end = Position {
        segment: d,
        position: e,
        offset: f,
        count: end_count,
    };
    Some(ReaderPositions { confirmed, end })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noted_meta_comes_back_and_every_flip_that_counts_is_seen() {
        let positions = ReaderPositions {
            confirmed: Position {
                segment: 0,
                position: 216,
                offset: 216,
                count: 5,
            },
            end: Position {
                segment: 3,
                position: 420,
                offset: 3604,
                count: 60,
            },
        };
        let note = ReaderNote {
            generation: 2,
            sequence: 1,
        };
        let bytes = encode(&positions, &note);
        assert_eq!(parse(&bytes), ReaderMeta::Noted(positions, note));
        for bit in 0..(META_BYTES - 3) * 8 {
            let mut flipped = bytes;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(parse(&flipped), ReaderMeta::Damaged, "bit {bit}");
        }
        let bare = b"5\n60\n0,216,216\n3,420,3604\n\xae\x83";
        assert_eq!(parse(bare), ReaderMeta::Bare(positions));
        for size in 0..bare.len() - 2 {
            assert_eq!(parse(&bare[..size]), ReaderMeta::Damaged, "{size} bytes");
        }
    }
}
