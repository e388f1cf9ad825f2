//! File names and what they stand for.
//!
//! A name of a log or reader may hold any bytes but `/`, NUL and `.diskqueue`, so that a file
//! belongs to at most one log. The number of a segment has six digits, from 999991 on nine.

use super::error::Error;
use crate::fs::FILE_NAME_BYTES_MAX;
use crate::records::text::NUMBER_MAX;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

const INFIX: &[u8] = b".diskqueue.";
const RESERVED: &[u8] = b".diskqueue";
/// The last number that is written with six digits.
const SIX_DIGITS_MAX: u64 = 999_990;
const READER_META: &[u8] = b".diskqueue.meta.v2.reader.dat";

/// What a file of the log is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// `000000.dat`
    Segment(u64),
    /// `000000.dat.offsetmeta.dat`
    Sidecar(u64),
    /// `000000.dat.rolldata`, `000000.dat.rolldata.1` ...
    RolledBack(u64),
    /// `000000.sums`
    Sums(u64),
    /// `meta.writer.dat`
    WriterMeta,
    /// `meta.writer.dat.tmp`
    WriterCopy,
    /// `meta.writer.dat.DIGITS.corrupt`, which only the original makes.
    Corrupt,
    /// `meta.extra.dat`
    StartMeta,
    /// `meta.extra.dat.DIGITS.tmp`, which only the original makes.
    StartTemporary,
    /// `meta.extra.spare`
    StartSpare,
    /// `cuts`
    Cuts,
    /// `cuts.spare`
    CutsSpare,
    /// `lock`
    Lock,
    /// `reader.R.lock`: the lock of the reader R of this log.
    ReaderLock(OsString),
    /// `000000.dat.bad`, `.bad.1` ...
    QuarantinedSegment(u64),
    /// Quarantined bytes of another file.
    Quarantined,
}

/// Refuses a name that no log or reader can have.
pub(super) fn check_name(name: &OsStr) -> Result<(), Error> {
    let bytes = name.as_bytes();
    let reason = if bytes.is_empty() {
        "a name has at least one byte"
    } else if bytes.contains(&b'/') || bytes.contains(&0) {
        "a name holds neither a slash nor a zero byte"
    } else if has_reserved(bytes) {
        "a name does not contain `.diskqueue`"
    } else {
        return Ok(());
    };
    Err(Error::Refused { reason })
}

/// The longest of what follows a log's name in those of its files.
const LOG_ENDING: &[u8] = b".diskqueue.9223372036854775807.dat.offsetmeta.dat";

/// The longest of what follows a reader's name in those of its files, quarantined.
const READER_ENDING: &[u8] = b".diskqueue.meta.v2.reader.copy.bad.999";

/// What surrounds the names of log and reader in that of the reader's lock.
const LOCK_INFIX: &[u8] = b".diskqueue.reader..lock";

/// Refuses a log that could not name all the files that it may need one day: a roll or a
/// quarantine that fails for its name fails for ever.
pub(super) fn check_log_length(log: &OsStr) -> Result<(), Error> {
    match log.len() + LOG_ENDING.len() > FILE_NAME_BYTES_MAX {
        true => Err(TOO_LONG),
        false => Ok(()),
    }
}

/// The same for a reader of a log.
pub(super) fn check_reader_length(log: &OsStr, reader: &OsStr) -> Result<(), Error> {
    let meta = reader.len() + READER_ENDING.len();
    let lock = log.len() + reader.len() + LOCK_INFIX.len();
    match meta.max(lock) > FILE_NAME_BYTES_MAX {
        true => Err(TOO_LONG),
        false => Ok(()),
    }
}

const TOO_LONG: Error = Error::Refused {
    reason: "the name is so long that files would have names of more than 255 bytes",
};

fn has_reserved(bytes: &[u8]) -> bool {
    bytes
        .windows(RESERVED.len())
        .any(|window| window == RESERVED)
}

/// What the file `name` is to the log `log`; `None` for what is not the log's.
pub(super) fn role(name: &[u8], log: &[u8]) -> Option<Role> {
    ending_role(name.strip_prefix(log)?.strip_prefix(INFIX)?)
}

/// The log that a file belongs to, and what it is.
#[must_use]
pub fn owner(name: &[u8]) -> Option<(&[u8], Role)> {
    let at = name
        .windows(INFIX.len())
        .position(|window| window == INFIX)?;
    let (log, rest) = name.split_at(at);
    Some((log, ending_role(rest.strip_prefix(INFIX)?)?))
}

/// The reader whose meta a file is.
#[must_use]
pub fn reader_of_meta(name: &[u8]) -> Option<&[u8]> {
    name.strip_suffix(READER_META)
        .filter(|reader| !reader.is_empty() && !has_reserved(reader))
}

fn ending_role(ending: &[u8]) -> Option<Role> {
    let role = match ending {
        b"meta.writer.dat" => Role::WriterMeta,
        b"meta.writer.dat.tmp" => Role::WriterCopy,
        b"meta.extra.dat" => Role::StartMeta,
        b"meta.extra.spare" => Role::StartSpare,
        b"cuts" => Role::Cuts,
        b"cuts.spare" => Role::CutsSpare,
        b"lock" => Role::Lock,
        _ => return long_role(ending),
    };
    Some(role)
}

