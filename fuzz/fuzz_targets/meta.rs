//! Any bytes as a meta file with or without its note: parsing does not panic, and what it takes is
//! exactly what would be written.
#![no_main]

#[path = "../common/seal_meta.rs"]
mod seal_meta;

use crashline::diskqueue::format::{META_BYTES, MetaState, Note, encode_meta, parse_meta};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    must_be_as_written(input);
    let mut sealed = input.to_vec();
    seal_meta::seal_meta(&mut sealed);
    must_be_as_written(&sealed);
});

fn must_be_as_written(bytes: &[u8]) {
    match parse_meta(bytes) {
        MetaState::Noted(meta, note) => {
            assert!(meta.depth >= 0 && meta.read <= meta.write);
            assert_eq!(encode_meta(&meta, &note)[..], bytes[..META_BYTES]);
        }
        MetaState::Bare(meta) => {
            let written = encode_meta(&meta, &Note::default());
            assert!(written.starts_with(bytes));
            assert_eq!(bytes.iter().filter(|byte| **byte == b'\n').count(), 3);
        }
        MetaState::Absent => panic!("there are bytes, so there is a file"),
        MetaState::Damaged => {}
    }
}
