//! Any bytes as each of the metas of a segmented log, as its cuts and as the lock of a reader:
//! parsing does not panic, and what it takes is exactly what would be written.
//!
//! Input: one byte that chooses which file it is, and whether checksums are made right; the file.
#![no_main]

#[path = "../common/seal_blocks.rs"]
mod seal_blocks;
#[path = "../common/seal_log_meta.rs"]
mod seal_log_meta;

use crashline::seglog::format::{
    META_BYTES, ReaderMeta, ReaderNote, Registration, StartMeta, WriterMeta, WriterNote,
    encode_reader_meta, encode_sidecar, encode_start_meta, encode_writer_meta, lowest_since,
    parse_cuts, parse_reader_lock, parse_reader_meta, parse_sidecar, parse_start_meta,
    parse_writer_meta, sensible_writer_meta, write_cut,
};
use libfuzzer_sys::fuzz_target;
use std::ffi::OsStr;

/// Set in the byte that chooses: make the file's checksums right.
const SEALED: u8 = 0x80;
/// The bytes of a meta that count.
const COUNTING_BYTES: usize = META_BYTES - 3;

fuzz_target!(|input: &[u8]| {
    let Some((choice, file)) = input.split_first() else {
        return;
    };
    let mut file = file.to_vec();
    let is_sealed = choice & SEALED != 0;
    let kind = (choice & !SEALED) % 6;
    match kind {
        0 | 1 if is_sealed => seal_log_meta::seal_log_meta(&mut file),
        2 if is_sealed => seal_log_meta::seal_start_meta(&mut file, u64::from(*choice)),
        4 | 5 if is_sealed => seal_blocks::seal_blocks(&mut file),
        _ => {}
    }
    match kind {
        0 => writer(&file),
        1 => reader(&file),
        2 => start(&file),
        3 => sidecar(&file),
        4 => cuts(&file),
        _ => lock(&file),
    }
});

fn writer(file: &[u8]) {
    let meta = parse_writer_meta(file);
    match meta {
        WriterMeta::Noted(end, note) => {
            let written = encode_writer_meta(&end, &note);
            assert_eq!(written[..COUNTING_BYTES], file[..COUNTING_BYTES]);
        }
        WriterMeta::Bare(end) => {
            let written = encode_writer_meta(&end, &WriterNote::default());
            assert!(written.starts_with(file));
        }
        WriterMeta::Absent => panic!("there are bytes, so there is a file"),
        WriterMeta::Damaged => {}
    }
    let sensible = sensible_writer_meta(meta);
    assert!(sensible == meta || sensible == WriterMeta::Damaged);
}

fn reader(file: &[u8]) {
    match parse_reader_meta(file) {
        ReaderMeta::Noted(positions, note) => {
            let written = encode_reader_meta(&positions, &note);
            assert_eq!(written[..COUNTING_BYTES], file[..COUNTING_BYTES]);
        }
        ReaderMeta::Bare(positions) => {
            let written = encode_reader_meta(&positions, &ReaderNote::default());
            assert!(written.starts_with(file));
        }
        ReaderMeta::Absent => panic!("there are bytes, so there is a file"),
        ReaderMeta::Damaged => {}
    }
}

fn start(file: &[u8]) {
    match parse_start_meta(file) {
        StartMeta::Noted(start, generation) => {
            assert_eq!(encode_start_meta(&start, generation), file);
        }
        StartMeta::Bare(start) => {
            let (last, fields) = file.split_last().expect("it is not empty");
            assert_eq!(*last, b'}');
            assert!(encode_start_meta(&start, 0).starts_with(fields));
        }
        StartMeta::Absent => panic!("there are bytes, so there is a file"),
        StartMeta::Damaged => {}
    }
}

fn sidecar(file: &[u8]) {
    if let Some(sidecar) = parse_sidecar(file) {
        assert!(sidecar.start <= sidecar.end);
        assert_eq!(encode_sidecar(&sidecar), file);
    }
}

fn cuts(file: &[u8]) {
    let (cuts, used) = parse_cuts(file, u64::MAX);
    let mut written = Vec::new();
    for cut in &cuts {
        write_cut(cut, &mut written);
    }
    assert_eq!(written, file[..used]);
    assert!(
        cuts.windows(2)
            .all(|pair| pair[0].generation < pair[1].generation)
    );
    if let (Some(first), Some(last)) = (cuts.first(), cuts.last()) {
        let lowest = lowest_since(&cuts, first.generation, last.generation);
        let newer = &cuts[1..];
        assert!(
            lowest.is_none_or(|lowest| newer.iter().all(|cut| lowest.offset <= cut.end.offset))
        );
    }
}

fn lock(file: &[u8]) {
    match parse_reader_lock(file, OsStr::new("log")) {
        Registration::Done | Registration::Begun(_) | Registration::Damaged => {
            assert!(file.starts_with(b"CLSB"));
        }
        Registration::None => assert!(!file.starts_with(b"CLSB")),
    }
}