fn long_role(ending: &[u8]) -> Option<Role> {
    if let Some(rest) = ending.strip_prefix(b"reader.") {
        let reader = rest.strip_suffix(b".lock")?;
        let is_name = !reader.is_empty() && !has_reserved(reader);
        return is_name.then(|| Role::ReaderLock(OsString::from_vec(reader.to_vec())));
    }
    if let Some(rest) = ending.strip_prefix(b"meta.writer.dat") {
        return match between(rest, b".", b".corrupt") {
            Some(digits) if is_digits(digits) => Some(Role::Corrupt),
            _ => is_numbered(rest, b".bad").then_some(Role::Quarantined),
        };
    }
    if let Some(rest) = ending.strip_prefix(b"meta.extra.dat") {
        return match between(rest, b".", b".tmp") {
            Some(digits) if is_digits(digits) => Some(Role::StartTemporary),
            _ => is_numbered(rest, b".bad").then_some(Role::Quarantined),
        };
    }
    if let Some(rest) = ending.strip_prefix(b"cuts") {
        return is_numbered(rest, b".bad").then_some(Role::Quarantined);
    }
    segment_role(ending)
}

fn segment_role(ending: &[u8]) -> Option<Role> {
    let digits = ending.iter().take_while(|byte| byte.is_ascii_digit());
    let (digits, rest) = ending.split_at(digits.count());
    let number = segment_number(digits)?;
    match rest {
        b".dat" => return Some(Role::Segment(number)),
        b".sums" => return Some(Role::Sums(number)),
        b".dat.offsetmeta.dat" => return Some(Role::Sidecar(number)),
        _ => {}
    }
    let rest = rest.strip_prefix(b".dat")?;
    if is_numbered(rest, b".rolldata") {
        Some(Role::RolledBack(number))
    } else {
        is_numbered(rest, b".bad").then_some(Role::QuarantinedSegment(number))
    }
}

fn between<'a>(bytes: &'a [u8], start: &[u8], end: &[u8]) -> Option<&'a [u8]> {
    bytes.strip_prefix(start)?.strip_suffix(end)
}

/// `ENDING`, `ENDING.1`, `ENDING.2` ...
fn is_numbered(bytes: &[u8], ending: &[u8]) -> bool {
    match bytes.strip_prefix(ending) {
        Some(b"") => true,
        Some(rest) => rest
            .strip_prefix(b".")
            .is_some_and(|digits| is_digits(digits) && digits.first() != Some(&b'0')),
        None => false,
    }
}

fn is_digits(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.iter().all(u8::is_ascii_digit)
}

/// The number whose digits these are, each number having one form.
fn segment_number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 19 {
        return None;
    }
    let number: u64 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    let is_one_form = number <= NUMBER_MAX && digits == segment_digits(number).as_bytes();
    is_one_form.then_some(number)
}

pub(super) fn segment_digits(number: u64) -> String {
    if number > SIX_DIGITS_MAX {
        format!("{number:09}")
    } else {
        format!("{number:06}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_exact_names_are_the_logs() {
        let role_of = |name: &str| role(name.as_bytes(), b"t-0");
        let number = |digits: &str| role_of(&format!("t-0.diskqueue.{digits}.dat"));
        assert_eq!(number("000007"), Some(Role::Segment(7)));
        assert_eq!(number("999990"), Some(Role::Segment(999_990)));
        assert_eq!(number("000999991"), Some(Role::Segment(999_991)));
        for foreign in ["999991", "00007", "000000007", "-00007", "+00007", ""] {
            assert_eq!(number(foreign), None, "{foreign}");
        }
        for (ending, role) in [
            ("000001.dat.offsetmeta.dat", Role::Sidecar(1)),
            ("000001.dat.rolldata", Role::RolledBack(1)),
            ("000001.dat.rolldata.3", Role::RolledBack(1)),
            ("000001.dat.bad", Role::QuarantinedSegment(1)),
            ("000001.sums", Role::Sums(1)),
            ("meta.writer.dat", Role::WriterMeta),
            ("meta.writer.dat.tmp", Role::WriterCopy),
            ("meta.writer.dat.123.corrupt", Role::Corrupt),
            ("meta.extra.dat", Role::StartMeta),
            ("meta.extra.dat.99.tmp", Role::StartTemporary),
            ("reader.t:c.lock", Role::ReaderLock("t:c".into())),
            ("cuts.bad.2", Role::Quarantined),
        ] {
            assert_eq!(role_of(&format!("t-0.diskqueue.{ending}")), Some(role));
        }
        assert_eq!(role_of("t-0.diskqueue.reader..lock"), None);
        assert_eq!(role_of("t-01.diskqueue.cuts"), None);
        assert_eq!(
            owner(b"t-0.diskqueue.cuts"),
            Some((&b"t-0"[..], Role::Cuts))
        );
        let meta = b"t:c.diskqueue.meta.v2.reader.dat";
        assert_eq!(reader_of_meta(meta), Some(&b"t:c"[..]));
    }

    #[test]
    fn names_that_could_be_taken_for_others_are_refused() {
        for name in ["", "a/b", "a\0", "a.diskqueue", "a.diskqueue.b"] {
            assert!(check_name(OsStr::new(name)).is_err(), "{name}");
        }
        assert!(check_name(OsStr::new("topic:channel#ephemeral")).is_ok());
    }

    #[test]
    fn names_that_leave_no_room_for_those_of_files_are_refused() {
        let of = |bytes: usize| OsString::from("x".repeat(bytes));
        assert!(check_log_length(&of(206)).is_ok());
        assert!(check_log_length(&of(207)).is_err());
        let log = OsStr::new("l");
        assert!(check_reader_length(log, &of(217)).is_ok());
        assert!(check_reader_length(log, &of(218)).is_err());
        assert!(check_reader_length(&of(116), &of(116)).is_ok());
        assert!(check_reader_length(&of(116), &of(117)).is_err());
    }
}
