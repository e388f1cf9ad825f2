//! A record: the length of its body (4 bytes, signed, big-endian) and the body.

/// Bytes before the body.
pub(crate) const HEADER_BYTES: u64 = 4;

/// What stands at an offset of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// A record that ends within the segment.
    Record {
        /// Size of the body in bytes.
        length: u32,
    },
    /// Nothing: the segment ends here.
    End,
    /// No record: the header is cut, or its length is negative or reaches beyond the end.
    Broken,
}

/// The size of a record with a body of `length` bytes.
pub(crate) const fn record_bytes(length: u32) -> u64 {
    HEADER_BYTES + length as u64
}

/// The bytes of a header. Lengths beyond `i32::MAX` are refused before this.
pub(crate) fn header(length: u32) -> [u8; 4] {
    debug_assert!(
        i32::try_from(length).is_ok(),
        "a length fits a signed number"
    );
    length.to_be_bytes()
}

/// Judges a header with `left` bytes from its start to the end of the segment.
pub(crate) fn judge(header: [u8; 4], left: u64) -> Frame {
    let length = u32::from_be_bytes(header);
    if i32::try_from(length).is_ok() && record_bytes(length) <= left {
        Frame::Record { length }
    } else {
        Frame::Broken
    }
}

/// Judges the start of `bytes`, which reach to the end of the segment.
#[must_use]
pub fn first(bytes: &[u8]) -> Frame {
    match bytes.first_chunk::<4>() {
        Some(header) => judge(*header, bytes.len() as u64),
        None if bytes.is_empty() => Frame::End,
        None => Frame::Broken,
    }
}

/// How many whole records stand one behind the other at the start of `bytes`.
pub(crate) fn count(mut bytes: &[u8]) -> u64 {
    let mut records = 0;
    while let Frame::Record { length } = first(bytes) {
        let size = usize::try_from(record_bytes(length)).unwrap_or(usize::MAX);
        bytes = bytes.get(size..).unwrap_or_default();
        records += 1;
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_must_end_within_the_segment() {
        assert_eq!(judge(header(6), 10), Frame::Record { length: 6 });
        assert_eq!(judge(header(6), 9), Frame::Broken);
        assert_eq!(judge([0x80, 0, 0, 0], u64::MAX), Frame::Broken);
        assert_eq!(first(&[]), Frame::End);
        assert_eq!(first(&[0, 0, 0]), Frame::Broken);
        assert_eq!(first(&[0, 0, 0, 0]), Frame::Record { length: 0 });
    }

    #[test]
    fn counting_stops_at_what_is_no_record() {
        assert_eq!(count(&[0, 0, 0, 1, 9, 0, 0, 0, 0]), 2);
        assert_eq!(count(&[0, 0, 0, 1, 9, 0, 0, 0, 1]), 1);
        assert_eq!(count(&[]), 0);
    }
}
