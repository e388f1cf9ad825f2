//! The paths of a store: `<root>/<client id>/<group>/` and the names in it.
//!
//! A client id and a group are names of directories, byte for byte: a colon, `%` or a letter
//! beyond ASCII stands for itself. Names that are none, or would lead elsewhere, are refused.

use super::document::Dialect;
use super::error::Error;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The most bytes that a name of a directory may have on common filesystems.
const PART_BYTES_MAX: usize = 255;

/// The paths of one store.
#[derive(Debug, Clone)]
pub(super) struct Paths {
    /// Exists already.
    pub(super) root: PathBuf,
    pub(super) client: PathBuf,
    pub(super) group: PathBuf,
    pub(super) main: PathBuf,
    pub(super) backup: PathBuf,
    pub(super) temporary: PathBuf,
    pub(super) lock: PathBuf,
}

impl Paths {
    pub(super) fn new(root: &Path, client: &OsStr, group: &OsStr, dialect: Dialect) -> Self {
        let client = root.join(client);
        let group = client.join(group);
        let main = group.join(match dialect {
            Dialect::Go => "offset.json",
            Dialect::Java => "offsets.json",
        });
        Self {
            root: root.to_owned(),
            backup: with_ending(&main, ".bak"),
            temporary: with_ending(&main, ".tmp"),
            lock: group.join("offsets.lock"),
            main,
            client,
            group,
        }
    }

    /// Whether a name in the directory is that of a file kept aside.
    pub(super) fn is_kept_aside(&self, name: &OsStr) -> bool {
        [&self.main, &self.backup].into_iter().any(|path| {
            let own = path.file_name().unwrap_or_default().as_bytes();
            let ending = name.as_bytes().strip_prefix(own);
            ending.is_some_and(|ending| match ending.strip_prefix(b".bad") {
                Some([]) => true,
                Some([b'.', b'1'..=b'9', digits @ ..]) => digits.iter().all(u8::is_ascii_digit),
                Some(_) | None => false,
            })
        })
    }
}

/// The name under which a file is kept aside, at the attempt with this number.
pub(super) fn aside(path: &Path, index: u64) -> PathBuf {
    match index {
        0 => with_ending(path, ".bad"),
        _ => with_ending(path, &format!(".bad.{index}")),
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

/// Refuses a part of the path that is no name of a directory of its own.
pub(super) fn check_part(part: &OsStr) -> Result<(), Error> {
    let bytes = part.as_bytes();
    let reason = if bytes.is_empty() {
        "a client id or group has at least one byte"
    } else if matches!(bytes, b"." | b"..") {
        "a client id or group is neither `.` nor `..`"
    } else if bytes.iter().any(|byte| matches!(byte, 0 | b'/')) {
        "a client id or group holds neither a slash nor a zero byte"
    } else if bytes.len() > PART_BYTES_MAX {
        "a client id or group has at most 255 bytes"
    } else {
        return Ok(());
    };
    Err(Error::Refused { reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbered_endings_are_kept_aside() {
        let paths = Paths::new(
            Path::new("r"),
            OsStr::new("c"),
            OsStr::new("g"),
            Dialect::Go,
        );
        let is_kept = |name: &str| paths.is_kept_aside(OsStr::new(name));
        for name in [
            "offset.json.bad",
            "offset.json.bad.10",
            "offset.json.bak.bad",
        ] {
            assert!(is_kept(name), "{name}");
        }
        for name in [
            "offset.json",
            "offset.json.bad.0",
            "offset.json.bad.01",
            "offset.json.bad.",
            "offset.json.badly",
            "offsets.json.bad",
        ] {
            assert!(!is_kept(name), "{name}");
        }
        assert_eq!(
            aside(&paths.backup, 2),
            Path::new("r/c/g/offset.json.bak.bad.2")
        );
    }

    #[test]
    fn parts_stay_below_the_root() {
        let long = "x".repeat(255);
        for part in ["10.0.0.1@77", "::1%eth0", "%s", "\u{7ec4}", "...", &long] {
            assert!(check_part(OsStr::new(part)).is_ok(), "{part}");
        }
        let too_long = "x".repeat(256);
        for part in ["", ".", "..", "a/b", "/", "a\0", &too_long] {
            assert!(check_part(OsStr::new(part)).is_err(), "{part}");
        }
    }
}
