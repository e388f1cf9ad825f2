//! The directory afterwards, byte for byte but for what may be otherwise.

use super::run::Bench;
use super::stages::Expected;
use super::vector::{Bytes, Name};
use crashline::fs::{FileKind, list_names, read_file};
use std::collections::BTreeMap;

/// The regular files of the directory.
pub(super) fn files(bench: &Bench) -> Result<BTreeMap<Name, Vec<u8>>, String> {
    let names = list_names(bench.fs.as_ref(), &bench.directory);
    let mut files = BTreeMap::new();
    for name in names.map_err(|error| format!("the directory: {error}"))? {
        let path = bench.directory.join(&name);
        let wrong = |error| format!("{}: {error}", path.display());
        if bench.fs.stat(&path).map_err(wrong)?.kind != FileKind::Regular {
            continue;
        }
        let bytes = read_file(bench.fs.as_ref(), &path, usize::MAX).map_err(wrong)?;
        files.insert(Name::of(&name), bytes);
    }
    Ok(files)
}

/// Compares the directory with what must be there.
pub(super) fn compare(bench: &Bench, expected: &[Expected]) -> Result<(), String> {
    let mut found = files(bench)?;
    for file in expected {
        let name = &file.name;
        let Some(bytes) = found.remove(name) else {
            if file.optional {
                continue;
            }
            return Err(format!("{name:?} is not there"));
        };
        let Some(Bytes(wanted)) = &file.data_b64 else {
            continue;
        };
        let is_same = match bench.own_boot {
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
