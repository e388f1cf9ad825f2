//! Puts the checksums of the metas of a segmented log right, as `corpus/formats/seglog.md` says:
//! else no input would get past them.

/// The bytes as the checked part of a writer or reader meta, and their checksum.
pub fn seal_log_meta(bytes: &mut Vec<u8>) {
    bytes.resize(500, b' ');
    let sum = format!("{:08x}\n   ", crc32c::crc32c(bytes));
    bytes.extend_from_slice(sum.as_bytes());
}

/// The bytes as a start meta without its closing brace, and a note of this generation.
pub fn seal_start_meta(bytes: &mut Vec<u8>, generation: u64) {
    let sum = crc32c::crc32c_append(crc32c::crc32c(bytes), &generation.to_be_bytes());
    let note = format!(",\"Note\":\"crashline 1 {generation:016x} {sum:08x}\"}}");
    bytes.extend_from_slice(note.as_bytes());
}
