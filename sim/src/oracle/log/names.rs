//! What a file is to a log, told by its name alone; the grammar is that of the format page.

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LogRole {
    /// A segment and its number.
    Segment(u64),
    /// What is kept beside a finished segment.
    Sidecar(u64),
    /// A segment behind a lowered end, kept aside.
    RolledBack,
    /// The sums of a segment.
    Sums(u64),
    /// A meta of the writer, or of the start.
    Meta,
    /// A side file of the hardened engine: cuts and spares.
    Side,
    /// The lock of the writer or of a reader.
    Lock,
    /// Bytes kept aside.
    Quarantine,
    /// A file of the original that should not outlive an open.
    Temporary,
    /// It starts as the log's files do, but is none that the format knows.
    Unknown,
    /// It belongs to somebody else.
    Foreign,
}

impl LogRole {
    /// The number of the segment whose sidecar it is.
    pub(super) fn sidecar(self) -> Option<u64> {
        if let Self::Sidecar(number) = self {
            Some(number)
        } else {
            None
        }
    }
}

/// Segments up to this number have six digits, later ones nine at least.
const SIX_DIGITS_MAX: u64 = 999_990;

/// What file `name` is to the log named `log`.
pub(super) fn log_role(log: &str, name: &str) -> LogRole {
    let rest = name
        .strip_prefix(log)
        .and_then(|rest| rest.strip_prefix(".diskqueue."));
    let Some(rest) = rest else {
        return LogRole::Foreign;
    };
    match rest {
        "meta.writer.dat" | "meta.writer.dat.tmp" | "meta.extra.dat" => return LogRole::Meta,
        "meta.extra.spare" | "cuts" | "cuts.spare" => return LogRole::Side,
        "lock" => return LogRole::Lock,
        _ => {}
    }
    if let Some(reader) = rest.strip_prefix("reader.") {
        let reader = reader.strip_suffix(".lock");
        let is_name = reader.is_some_and(|name| !name.is_empty() && !name.contains(".diskqueue"));
        return if is_name {
            LogRole::Lock
        } else {
            LogRole::Unknown
        };
    }
    if is_temporary(rest) {
        return LogRole::Temporary;
    }
    segment_role(rest)
}

fn is_temporary(rest: &str) -> bool {
    let numbered = |start: &str, end: &str| {
        let digits = rest
            .strip_prefix(start)
            .and_then(|rest| rest.strip_suffix(end));
        digits.is_some_and(is_digits)
    };
    numbered("meta.writer.dat.", ".corrupt") || numbered("meta.extra.dat.", ".tmp")
}

fn segment_role(rest: &str) -> LogRole {
    if let Some((file, count)) = rest.split_once(".bad") {
        let of_segment = file.strip_suffix(".dat").is_some_and(is_number);
        let is_file = of_segment || matches!(file, "meta.writer.dat" | "meta.extra.dat" | "cuts");
        return match is_file && is_count(count) {
            true => LogRole::Quarantine,
            false => LogRole::Unknown,
        };
    }
    if let Some((file, count)) = rest.split_once(".rolldata") {
        let of_segment = file.strip_suffix(".dat").is_some_and(is_number);
        return match of_segment && is_count(count) {
            true => LogRole::RolledBack,
            false => LogRole::Unknown,
        };
    }
    let of = |ending: &str| rest.strip_suffix(ending).and_then(number);
    if let Some(number) = of(".dat.offsetmeta.dat") {
        LogRole::Sidecar(number)
    } else if let Some(number) = of(".dat") {
        LogRole::Segment(number)
    } else if let Some(number) = of(".sums") {
        LogRole::Sums(number)
    } else {
        LogRole::Unknown
    }
}

fn is_number(text: &str) -> bool {
    number(text).is_some()
}

/// Nothing, or a dot and a number without leading zeros.
fn is_count(text: &str) -> bool {
    let counted = text
        .strip_prefix('.')
        .is_some_and(|count| is_digits(count) && !count.starts_with('0'));
    text.is_empty() || counted
}

/// The number that is written in this way, and in no other.
fn number(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok().filter(|_| is_digits(text))?;
    let written = match number > SIX_DIGITS_MAX {
        true => format!("{number:09}"),
        false => format!("{number:06}"),
    };
    (written == text && i64::try_from(number).is_ok()).then_some(number)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a file of this name is a segment of some log.
pub(super) fn is_segment(name: &str) -> bool {
    let stem = name.strip_suffix(".dat");
    let number = stem.and_then(|stem| stem.rsplit_once(".diskqueue."));
    number.is_some_and(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_roles() {
        let cases = [
            ("q.diskqueue.000007.dat", LogRole::Segment(7)),
            ("q.diskqueue.999990.dat", LogRole::Segment(999_990)),
            ("q.diskqueue.000999991.dat", LogRole::Segment(999_991)),
            ("q.diskqueue.999991.dat", LogRole::Unknown),
            ("q.diskqueue.00007.dat", LogRole::Unknown),
            ("q.diskqueue.000001.dat.offsetmeta.dat", LogRole::Sidecar(1)),
            ("q.diskqueue.000001.dat.rolldata.2", LogRole::RolledBack),
            ("q.diskqueue.000001.dat.rolldata.02", LogRole::Unknown),
            ("q.diskqueue.000001.sums", LogRole::Sums(1)),
            ("q.diskqueue.meta.writer.dat.tmp", LogRole::Meta),
            ("q.diskqueue.meta.writer.dat.12.corrupt", LogRole::Temporary),
            ("q.diskqueue.meta.extra.dat.12.tmp", LogRole::Temporary),
            ("q.diskqueue.meta.extra.spare", LogRole::Side),
            ("q.diskqueue.cuts.bad", LogRole::Quarantine),
            ("q.diskqueue.000001.dat.bad.1", LogRole::Quarantine),
            ("q.diskqueue.000001.sums.bad", LogRole::Unknown),
            ("q.diskqueue.lock", LogRole::Lock),
            ("q.diskqueue.reader.q:c.lock", LogRole::Lock),
            ("q.diskqueue.reader..lock", LogRole::Unknown),
            ("q:c.diskqueue.meta.v2.reader.dat", LogRole::Foreign),
            ("q2.diskqueue.000000.dat", LogRole::Foreign),
        ];
        for (name, role) in cases {
            assert_eq!(log_role("q", name), role, "{name}");
        }
    }
}
