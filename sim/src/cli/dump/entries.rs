//! The names in a directory: what each is, and whether it can be read.

use super::offsets::{is_lock, is_of_a_store};
use crate::cli::files::{kind_of, reason};
use crashline::fs::{Fs, OpenMode, RealFs, list_names, read_up_to};
use crashline::offsets::format::BYTES_MAX;
use crashline::{diskqueue, seglog};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// What an engine makes of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// A file of the queue or log of this name.
    Of(OsString),
    /// A meta of a reader.
    Reader,
    /// A file of an offset store.
    Store,
    /// Kept aside, why.
    Kept(&'static str),
    /// None of these.
    Other,
}

/// A name in a directory.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: OsString,
    pub(super) part: Part,
    /// `file`, `directory`, `FIFO` ...
    pub(super) what: &'static str,
    pub(super) size: u64,
    /// Why an engine cannot use it.
    pub(super) problem: Option<String>,
}

/// Looks at a directory.
pub(super) fn entries(fs: &dyn Fs, directory: &Path) -> io::Result<Vec<Entry>> {
    let mut names = list_names(&RealFs, directory)?;
    names.sort_unstable();
    Ok(names
        .into_iter()
        .map(|name| entry(fs, directory, name))
        .collect())
}

fn entry(fs: &dyn Fs, directory: &Path, name: OsString) -> Entry {
    let path = directory.join(&name);
    let part = part(&name);
    let (what, size) = kind_of(&path).unwrap_or(("file", 0));
    let is_read = match part {
        Part::Of(_) | Part::Reader | Part::Store => true,
        Part::Kept(_) | Part::Other => false,
    };
    let problem = match what {
        _ if !is_read => None,
        "file" if part == Part::Store && size > BYTES_MAX as u64 => {
            Some(format!("it is larger than {BYTES_MAX} bytes"))
        }
        "file" => probe(fs, &path).err().map(|error| reason(&error)),
        _ => Some(format!("it is a {what}, not a file")),
    };
    Entry {
        name,
        part,
        what,
        size,
        problem,
    }
}

/// Whether a file can be opened and read at its two ends.
fn probe(fs: &dyn Fs, path: &Path) -> io::Result<()> {
    let file = fs.open(path, OpenMode::Read, 0)?;
    let last = file.size()?.saturating_sub(1);
    for offset in [0, last] {
        read_up_to(file.as_ref(), offset, &mut [0])?;
    }
    Ok(())
}

fn part(name: &OsStr) -> Part {
    use diskqueue::format::Role as InQueue;
    use seglog::format::Role as InLog;
    let bytes = name.as_bytes();
    let of = |owner: &[u8]| match owner {
        [] => Part::Other,
        owner => Part::Of(OsStr::from_bytes(owner).to_owned()),
    };
    match seglog::format::owner(bytes) {
        Some((_, InLog::QuarantinedSegment(_) | InLog::Quarantined | InLog::Corrupt)) => {
            return Part::Kept("quarantined");
        }
        Some((_, InLog::RolledBack(_))) => return Part::Kept("behind an end that was lowered"),
        Some((
            log,
            InLog::Segment(_)
            | InLog::Sidecar(_)
            | InLog::Sums(_)
            | InLog::WriterMeta
            | InLog::WriterCopy
            | InLog::StartMeta
            | InLog::StartTemporary
            | InLog::StartSpare
            | InLog::Cuts
            | InLog::CutsSpare
            | InLog::Lock
            | InLog::ReaderLock(_),
        )) => return of(log),
        None => {}
    }
    match diskqueue::format::owner(bytes) {
        Some((_, InQueue::QuarantinedSegment(_) | InQueue::QuarantinedMeta)) => {
            return Part::Kept("quarantined");
        }
        Some((
            queue,
            InQueue::Segment(_)
            | InQueue::Meta
            | InQueue::Temporary
            | InQueue::Spare
            | InQueue::Sums(_)
            | InQueue::Lock,
        )) => return of(queue),
        None => {}
    }
    if seglog::format::reader_of_any_meta(bytes).is_some() {
        return Part::Reader;
    }
    if is_of_a_store(name) || is_lock(name) {
        return Part::Store;
    }
    let of_kept = without_bad(bytes).map(OsStr::from_bytes);
    let is_kept = of_kept.is_some_and(|name| {
        seglog::format::reader_of_any_meta(name.as_bytes()).is_some() || is_of_a_store(name)
    });
    match is_kept {
        true => Part::Kept("quarantined"),
        false => Part::Other,
    }
}

/// What stands before `.bad` or `.bad.DIGITS`.
fn without_bad(name: &[u8]) -> Option<&[u8]> {
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit());
    let digits = digits.count();
    let plain = name.split_at(name.len() - digits).0;
    let plain = match digits {
        0 => plain,
        _ => plain.strip_suffix(b".")?,
    };
    plain.strip_suffix(b".bad")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::{FaultFs, FaultPlan};
    use std::sync::Arc;

    #[test]
    fn every_name_has_its_part() {
        let part_of = |name: &str| part(OsStr::new(name));
        for name in ["q.diskqueue.000000.dat.bad.1", "offsets.json.bak.bad"] {
            assert_eq!(part_of(name), Part::Kept("quarantined"), "{name}");
        }
        let meta = "t:c.diskqueue.meta.v2.reader.dat";
        assert_eq!(part_of(&format!("{meta}.bad")), Part::Kept("quarantined"));
        assert_eq!(part_of(meta), Part::Reader);
        assert_eq!(part_of("q.diskqueue.meta.dat"), Part::Of("q".into()));
        assert_eq!(part_of("offsets.lock"), Part::Store);
        for name in ["notes", ".bad", ".diskqueue.meta.dat", "a.bad.7"] {
            assert_eq!(part_of(name), Part::Other, "{name}");
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_a_problem_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.diskqueue.meta.dat", "b.diskqueue.meta.dat"] {
            let path = folder.path().join(name);
            RealFs.open(&path, OpenMode::CreateNew, 0o600).unwrap();
        }
        let plan = ["1- open on a.diskqueue*: EACCES".to_owned()];
        let plan = FaultPlan::parse(&plan).unwrap();
        let fs = FaultFs::over(Arc::new(RealFs), plan);
        let found = entries(&fs, folder.path()).unwrap();
        let problems: Vec<bool> = found.iter().map(|entry| entry.problem.is_some()).collect();
        assert_eq!(problems, [true, false]);
    }
}
