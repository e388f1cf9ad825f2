//! The oracle's own reading of segment names and records.

use crate::trace::disk::Files;

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A segment.
    Segment(i64),
    /// A segment that was put aside.
    Bad(i64),
    /// The meta.
    Meta,
    /// A file that was to replace another one.
    Temporary,
    /// Something else.
    Other,
}

/// What a name stands for in the directory of `queue`.
pub(super) fn kind(queue: &str, name: &str) -> Kind {
    let Some(rest) = name
        .strip_prefix(queue)
        .and_then(|rest| rest.strip_prefix(".diskqueue."))
    else {
        return Kind::Other;
    };
    if rest == "meta.dat" {
        return Kind::Meta;
    }
    if rest.ends_with(".tmp") {
        return Kind::Temporary;
    }
    let (rest, bad) = match rest.strip_suffix(".bad") {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let number = rest
        .strip_suffix(".dat")
        .filter(|digits| digits.len() >= 6)
        .and_then(|digits| digits.parse().ok());
    match (number, bad) {
        (Some(number), false) => Kind::Segment(number),
        (Some(number), true) => Kind::Bad(number),
        (None, _) => Kind::Other,
    }
}

/// A record and where it lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Record<'f> {
    pub(super) segment: i64,
    /// Where its length starts.
    pub(super) start: u64,
    /// Where it ends.
    pub(super) end: u64,
    pub(super) body: &'f [u8],
}

/// The records of a segment, as far as they are whole.
pub(super) fn records(segment: i64, bytes: &[u8]) -> Vec<Record<'_>> {
    let mut records = Vec::new();
    let mut start = 0;
    while let Some((length, rest)) = bytes.get(start..).and_then(|rest| rest.split_first_chunk()) {
        let body = usize::try_from(i32::from_be_bytes(*length))
            .ok()
            .and_then(|size| rest.get(..size));
        let Some(body) = body else {
            break;
        };
        let end = start + 4 + body.len();
        records.push(Record {
            segment,
            start: start as u64,
            end: end as u64,
            body,
        });
        start = end;
    }
    records
}

/// The numbers and bytes of all segments, in order.
pub(super) fn segments<'f>(queue: &str, files: &'f Files) -> Vec<(i64, &'f [u8])> {
    let mut segments: Vec<(i64, &[u8])> = files
        .iter()
        .filter_map(|(name, bytes)| match kind(queue, name) {
            Kind::Segment(number) => Some((number, bytes.as_slice())),
            Kind::Bad(_) | Kind::Meta | Kind::Temporary | Kind::Other => None,
        })
        .collect();
    segments.sort_unstable_by_key(|(number, _)| *number);
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart() {
        assert_eq!(kind("q", "q.diskqueue.000012.dat"), Kind::Segment(12));
        assert_eq!(kind("q", "q.diskqueue.000012.dat.bad"), Kind::Bad(12));
        assert_eq!(kind("q", "q.diskqueue.meta.dat"), Kind::Meta);
        assert_eq!(kind("q", "q.diskqueue.meta.dat.4.tmp"), Kind::Temporary);
        assert_eq!(kind("q", "q2.diskqueue.000012.dat"), Kind::Other);
    }

    #[test]
    fn records_end_where_they_stop_to_be_whole() {
        let bytes = [0, 0, 0, 1, b'a', 0, 0, 0, 0, 0, 0, 0, 9, b'b'];
        let found = records(3, &bytes);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].body, b"a");
        assert_eq!((found[1].start, found[1].end), (5, 9));
    }
}
