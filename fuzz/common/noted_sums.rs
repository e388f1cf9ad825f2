//! Whether the note of a log tells the truth about its sums. Checksums that are put right bear out
//! whatever a note says, but opening believes how many bytes of the sums belong to what is durable
//! without reading them, and that its generation began at a durable end: where that is a lie,
//! nothing is promised of damage behind the durable end.

use crashline::seglog::format::WriterNote;

const HEADER_BYTES: usize = 16;
const PREFIX_BYTES: usize = 24;
const ENTRY_BYTES: usize = 8;

/// Whether the bytes that `note` tells of are whole blocks of records before the durable end, and
/// what follows are not such, and of its generation.
pub fn are_as_noted(sums: &[u8], note: &WriterNote) -> bool {
    let durable = note.durable.position;
    let mut before = 0;
    let mut at = 0;
    for payload in blocks(sums) {
        let first = number(payload, 16).unwrap_or(0);
        let entries = payload.get(PREFIX_BYTES..).unwrap_or_default();
        let sizes = entries
            .chunks_exact(ENTRY_BYTES)
            .filter_map(|entry| Some(u64::from(u32::from_be_bytes(*entry.first_chunk()?)) + 4));
        let end = sizes.fold(first, u64::saturating_add);
        at += (HEADER_BYTES + payload.len()) as u64;
        let is_before = end <= durable && first < durable;
        // Behind the durable end only blocks of the present generation count.
        if !is_before && number(payload, 0) != Some(note.generation) {
            return false;
        }
        if is_before != (at <= note.sums_bytes) || (first < durable && end > durable) {
            return false;
        }
        if is_before {
            before = at;
        }
    }
    before == note.sums_bytes
}

fn number(payload: &[u8], from: usize) -> Option<u64> {
    let bytes = payload.get(from..)?.first_chunk()?;
    Some(u64::from_be_bytes(*bytes))
}

/// The payloads of the blocks of sums up to the first that is not right.
fn blocks(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (header, rest) = bytes.split_at_checked(HEADER_BYTES)?;
        let size = u32::from_be_bytes(*header.get(8..)?.first_chunk()?) as usize;
        let (payload, rest) = rest.split_at_checked(size)?;
        let sum = crc32c::crc32c_append(crc32c::crc32c(&header[..12]), payload);
        let is_right = header.starts_with(b"CLSB\x01\x01") && header.ends_with(&sum.to_be_bytes());
        bytes = rest;
        (is_right && size >= PREFIX_BYTES).then_some(payload)
    })
}
