//! What rates are held against: copying bytes and hashing them, and nothing else.

use super::super::clock::ProcessorTime;
use std::hint::black_box;
use xxhash_rust::xxh3::xxh3_128;

/// How often each block is copied at least, and how many bytes are copied at least.
const COPIES_MIN: u32 = 4;
const BYTES_MIN: u32 = 64 * 1024 * 1024;

/// How many blocks of `block_bytes` are copied and hashed a second.
pub(super) fn copies_and_hashes(block_bytes: u32) -> f64 {
    let source: Vec<u8> = (0..block_bytes).map(|at| at.to_le_bytes()[0]).collect();
    let mut target = vec![0; source.len()];
    let copies = COPIES_MIN.max(BYTES_MIN / block_bytes.max(1));
    let watch = ProcessorTime::start();
    for _ in 0..copies {
        target.copy_from_slice(black_box(&source));
        black_box(xxh3_128(black_box(&target)));
    }
    f64::from(copies) / watch.seconds()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_blocks_are_fewer() {
        let (small, large) = (copies_and_hashes(1_000), copies_and_hashes(1_000_000));
        assert!(large > 0.0 && small > large, "{small} {large}");
    }
}
