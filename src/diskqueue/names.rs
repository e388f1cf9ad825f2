//! File names and what they stand for, and the paths made from them.
//!
//! A file is the queue's exactly if its name is `N.diskqueue.` and one of the endings below, byte
//! for byte. No ending contains `.diskqueue.`, so a file belongs to at most one queue.

use super::position::NUMBER_MAX;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

const INFIX: &[u8] = b".diskqueue.";
const SEGMENT_DIGITS_MIN: usize = 6;
/// A number of 19 digits and `.sums`.
const ENDING_BYTES_MAX: usize = 24;

/// What a file of the queue is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// `000000.dat`
    Segment(u64),
    /// `meta.dat`
    Meta,
    /// `meta.dat.DIGITS.tmp`, which only the original makes.
    Temporary,
    /// `meta.spare`
    Spare,
    /// `000000.sums`
    Sums(u64),
    /// `lock`
    Lock,
    /// `000000.dat.bad`, `000000.dat.bad.1` ...
    QuarantinedSegment(u64),
    /// `meta.dat.bad`, `meta.dat.bad.1` ...
    QuarantinedMeta,
}

/// What the file `name` is to the queue `queue`; `None` for what is not the queue's.
pub(super) fn role(name: &[u8], queue: &[u8]) -> Option<Role> {
    ending_role(name.strip_prefix(queue)?.strip_prefix(INFIX)?)
}

/// The queue that a file belongs to, and what it is.
#[must_use]
pub fn owner(name: &[u8]) -> Option<(&[u8], Role)> {
    let at = name
        .windows(INFIX.len())
        .rposition(|window| window == INFIX)?;
    let (queue, rest) = name.split_at(at);
    Some((queue, ending_role(rest.strip_prefix(INFIX)?)?))
}

fn ending_role(ending: &[u8]) -> Option<Role> {
    match ending {
        b"meta.dat" => return Some(Role::Meta),
        b"meta.spare" => return Some(Role::Spare),
        b"lock" => return Some(Role::Lock),
        _ => {}
    }
    if let Some(rest) = ending.strip_prefix(b"meta.dat") {
        let is_temporary = rest
            .strip_prefix(b".")
            .and_then(|rest| rest.strip_suffix(b".tmp"))
            .is_some_and(is_digits);
        if is_temporary {
            return Some(Role::Temporary);
        }
        return is_quarantine(rest).then_some(Role::QuarantinedMeta);
    }
    let digits = ending.iter().take_while(|byte| byte.is_ascii_digit());
    let (digits, rest) = ending.split_at(digits.count());
    let number = segment_number(digits)?;
    match rest {
        b".dat" => Some(Role::Segment(number)),
        b".sums" => Some(Role::Sums(number)),
        _ => is_quarantine(rest.strip_prefix(b".dat")?).then_some(Role::QuarantinedSegment(number)),
    }
}

