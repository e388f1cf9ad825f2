//! Side files: self-checking blocks, the one format of all files that are only ours.
//!
//! A block is `CLSB`, version 1, its kind, two zero bytes, the size of the payload, a CRC-32C of
//! these twelve bytes and of the payload, and the payload. Numbers are big-endian. A file counts
//! up to the first place where no whole, right block stands.

use crc_fast::{CrcAlgorithm, Digest};

const MAGIC: [u8; 4] = *b"CLSB";
const VERSION: u8 = 1;
const CHECKED_BYTES: usize = 12;

/// Bytes before a payload.
pub(crate) const BLOCK_HEADER_BYTES: usize = 16;
/// The largest payload.
pub(crate) const PAYLOAD_BYTES_MAX: usize = 65_536;

/// What a block holds. Kind 4 is kept for intents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// Sums of records.
    Sums,
    /// The last generation begun.
    Generation,
    /// Where the end of a log was cut.
    Cut,
    /// A reader that a log knows.
    Reader,
}

impl BlockKind {
    const fn code(self) -> u8 {
        match self {
            Self::Sums => 1,
            Self::Generation => 2,
            Self::Cut => 3,
            Self::Reader => 5,
        }
    }
}

/// Appends a block to `bytes`; `write_payload` appends the payload.
pub(crate) fn write_block(
    kind: BlockKind,
    bytes: &mut Vec<u8>,
    write_payload: impl FnOnce(&mut Vec<u8>),
) {
    let start = bytes.len();
    bytes.extend_from_slice(&[0; BLOCK_HEADER_BYTES]);
    write_payload(bytes);
    let Some((header, payload)) = bytes
        .get_mut(start..)
        .and_then(<[u8]>::split_first_chunk_mut::<BLOCK_HEADER_BYTES>)
    else {
        unreachable!("the header was just appended")
    };
    assert!(
        payload.len() <= PAYLOAD_BYTES_MAX,
        "a payload has at most {PAYLOAD_BYTES_MAX} bytes"
    );
    let size = u32::try_from(payload.len()).expect("bounded above");
    let mut fields = [0; CHECKED_BYTES];
    fields[..4].copy_from_slice(&MAGIC);
    fields[4] = VERSION;
    fields[5] = kind.code();
    fields[8..].copy_from_slice(&size.to_be_bytes());
    let sum = append_both(0, &fields, payload);
    header[..CHECKED_BYTES].copy_from_slice(&fields);
    header[CHECKED_BYTES..].copy_from_slice(&sum.to_be_bytes());
}

/// What stands at the start of some bytes of a side file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Block<'a> {
    /// A right block of this kind, with its payload.
    Whole(&'a [u8]),
    /// So many bytes are needed to tell.
    Cut(usize),
    /// No block, a damaged one, or one of another kind.
    Wrong,
}

/// Judges the start of `bytes`.
pub(crate) fn first_block(kind: BlockKind, bytes: &[u8]) -> Block<'_> {
    let Some((header, rest)) = bytes.split_first_chunk::<BLOCK_HEADER_BYTES>() else {
        return Block::Cut(BLOCK_HEADER_BYTES);
    };
    let Some((fields, sum)) = header.split_first_chunk::<CHECKED_BYTES>() else {
        return Block::Wrong;
    };
    let [.., a, b, c, d] = *fields;
    let [m, n, o, p] = MAGIC;
    let expected = [m, n, o, p, VERSION, kind.code(), 0, 0];
    let size = u32::from_be_bytes([a, b, c, d]) as usize;
    if !fields.starts_with(&expected) || size > PAYLOAD_BYTES_MAX {
        return Block::Wrong;
    }
    let Some(payload) = rest.get(..size) else {
        return Block::Cut(BLOCK_HEADER_BYTES + size);
    };
    let actual = append_both(0, fields, payload);
    if sum == actual.to_be_bytes() {
        Block::Whole(payload)
    } else {
        Block::Wrong
    }
}

/// From so many bytes on carry-less multiplication takes less time than a sum by words.
const LONG_BYTES_MIN: usize = 512;

