//! What a file is to a queue in the diskqueue format, told by its name alone.

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A segment and its number.
    Segment(u64),
    /// The meta.
    Meta,
    /// A temporary meta of the original.
    TemporaryMeta,
    /// The file that becomes the next meta.
    Spare,
    /// The sums of the segment with this number.
    Sums(u64),
    /// The lock file.
    Lock,
    /// Bytes kept aside.
    Quarantine,
    /// It starts as the queue's files do, but is none that the format knows.
    Unknown,
    /// It belongs to somebody else.
    Foreign,
}

/// What file `name` is to the queue named `queue`.
#[must_use]
pub fn role(queue: &str, name: &str) -> Role {
    let rest = name
        .strip_prefix(queue)
        .and_then(|rest| rest.strip_prefix(".diskqueue."));
    let Some(rest) = rest else {
        return Role::Foreign;
    };
    match rest {
        "meta.dat" => return Role::Meta,
        "meta.spare" => return Role::Spare,
        "lock" => return Role::Lock,
        _ => {}
    }
    if let Some(random) = rest.strip_prefix("meta.dat.")
        && let Some(random) = random.strip_suffix(".tmp")
        && is_digits(random)
    {
        return Role::TemporaryMeta;
    }
    let number = |ending: &str| rest.strip_suffix(ending).and_then(segment_number);
    if let Some(number) = number(".dat") {
        return Role::Segment(number);
    }
    if let Some(number) = number(".sums") {
        return Role::Sums(number);
    }
    match is_quarantine(rest) {
        true => Role::Quarantine,
        false => Role::Unknown,
    }
}

/// `FILE.bad` or `FILE.bad.N` of a segment or the meta.
fn is_quarantine(rest: &str) -> bool {
    let Some((file, suffix)) = rest.split_once(".bad") else {
        return false;
    };
    let counted = suffix
        .strip_prefix('.')
        .is_some_and(|count| is_digits(count) && !count.starts_with('0'));
    let of_segment = file
        .strip_suffix(".dat")
        .is_some_and(|number| segment_number(number).is_some());
    (suffix.is_empty() || counted) && (file == "meta.dat" || of_segment)
}

/// At least six digits, and more only without leading zeros.
fn segment_number(text: &str) -> Option<u64> {
    let exact = text.len() == 6 || (text.len() > 6 && !text.starts_with('0'));
    let number = text.parse().ok()?;
    (exact && is_digits(text) && i64::try_from(number).is_ok()).then_some(number)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_roles() {
        let cases = [
            ("q.diskqueue.000000.dat", Role::Segment(0)),
            ("q.diskqueue.1234567.dat", Role::Segment(1_234_567)),
            ("q.diskqueue.0234567.dat", Role::Unknown),
            ("q.diskqueue.00001.dat", Role::Unknown),
            ("q.diskqueue.+00001.dat", Role::Unknown),
            (
                "q.diskqueue.9223372036854775807.dat",
                Role::Segment(u64::MAX / 2),
            ),
            ("q.diskqueue.9223372036854775808.dat", Role::Unknown),
            ("q.diskqueue.meta.dat", Role::Meta),
            ("q.diskqueue.meta.dat.123.tmp", Role::TemporaryMeta),
            ("q.diskqueue.meta.dat.x.tmp", Role::Unknown),
            ("q.diskqueue.meta.spare", Role::Spare),
            ("q.diskqueue.000001.sums", Role::Sums(1)),
            ("q.diskqueue.lock", Role::Lock),
            ("q.diskqueue.000001.dat.bad", Role::Quarantine),
            ("q.diskqueue.000001.dat.bad.12", Role::Quarantine),
            ("q.diskqueue.000001.dat.bad.", Role::Unknown),
            ("q.diskqueue.meta.dat.bad.1", Role::Quarantine),
            ("q.diskqueue.000001.sums.bad", Role::Unknown),
            ("q2.diskqueue.000000.dat", Role::Foreign),
            ("Q.diskqueue.000000.dat", Role::Foreign),
            ("q.diskqueue", Role::Foreign),
        ];
        for (name, expected) in cases {
            assert_eq!(role("q", name), expected, "{name}");
        }
    }
}
