//! Puts the checksums of a side file right, as `corpus/formats/diskqueue.md` says: else no input
//! would get past them.

/// The bytes as blocks of a side file: what says nothing else is put right, sizes are cut to what
/// is there.
pub fn seal_blocks(bytes: &mut [u8]) {
    let mut rest = bytes;
    while rest.len() >= 16 {
        let (head, tail) = rest.split_at_mut(16);
        let kind = head[5];
        head[..8].copy_from_slice(&[b'C', b'L', b'S', b'B', 1, kind, 0, 0]);
        let size = u32::from_be_bytes([0, 0, head[10], head[11]]) as usize;
        let size = size.min(tail.len());
        head[8..12].copy_from_slice(&(size as u32).to_be_bytes());
        let (payload, next) = tail.split_at_mut(size);
        let sum = crc32c::crc32c_append(crc32c::crc32c(&head[..12]), payload);
        head[12..].copy_from_slice(&sum.to_be_bytes());
        rest = next;
    }
}
