//! Any bytes as file calls: the simulated disk answers as the simplest filesystem there is, call
//! by call, and holds the same tree at the end.
//!
//! Input: each number that a call needs is two bytes, the most significant one first.
#![no_main]

#[path = "../common/memory_fs/mod.rs"]
mod memory_fs;

use crashline::fs::Fs;
use crashline_sim::simfs::SimFs;
use crashline_sim::simfs::compare::compare;
use libfuzzer_sys::fuzz_target;
use memory_fs::MemoryFs;
use std::path::Path;

/// Bytes of the input for one call, about.
const CALL_BYTES: usize = 6;

fuzz_target!(|input: &[u8]| {
    let (sim, memory) = (SimFs::new(), MemoryFs::default());
    let root = Path::new("/root");
    for fs in [&sim as &dyn Fs, &memory] {
        fs.create_dir(root).expect("the root is there");
    }
    let mut rest = input;
    let mut draw = |below: u32| {
        let Some((number, tail)) = rest.split_first_chunk::<2>() else {
            return 0;
        };
        rest = tail;
        u32::from(u16::from_be_bytes(*number)) % below
    };
    let count = input.len() / CALL_BYTES;
    if let Err(difference) = compare((&sim, root), (&memory, root), count, &mut draw) {
        panic!("{difference:#?}");
    }
});
