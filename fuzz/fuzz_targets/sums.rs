//! Any bytes as a file of sums, and as a lock file: parsing does not panic, ends, and takes only
//! blocks that would be written like this.
//!
//! Input: one byte; if it is odd, checksums are made right. Then the file.
#![no_main]

#[path = "../common/seal_blocks.rs"]
mod seal_blocks;

use crashline::diskqueue::format::{
    BLOCK_RECORDS_MAX, Salt, SumsBlock, generation_bytes, parse_generation, parse_sums_block,
    write_seal, write_sums_blocks,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((choice, file)) = input.split_first() else {
        return;
    };
    let mut file = file.to_vec();
    if choice & 1 == 1 {
        seal_blocks::seal_blocks(&mut file);
    }
    // The seeds are of the first generation and of segment 0.
    let salt = Salt::new(1, 0);
    let mut place = 0;
    loop {
        let rest = &file[place..];
        let mut entries = Vec::new();
        match parse_sums_block(&salt, rest, &mut entries) {
            SumsBlock::Whole { offset, bytes } => {
                let mut written = Vec::new();
                if entries.is_empty() {
                    write_seal(&salt, offset, &mut written);
                } else {
                    write_sums_blocks(&salt, offset, &entries, &mut written);
                }
                assert!(entries.len() <= BLOCK_RECORDS_MAX);
                assert_eq!(written, rest[..bytes]);
                place += bytes;
            }
            SumsBlock::Cut(needed) => {
                assert!(needed > rest.len());
                break;
            }
            SumsBlock::Wrong => break,
        }
    }
    if let Some(generation) = parse_generation(&file) {
        assert!(file.starts_with(&generation_bytes(generation)));
    }
});