/// The CRC-32C of what `state` is that of, then `bytes`.
fn append(state: u32, bytes: &[u8]) -> u32 {
    if bytes.len() < LONG_BYTES_MIN {
        return crc32c::crc32c_append(state, bytes);
    }
    // There the state is kept as it is before its last step, which inverts it.
    let before = u64::from(!state);
    let mut digest = Digest::new_with_init_state(CrcAlgorithm::Crc32Iscsi, before);
    digest.update(bytes);
    u32::try_from(digest.finalize()).expect("this sum has 32 bits")
}

/// Up to so many bytes are copied to be summed in one call: a call costs more than the copy.
const COPIED_BYTES_MAX: usize = 128;

/// Sums go by words of eight bytes where these are aligned.
#[repr(align(8))]
struct Copied([u8; COPIED_BYTES_MAX]);

/// The CRC-32C of what `state` is that of, then `head` and `rest`.
#[inline]
pub(crate) fn append_both<const HEAD_BYTES: usize>(
    state: u32,
    head: &[u8; HEAD_BYTES],
    rest: &[u8],
) -> u32 {
    let mut copy = Copied([0; COPIED_BYTES_MAX]);
    let Some(both) = copy.0.get_mut(..HEAD_BYTES + rest.len()) else {
        return append(crc32c::crc32c_append(state, head), rest);
    };
    let (first, second) = both.split_at_mut(HEAD_BYTES);
    first.copy_from_slice(head);
    second.copy_from_slice(rest);
    crc32c::crc32c_append(state, both)
}

/// The content of a lock file that keeps `generation`.
#[must_use]
pub fn generation_bytes(generation: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_block(BlockKind::Generation, &mut bytes, |payload| {
        payload.extend_from_slice(&generation.to_be_bytes());
    });
    bytes
}

/// The generation that a lock file keeps; `None` for an empty or damaged one.
#[must_use]
pub fn parse_generation(bytes: &[u8]) -> Option<u64> {
    match first_block(BlockKind::Generation, bytes) {
        Block::Whole(payload) => payload.try_into().ok().map(u64::from_be_bytes),
        Block::Cut(_) | Block::Wrong => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_comes_back_and_every_flip_is_seen() {
        let mut bytes = Vec::new();
        write_block(BlockKind::Sums, &mut bytes, |payload| {
            payload.extend_from_slice(b"payload");
        });
        assert_eq!(
            first_block(BlockKind::Sums, &bytes),
            Block::Whole(b"payload")
        );
        assert_eq!(first_block(BlockKind::Generation, &bytes), Block::Wrong);
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(
                !matches!(first_block(BlockKind::Sums, &flipped), Block::Whole(_)),
                "bit {bit}"
            );
        }
        for size in 0..bytes.len() {
            assert!(matches!(
                first_block(BlockKind::Sums, &bytes[..size]),
                Block::Cut(_)
            ));
        }
    }

    #[test]
    fn a_sum_of_two_parts_is_that_of_both() {
        fn check<const HEAD_BYTES: usize>(bytes: &[u8]) {
            if let Some((head, rest)) = bytes.split_first_chunk::<HEAD_BYTES>() {
                let whole = crc32c::crc32c(bytes);
                assert_eq!(append_both(0, head, rest), whole, "{}", bytes.len());
            }
        }
        let bytes: Vec<u8> = (0..=255).cycle().take(2_000).collect();
        for size in (0..300)
            .chain(LONG_BYTES_MIN..LONG_BYTES_MIN + 40)
            .chain([2_000])
        {
            check::<0>(&bytes[..size]);
            check::<1>(&bytes[..size]);
            check::<8>(&bytes[..size]);
            check::<12>(&bytes[..size]);
        }
    }

    #[test]
    fn a_lock_file_keeps_a_generation() {
        assert_eq!(parse_generation(&generation_bytes(7)), Some(7));
        assert_eq!(parse_generation(&[]), None);
        assert_eq!(
            generation_bytes(7)[..12],
            *b"CLSB\x01\x02\x00\x00\x00\x00\x00\x08"
        );
    }
}
