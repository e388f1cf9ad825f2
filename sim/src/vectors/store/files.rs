//! What is in the store's directory, and below the root.

use super::super::vector::{Bytes, Name};
use super::bench::{Bench, dialect, told_table, words};
use super::stages::StoreFile;
use crashline::fs::{FileKind, Fs, list_names, read_file};
use crashline::offsets::format::parse;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

/// The names of a directory, and the bytes of those that stand for files.
pub(super) type Found = BTreeMap<Name, Option<Vec<u8>>>;

/// What is in the store's directory; nothing where that is missing.
pub(super) fn files_of(bench: &Bench) -> Result<Found, String> {
    let (fs, directory) = (bench.fs.as_ref(), bench.directory());
    let mut found = Found::new();
    if fs.stat(&directory).is_err() {
        return Ok(found);
    }
    for name in list_names(fs, &directory).map_err(words)? {
        let path = directory.join(&name);
        let bytes = match fs.stat(&path).map_err(words)?.kind {
            FileKind::Regular => Some(read_file(fs, &path, usize::MAX).map_err(words)?),
            FileKind::Directory | FileKind::Other => None,
        };
        found.insert(Name::of(&name), bytes);
    }
    Ok(found)
}

/// Compares the store's directory with what must be there.
pub(super) fn compare(bench: &Bench, expected: &[StoreFile]) -> Result<(), String> {
    let mut found = files_of(bench)?;
    for file in expected {
        let name = &file.name;
        match found.remove(name) {
            None if file.optional => {}
            None => return Err(format!("{name:?} is not there")),
            Some(bytes) => is_as_expected(bench, file, bytes.as_deref())
                .map_err(|problem| format!("{name:?} {problem}"))?,
        }
    }
    match found.first_key_value() {
        None => Ok(()),
        Some((name, _)) => Err(format!("{name:?} should not be there")),
    }
}

fn is_as_expected(bench: &Bench, file: &StoreFile, bytes: Option<&[u8]>) -> Result<(), String> {
    let Some(bytes) = bytes else {
        return match file.directory {
            true => Ok(()),
            false => Err("is no file".to_owned()),
        };
    };
    if file.directory {
        return Err("is no directory".to_owned());
    }
    if let Some(Bytes(wanted)) = &file.data_b64
        && bytes != wanted
    {
        return Err(format!("has these bytes: {}", bytes.escape_ascii()));
    }
    let Some(wanted) = &file.holds else {
        return Ok(());
    };
    let document = parse(bytes).map_err(|error| format!("is damaged: {error}"))?;
    let is_ours = document.noted
        && document
            .dialect
            .is_none_or(|found| found == dialect(bench.options.dialect));
    match told_table(&document.table) == *wanted && is_ours {
        true => Ok(()),
        false => Err(format!("holds {document:?}")),
    }
}

/// All directories below the root, as paths, each before those in it.
pub(super) fn directories_of(bench: &Bench) -> Result<Vec<Name>, String> {
    let mut found = Vec::new();
    add_directories(bench.fs.as_ref(), &bench.root, &bench.root, &mut found)?;
    Ok(found)
}

fn add_directories(
    fs: &dyn Fs,
    root: &Path,
    directory: &Path,
    found: &mut Vec<Name>,
) -> Result<(), String> {
    for name in list_names(fs, directory).map_err(words)? {
        let path = directory.join(name);
        if fs.stat(&path).map_err(words)?.kind == FileKind::Directory {
            let below: &OsStr = path.strip_prefix(root).map_err(words)?.as_os_str();
            found.push(Name::of(below));
            add_directories(fs, root, &path, found)?;
        }
    }
    Ok(())
}
