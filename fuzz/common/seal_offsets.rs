//! Puts a note behind the table of an offset file, as `corpus/formats/offsets.md` says: else hardly
//! any input would have one that is right.

/// The bytes as the part of a file before its note, and their checksum. A brace that ends them is
/// taken for the file's last one.
pub fn seal_offsets(bytes: &mut Vec<u8>) {
    let is_indented = bytes.ends_with(b"\n}");
    let end = if is_indented {
        2
    } else {
        usize::from(bytes.ends_with(b"}"))
    };
    bytes.truncate(bytes.len() - end);
    bytes.extend_from_slice(if is_indented { b",\n\t" } else { b"," });
    bytes.extend_from_slice(b"\"note\":\"crashline 1 ");
    let sum = format!("{:08x}", crc32c::crc32c(bytes));
    bytes.extend_from_slice(sum.as_bytes());
    bytes.extend_from_slice(if is_indented { b"\"\n}" } else { b"\"}" });
}
