//! What is encoded comes back, and no bytes make a parser panic or take what was not written.

use super::check;
use crashline::diskqueue::format::{
    BLOCK_RECORDS_MAX, Entry, Frame, META_BYTES, Meta, MetaState, Note, Role, Salt, SumsBlock,
    encode_meta, first_frame, generation_bytes, owner, parse_generation, parse_meta,
    parse_sums_block, write_seal, write_sums_blocks,
};
use crashline::diskqueue::{NUMBER_MAX, Position};
use crashline::fs::BootId;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// Numbers of the format, their limits more often than chance would have them.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![
        Just(0),
        Just(1),
        Just(u64::from(u32::MAX)),
        Just(NUMBER_MAX - 1),
        Just(NUMBER_MAX),
        0..=NUMBER_MAX,
        0_u64..2000,
    ]
}

fn position() -> impl Strategy<Value = Position> {
    (number(), number()).prop_map(|(segment, offset)| Position::new(segment, offset))
}

fn meta() -> impl Strategy<Value = Meta> {
    (number(), position(), position()).prop_map(|(depth, one, other)| Meta {
        depth: i64::try_from(depth).expect("numbers fit"),
        read: one.min(other),
        write: one.max(other),
    })
}

fn note() -> impl Strategy<Value = Note> {
    (
        option::of(any::<[u8; 16]>()),
        any::<u64>(),
        any::<bool>(),
        any::<u64>(),
    )
        .prop_map(|(boot, generation, closed, sums_bytes)| Note {
            boot: boot.map(BootId),
            generation,
            closed,
            sums_bytes,
        })
}

#[test]
fn a_noted_meta_comes_back_whatever_follows_it() {
    let strategy = (meta(), note(), vec(any::<u8>(), 0..20));
    check(500, &strategy, |(meta, note, rest)| {
        let mut bytes = encode_meta(&meta, &note).to_vec();
        prop_assert_eq!(bytes.len(), META_BYTES);
        bytes.extend(rest);
        prop_assert_eq!(parse_meta(&bytes), MetaState::Noted(meta, note));
        Ok(())
    });
}

#[test]
fn a_changed_byte_of_a_noted_meta_is_seen() {
    let strategy = (meta(), note(), 0..META_BYTES, 1_u8..);
    check(500, &strategy, |(meta, note, at, change)| {
        let mut bytes = encode_meta(&meta, &note);
        bytes[at] ^= change;
        prop_assert_eq!(parse_meta(&bytes), MetaState::Damaged);
        Ok(())
    });
}

#[test]
fn a_bare_meta_comes_back_and_nothing_may_follow_it() {
    let strategy = (any::<i64>(), meta(), vec(any::<u8>(), 1..20));
    check(500, &strategy, |(depth, meta, rest)| {
        let depth = depth.max(-i64::MAX);
        let meta = Meta { depth, ..meta };
        let Meta { read, write, .. } = meta;
        let text = format!(
            "{depth}\n{},{}\n{},{}\n",
            read.segment, read.offset, write.segment, write.offset
        );
        let mut bytes = text.into_bytes();
        prop_assert_eq!(parse_meta(&bytes), MetaState::Bare(meta));
        bytes.extend(rest);
        prop_assert_eq!(parse_meta(&bytes), MetaState::Damaged);
        Ok(())
    });
}

/// Texts that are nearly metas: pieces of what a meta is made of.
fn nearly_meta() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"\n".to_vec()),
        Just(b",".to_vec()),
        Just(b"-".to_vec()),
        Just(b"0".to_vec()),
        Just(b" ".to_vec()),
        Just(b"\r".to_vec()),
        Just(b"9223372036854775807".to_vec()),
        Just(b"9223372036854775808".to_vec()),
        Just(b"crashline 1 ".to_vec()),
        Just(b" opened ".to_vec()),
        "[0-9a-f]{16}".prop_map(String::into_bytes),
        "[0-9]{1,3},[0-9]{1,3}\n".prop_map(String::into_bytes),
        vec(any::<u8>(), 0..4),
    ];
    vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

#[test]
fn no_text_makes_the_meta_parser_panic_and_what_it_takes_is_what_it_writes() {
    check(2000, &nearly_meta(), |text| {
        // With a right checksum too: else no text would get past it.
        let mut sealed = text.clone();
        sealed.resize(META_BYTES - 9, b' ');
        sealed.extend_from_slice(format!("{:08x}\n", crc32c::crc32c(&sealed)).as_bytes());
        for bytes in [text, sealed] {
            match parse_meta(&bytes) {
                MetaState::Noted(meta, note) => {
                    prop_assert_eq!(&encode_meta(&meta, &note)[..], &bytes[..META_BYTES]);
                }
                MetaState::Bare(meta) => {
                    prop_assert!(encode_meta(&meta, &Note::default()).starts_with(&bytes));
                }
                MetaState::Absent | MetaState::Damaged => {}
            }
        }
        Ok(())
    });
}