fn is_quarantine(rest: &[u8]) -> bool {
    match rest.strip_prefix(b".bad") {
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

/// At least six digits, more only without a leading zero, so that each number has one name.
fn segment_number(digits: &[u8]) -> Option<u64> {
    let is_canonical = digits.len() == SEGMENT_DIGITS_MIN
        || (digits.len() > SEGMENT_DIGITS_MIN && digits.first() != Some(&b'0'));
    if !is_canonical {
        return None;
    }
    let number = digits.iter().try_fold(0_u64, |number, digit| {
        number.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
    })?;
    (number <= NUMBER_MAX).then_some(number)
}

/// The paths of one queue, made once; those of a segment and of its sums are kept until those of
/// another number are asked for.
#[derive(Debug)]
pub(super) struct Paths {
    pub(super) directory: PathBuf,
    pub(super) meta: PathBuf,
    pub(super) spare: PathBuf,
    pub(super) lock: PathBuf,
    segment: Numbered,
    sums: Numbered,
}

/// A path with a number in it.
#[derive(Debug)]
struct Numbered {
    /// The directory, the queue's name, the infix, and number and ending of the last path.
    buffer: Vec<u8>,
    stem_bytes: usize,
    ending: &'static [u8],
    last: Option<u64>,
}

impl Paths {
    pub(super) fn new(directory: &Path, queue: &OsStr) -> Self {
        let directory_bytes = directory.as_os_str().as_bytes();
        let size = directory_bytes.len() + queue.len() + INFIX.len() + 1;
        let mut stem = Vec::with_capacity(size);
        stem.extend_from_slice(directory_bytes);
        if !directory_bytes.ends_with(b"/") && !directory_bytes.is_empty() {
            stem.push(b'/');
        }
        stem.extend_from_slice(queue.as_bytes());
        stem.extend_from_slice(INFIX);
        let with = |ending: &[u8]| {
            let mut path = Vec::with_capacity(stem.len() + ending.len());
            path.extend_from_slice(&stem);
            path.extend_from_slice(ending);
            PathBuf::from(OsString::from_vec(path))
        };
        Self {
            directory: directory.to_owned(),
            meta: with(b"meta.dat"),
            spare: with(b"meta.spare"),
            lock: with(b"lock"),
            segment: Numbered::new(&stem, b".dat"),
            sums: Numbered::new(&stem, b".sums"),
        }
    }

    /// The path of a segment.
    pub(super) fn segment(&mut self, number: u64) -> &Path {
        self.segment.path(number)
    }

    /// The path of a segment's sums.
    pub(super) fn sums(&mut self, number: u64) -> &Path {
        self.sums.path(number)
    }

    /// The path of another file in the directory.
    pub(super) fn sibling(&self, name: &OsStr) -> PathBuf {
        self.directory.join(name)
    }
}

impl Numbered {
    fn new(stem: &[u8], ending: &'static [u8]) -> Self {
        let mut buffer = Vec::with_capacity(stem.len() + ENDING_BYTES_MAX);
        buffer.extend_from_slice(stem);
        Self {
            buffer,
            stem_bytes: stem.len(),
            ending,
            last: None,
        }
    }

    fn path(&mut self, number: u64) -> &Path {
        if self.last != Some(number) {
            self.write(number);
            self.last = Some(number);
        }
        Path::new(OsStr::from_bytes(&self.buffer))
    }

    fn write(&mut self, number: u64) {
        let mut digits = [b'0'; 20];
        let mut rest = number;
        let mut used = 0;
        for digit in digits.iter_mut().rev() {
            if rest == 0 && used >= SEGMENT_DIGITS_MIN {
                break;
            }
            *digit = b'0' + u8::try_from(rest % 10).expect("a digit is below 10");
            rest /= 10;
            used += 1;
        }
        self.buffer.truncate(self.stem_bytes);
        let digits = digits.get(digits.len() - used..).unwrap_or_default();
        self.buffer.extend_from_slice(digits);
        self.buffer.extend_from_slice(self.ending);
    }
}

/// The `index`-th quarantine name of a file: `.bad`, `.bad.1`, `.bad.2` ...
pub(super) fn quarantine_path(path: &Path, index: u64) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".bad");
    if index > 0 {
        name.push(format!(".{index}"));
    }
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_exact_names_are_the_queues() {
        let role_of = |name: &str| role(name.as_bytes(), b"q");
        assert_eq!(role_of("q.diskqueue.000007.dat"), Some(Role::Segment(7)));
        assert_eq!(
            role_of("q.diskqueue.1000000.dat"),
            Some(Role::Segment(1_000_000))
        );
        assert_eq!(role_of("q.diskqueue.000007.sums"), Some(Role::Sums(7)));
        assert_eq!(role_of("q.diskqueue.meta.dat"), Some(Role::Meta));
        assert_eq!(
            role_of("q.diskqueue.meta.dat.12.tmp"),
            Some(Role::Temporary)
        );
        assert_eq!(role_of("q.diskqueue.meta.spare"), Some(Role::Spare));
        assert_eq!(role_of("q.diskqueue.lock"), Some(Role::Lock));
        let bad = Some(Role::QuarantinedSegment(7));
        assert_eq!(role_of("q.diskqueue.000007.dat.bad"), bad);
        assert_eq!(role_of("q.diskqueue.000007.dat.bad.12"), bad);
        assert_eq!(
            role_of("q.diskqueue.meta.dat.bad"),
            Some(Role::QuarantinedMeta)
        );
        for foreign in [
            "q.diskqueue.00007.dat",
            "q.diskqueue.0000007.dat",
            "q.diskqueue.000007.dat.bad.0",
            "q.diskqueue.000007.dat.bad.01",
            "q.diskqueue.000007.DAT",
            "q.diskqueue.9223372036854775808.dat",
            "q.diskqueue.meta.dat.tmp",
            "q.diskqueue.meta.dat.x1.tmp",
            "q.diskqueue.000000.dat.diskqueue.meta.dat",
            "qq.diskqueue.meta.dat",
            "q.diskqueue.",
            "q",
        ] {
            assert_eq!(role_of(foreign), None, "{foreign}");
        }
    }

    #[test]
    fn a_name_that_looks_like_a_segment_has_its_own_files() {
        let name = b"q.diskqueue.000000.dat.diskqueue.meta.dat";
        assert_eq!(
            owner(name),
            Some((b"q.diskqueue.000000.dat".as_slice(), Role::Meta))
        );
        assert_eq!(
            owner(b"q.diskqueue.lock"),
            Some((b"q".as_slice(), Role::Lock))
        );
        assert_eq!(owner(b"unrelated"), None);
    }

    #[test]
    fn paths_have_six_digits_or_more() {
        let mut paths = Paths::new(Path::new("/d"), OsStr::new("a%d"));
        assert_eq!(paths.segment(0), Path::new("/d/a%d.diskqueue.000000.dat"));
        assert_eq!(
            paths.sums(1_234_567),
            Path::new("/d/a%d.diskqueue.1234567.sums")
        );
        assert_eq!(
            paths.segment(NUMBER_MAX),
            Path::new("/d/a%d.diskqueue.9223372036854775807.dat")
        );
        assert_eq!(paths.meta, Path::new("/d/a%d.diskqueue.meta.dat"));
    }
}
