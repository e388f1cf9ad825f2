//! The few files that commands read and write for their user: replay files, and nothing else.
#![expect(
    clippy::disallowed_methods,
    reason = "the user's own files, links and pipes included, are no business of an engine"
)]

use super::failure::Failure;
use crashline::fs::{RealFs, read_file};
use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::Path;

/// The largest file that is read: as much as an offset store reads (`corpus/formats/offsets.md`). A
/// replay file has some kilobytes.
const BYTES_MAX: u64 = 256 * 1024 * 1024;

/// The text of a file.
pub(super) fn read_text(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(BYTES_MAX).read_to_string(&mut text));
    match read {
        Ok(_) => Ok(text),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(Failure::usage(format!(
            "{} is not a text file",
            path.display()
        ))),
        Err(error) => {
            let error = reason(&error);
            Err(Failure::usage(format!(
                "cannot read {}: {error}",
                path.display()
            )))
        }
    }
}

/// The bytes of a file, unless it is too large to be held.
pub(super) fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let bytes_max = usize::try_from(BYTES_MAX).unwrap_or(usize::MAX);
    let bytes = read_file(&RealFs, path, bytes_max + 1)?;
    match bytes.len() > bytes_max {
        true => Err(io::Error::other(format!(
            "it is larger than {BYTES_MAX} bytes"
        ))),
        false => Ok(bytes),
    }
}

/// What a name stands for, in a word, and the size of a file; links are not followed.
pub(super) fn kind_of(path: &Path) -> io::Result<(&'static str, u64)> {
    let metadata = fs::symlink_metadata(path)?;
    let kind = metadata.file_type();
    let word = if kind.is_file() {
        return Ok(("file", metadata.len()));
    } else if kind.is_dir() {
        "directory"
    } else if kind.is_symlink() {
        "link"
    } else if kind.is_fifo() {
        "FIFO"
    } else if kind.is_socket() {
        "socket"
    } else {
        "device"
    };
    Ok((word, 0))
}

/// Refuses a folder to write into whose place, or that of a folder above it, a file has taken.
pub(super) fn refuse_no_folder(folder: &Path) -> Result<(), Failure> {
    let first = folder.ancestors().find_map(|path| fs::metadata(path).ok());
    match first {
        Some(metadata) if !metadata.is_dir() => Err(Failure::usage(format!(
            "cannot write into {}: it is no directory",
            folder.display()
        ))),
        Some(_) | None => Ok(()),
    }
}

/// Writes a file whole, its folder created where it is missing. Where that fails what was there
/// before is there still.
pub(super) fn write_text(path: &Path, text: &str) -> Result<(), Failure> {
    replace(path, text).map_err(|error| {
        let error = reason(&error);
        Failure::usage(format!("cannot write {}: {error}", path.display()))
    })
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    // A link stays one: what it points to is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
        // A pipe or a device is written to; a directory says that it is one.
        return fs::write(&path, text);
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        Some(_) | None => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let permissions = Permissions::from_mode(0o666);
    let mut temporary = tempfile::Builder::new()
        .permissions(permissions)
        .tempfile_in(folder)?;
    temporary.write_all(text.as_bytes())?;
    temporary.persist(&path)?;
    Ok(())
}

/// Removes a file.
pub(super) fn remove_file(path: &Path) -> Result<(), Failure> {
    fs::remove_file(path).map_err(|error| {
        let error = reason(&error);
        Failure::usage(format!("cannot remove {}: {error}", path.display()))
    })
}

/// The error in words, without the number that people do not know.
pub(super) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let words = text.split(" (os error").next().unwrap_or(&text);
    words.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again_and_folders_come_by_themselves() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/c.json");
        write_text(&path, "first, and longer").unwrap();
        write_text(&path, "second").unwrap();
        assert_eq!(read_text(&path).unwrap(), "second");
        let beside = fs::read_dir(folder.path().join("a/b")).unwrap().count();
        assert_eq!(beside, 1, "nothing is left beside it");
    }

    #[test]
    fn what_cannot_be_written_leaves_what_was_there() {
        // A full device takes nothing.
        assert!(write_text(Path::new("/dev/full"), "x").is_err());
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("file"), folder.path().join("link"));
        write_text(&path, "kept").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write_text(&link, "through the link").unwrap();
        assert_eq!(read_text(&path).unwrap(), "through the link");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(write_text(folder.path(), "x").is_err());
    }

    #[test]
    fn a_missing_file_is_one_sentence() {
        let failure = read_text(Path::new("does/not/exist.json")).unwrap_err();
        let sentence = "cannot read does/not/exist.json: no such file or directory";
        assert_eq!(failure.sentence, sentence);
    }

    #[test]
    fn a_file_that_is_far_too_large_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large");
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        let error = read_bytes(&path).unwrap_err();
        assert_eq!(reason(&error), "it is larger than 268435456 bytes");
        assert!(refuse_no_folder(&path.join("below")).is_err());
        assert!(refuse_no_folder(&folder.path().join("a/b")).is_ok());
    }

    #[test]
    fn a_folder_that_is_a_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        write_text(&file, "x").unwrap();
        assert!(write_text(&file.join("y"), "z").is_err());
        assert_eq!(read_text(&file).unwrap(), "x");
    }
}