#[test]
fn sums_come_back_in_blocks_and_count_in_their_place_only() {
    let strategy = (
        any::<u64>(),
        number(),
        any::<u64>(),
        vec((0_u32..1 << 20, any::<u32>()), 1..200),
    );
    check(200, &strategy, |(generation, segment, start, entries)| {
        let salt = Salt::new(generation, segment);
        let entries: Vec<Entry> = entries
            .into_iter()
            .map(|(length, sum)| Entry { length, sum })
            .collect();
        let mut bytes = Vec::new();
        write_sums_blocks(&salt, start, &entries, &mut bytes);
        write_seal(&salt, start, &mut bytes);
        let mut parsed = Vec::new();
        let mut place = 0;
        let mut blocks = 0;
        while place < bytes.len() {
            let block = parse_sums_block(&salt, &bytes[place..], &mut parsed);
            let SumsBlock::Whole { bytes, .. } = block else {
                return Err(TestCaseError::fail(format!("{block:?} at {place}")));
            };
            place += bytes;
            blocks += 1;
        }
        prop_assert_eq!(blocks, entries.len().div_ceil(BLOCK_RECORDS_MAX) + 1);
        prop_assert_eq!(parsed, entries);
        let other = Salt::new(generation, segment ^ 1);
        let block = parse_sums_block(&other, &bytes, &mut Vec::new());
        prop_assert_eq!(block, SumsBlock::Wrong);
        Ok(())
    });
}

#[test]
fn no_bytes_make_the_parsers_of_side_files_panic() {
    let strategy = (vec(any::<u8>(), 0..200), any::<bool>(), 0_u32..70_000);
    check(1000, &strategy, |(mut bytes, with_header, size)| {
        if with_header {
            let mut header = b"CLSB\x01\x01\0\0".to_vec();
            header.extend_from_slice(&size.to_be_bytes());
            bytes.splice(0..0, header);
        }
        let mut entries = Vec::new();
        let block = parse_sums_block(&Salt::new(1, 2), &bytes, &mut entries);
        if let SumsBlock::Cut(needed) = block {
            prop_assert!(needed > bytes.len());
        }
        if let Some(generation) = parse_generation(&bytes) {
            prop_assert!(bytes.starts_with(&generation_bytes(generation)));
        }
        Ok(())
    });
}

#[test]
fn a_generation_comes_back_and_every_changed_byte_is_seen() {
    check(
        200,
        &(any::<u64>(), 0_usize..24, 1_u8..),
        |(generation, at, change)| {
            let mut bytes = generation_bytes(generation);
            prop_assert_eq!(parse_generation(&bytes), Some(generation));
            bytes[at] ^= change;
            prop_assert_eq!(parse_generation(&bytes), None);
            Ok(())
        },
    );
}

#[test]
fn a_frame_never_reaches_beyond_its_bytes() {
    let length = prop_oneof![
        Just(i32::MIN),
        Just(-1),
        Just(i32::MAX),
        -5..40_i32,
        any::<i32>()
    ];
    let strategy = (length, vec(any::<u8>(), 0..40));
    check(1000, &strategy, |(length, body)| {
        let bytes = [&length.to_be_bytes()[..], &body].concat();
        let fits = usize::try_from(length).is_ok_and(|length| length <= body.len());
        let expected = match u32::try_from(length) {
            Ok(length) if fits => Frame::Record { length },
            _ => Frame::Broken,
        };
        prop_assert_eq!(first_frame(&bytes), expected);
        prop_assert_eq!(first_frame(&bytes[..3]), Frame::Broken);
        Ok(())
    });
}

#[test]
fn a_file_belongs_to_one_queue_or_to_none() {
    let byte = prop_oneof![Just(b'.'), Just(b'0'), Just(b'%'), 1_u8..];
    let queue = vec(byte, 1..12);
    let ending = prop_oneof![
        Just((b"meta.dat".to_vec(), Some(Role::Meta))),
        Just((b"lock".to_vec(), Some(Role::Lock))),
        Just((b"meta.spare".to_vec(), Some(Role::Spare))),
        number().prop_map(|n| (format!("{n:06}.dat").into_bytes(), Some(Role::Segment(n)))),
        number().prop_map(|n| (format!("{n:06}.sums").into_bytes(), Some(Role::Sums(n)))),
        number().prop_map(|n| (format!("{n:06}.dat ").into_bytes(), None)),
        number().prop_map(|n| (format!("0{n:06}.dat").into_bytes(), None)),
        Just((b"0.dat".to_vec(), None)),
    ];
    check(1000, &(queue, ending), |(queue, (ending, role))| {
        let name = [&queue[..], b".diskqueue.", &ending].concat();
        prop_assert_eq!(owner(&name), role.map(|role| (&queue[..], role)));
        Ok(())
    });
}
