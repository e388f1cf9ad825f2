//! The directory afterwards, byte for byte but for what may be otherwise.

use super::run::Bench;
use super::stages::Expected;
use super::vector::{Bytes, Name};
use crashline::fs::{FileKind, Fs, list_names, read_file};
use std::collections::BTreeMap;
use std::path::Path;

/// The regular files of the directory.
pub(super) fn files(bench: &Bench) -> Result<BTreeMap<Name, Vec<u8>>, String> {
    files_of(bench.fs.as_ref(), &bench.directory)
}

/// The regular files of a directory.
pub(super) fn files_of(fs: &dyn Fs, directory: &Path) -> Result<BTreeMap<Name, Vec<u8>>, String> {
    let names = list_names(fs, directory);
    let mut files = BTreeMap::new();
    for name in names.map_err(|error| format!("the directory: {error}"))? {
        let path = directory.join(&name);
        let wrong = |error| format!("{}: {error}", path.display());
        if fs.stat(&path).map_err(wrong)?.kind != FileKind::Regular {
            continue;
        }
        let bytes = read_file(fs, &path, usize::MAX).map_err(wrong)?;
        files.insert(Name::of(&name), bytes);
    }
    Ok(files)
}

/// Compares the directory with what must be there.
pub(super) fn compare(bench: &Bench, expected: &[Expected]) -> Result<(), String> {
    compare_files(files(bench)?, expected, bench.own_boot)
}

/// Compares files with those that must be there; in another boot some bytes may be others.
pub(super) fn compare_files(
    mut found: BTreeMap<Name, Vec<u8>>,
    expected: &[Expected],
    own_boot: bool,
) -> Result<(), String> {
    for file in expected {
        let name = &file.name;
        let Some(bytes) = found.remove(name) else {
            if file.optional {
                continue;
            }
            return Err(format!("{name:?} is not there"));
        };
        if let Some(Bytes(start)) = &file.begins_b64
            && !bytes.starts_with(start)
        {
            let found = bytes.escape_ascii();
            return Err(format!("{name:?} begins otherwise: {found}"));
        }
        let Some(Bytes(wanted)) = &file.data_b64 else {
            continue;
        };
        let is_same = match own_boot {
            true => masked(&bytes, file) == masked(wanted, file),
            false => bytes == *wanted,
        };
        if !is_same {
            let found = bytes.escape_ascii();
            return Err(format!("{name:?} has these bytes: {found}"));
        }
    }
    match found.first_key_value() {
        None => Ok(()),
        Some((name, _)) => Err(format!("{name:?} should not be there")),
    }
}

fn masked(bytes: &[u8], file: &Expected) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for varies in &file.varies {
        let end = varies.offset.saturating_add(varies.size);
        if let Some(part) = bytes.get_mut(varies.offset..end) {
            part.fill(b'?');
        }
    }
    bytes
}
