//! The bytes of a message follow from its number: the first put message of a scenario is 0.
//!
//! A message of at least [`NUMBERED_BYTES_MIN`] bytes starts with its number, so that it can be
//! told from all others wherever it turns up; a shorter one is matched by its position.

/// The least size of a message that carries its number.
pub const NUMBERED_BYTES_MIN: usize = 4;

/// Appends the bytes of message `number`, `size` of them, to `bytes`.
pub fn write_payload(number: u32, size: u32, bytes: &mut Vec<u8>) {
    let end = bytes.len() + size as usize;
    bytes.reserve(size as usize + 8);
    bytes.extend_from_slice(&number.to_be_bytes());
    let mut word = u64::from(number) | 0x6372_6173_0000_0000;
    while bytes.len() < end {
        // SplitMix64: cheap, and no two messages share a long run of bytes.
        word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = word;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bytes.extend_from_slice(&(mixed ^ (mixed >> 31)).to_le_bytes());
    }
    bytes.truncate(end);
}

/// The bytes of message `number`.
#[must_use]
pub fn payload(number: u32, size: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_payload(number, size, &mut bytes);
    bytes
}

/// The number that a message claims to carry; the caller compares the other bytes.
#[must_use]
pub fn claimed_number(bytes: &[u8]) -> Option<u32> {
    bytes
        .first_chunk::<NUMBERED_BYTES_MIN>()
        .map(|first| u32::from_be_bytes(*first))
}
