//! `dump` of offset stores: where the table of each comes from, and the offsets.
//!
//! A line has a `kind`: `offsets` (one for each client's file), `offset` or `gap`. `source` is
//! `main`, `temporary`, `backup`, `new` (nothing but what does not count) or `lost`: file and
//! backup are both damaged.

use super::entries::Entry;
use super::teller::Teller;
use crate::cli::failure::Failure;
use crate::cli::files::{read_bytes, reason};
use crate::cli::offsets::line;
use crate::simfs::{SimFs, TreeEntry};
use crashline::offsets::format::BYTES_MAX;
use crashline::offsets::{Dialect, OffsetStore, Opened, Options, Source};
use serde_json::json;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The names of the clients' files.
const FILES: [(&str, Dialect); 2] = [
    ("offset.json", Dialect::Go),
    ("offsets.json", Dialect::Java),
];
const ENDINGS: [&str; 3] = ["", ".bak", ".tmp"];
/// A place in memory as the store has it: client and group.
const INSIDE: [&str; 3] = ["/data", "/data/client", "/data/client/group"];

/// Whether a name is that of a client's file of offsets, or of what becomes one.
pub(super) fn is_of_a_store(name: &OsStr) -> bool {
    let mut names = FILES
        .iter()
        .flat_map(|(name, _)| ENDINGS.map(|ending| format!("{name}{ending}")));
    names.any(|one| name == one.as_str())
}

/// Whether a name is that of the lock of a store.
pub(super) fn is_lock(name: &OsStr) -> bool {
    name == "offsets.lock"
}

/// Writes the lines of the offset files that a directory holds.
pub(super) fn dump_offsets(entries: &[Entry], teller: &mut Teller<'_>) -> Result<(), Failure> {
    for (name, dialect) in FILES {
        let hint = "make the files of the store readable, or look at a copy of them";
        let loaded = loaded(entries, &teller.directory, name);
        let mut refuse = |words: &str| teller.error(Some(OsStr::new(name)), words, hint);
        let fs = match loaded {
            Ok(None) => continue,
            Ok(Some(fs)) => fs,
            Err(error) => {
                refuse(&reason(&error))?;
                continue;
            }
        };
        let options = Options {
            dialect,
            ..Options::default()
        };
        let (client, group) = (OsStr::new("client"), OsStr::new("group"));
        let root = Path::new("/data");
        match OffsetStore::open_read_only(Arc::new(fs), root, client, group, options) {
            Err(error) => refuse(&error.to_string())?,
            Ok(opened) => write(entries, name, &opened, teller)?,
        }
    }
    Ok(())
}

fn write(
    entries: &[Entry],
    name: &str,
    opened: &Opened,
    teller: &mut Teller<'_>,
) -> Result<(), Failure> {
    let source = match opened.source {
        Source::New => "new",
        Source::Main => "main",
        Source::Temporary => "temporary",
        Source::Backup => "backup",
        Source::Lost => "lost",
    };
    teller.found(json!({ "kind": "offsets", "file": name, "source": source }))?;
    for loss in &opened.losses {
        let mut loss = loss.clone();
        // What is too large stands in memory as something small.
        let entry = entries.iter().find(|entry| entry.name == loss.file);
        if let Some(entry) = entry.filter(|entry| entry.size > BYTES_MAX as u64) {
            loss.size = entry.size;
        }
        teller.gap("offsets", OsStr::new(name), &loss)?;
    }
    let table = opened.store.table();
    let table = table.map_err(|error| Failure::internal(error.to_string()))?;
    for (queue, offset) in table {
        teller.offset(line(queue, *offset))?;
    }
    Ok(())
}

/// The files of one client's store, in memory; `None` if there is none.
fn loaded(entries: &[Entry], directory: &Path, name: &str) -> io::Result<Option<SimFs>> {
    let mut tree: Vec<(PathBuf, TreeEntry)> = INSIDE
        .iter()
        .map(|path| (PathBuf::from(path), TreeEntry::Directory))
        .collect();
    let place = Path::new("/data/client/group");
    for ending in ENDINGS {
        let name = format!("{name}{ending}");
        let Some(entry) = entries.iter().find(|entry| entry.name == name.as_str()) else {
            continue;
        };
        let entry = match (entry.what, &entry.problem) {
            ("file", None) => TreeEntry::File(read_bytes(&directory.join(&name))?),
            // It counts as damaged, whatever it holds.
            ("file", Some(_)) => TreeEntry::File(b"?".to_vec()),
            _ => TreeEntry::Special,
        };
        tree.push((place.join(name), entry));
    }
    if tree.len() == INSIDE.len() {
        return Ok(None);
    }
    SimFs::from_tree(&tree).map(Some)
}
