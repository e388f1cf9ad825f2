//! `dump` of the directory of an offset store: where its table comes from, and the offsets.
//!
//! A line has a `kind`: `offsets` (one for each client's file), `offset` or `gap`. `source` is
//! `main`, `temporary`, `backup`, `new` (nothing but what does not count) or `lost`: file and
//! backup are both damaged.

use super::dump::gap;
use super::failure::Failure;
use super::files::{read_bytes, reason};
use super::offsets::line;
use super::output::Output;
use crate::simfs::{SimFs, TreeEntry};
use crashline::fs::{FileKind, Fs, RealFs};
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

/// Writes the lines of the offset files that a directory holds. Says whether there are any, and
/// whether there is damage.
pub(super) fn dump_offsets(directory: &Path, output: &mut Output) -> Result<Dumped, Failure> {
    let mut dumped = Dumped {
        found: false,
        harmed: false,
    };
    for (name, dialect) in FILES {
        let unusable = |words: &str| {
            let path = directory.join(name);
            Failure::usage(format!("cannot use {}: {words}", path.display()))
        };
        let Some(fs) = loaded(directory, name).map_err(|error| unusable(&reason(&error)))? else {
            continue;
        };
        let options = Options {
            dialect,
            ..Options::default()
        };
        let (client, group) = (OsStr::new("client"), OsStr::new("group"));
        let root = Path::new("/data");
        let opened = OffsetStore::open_read_only(Arc::new(fs), root, client, group, options)
            .map_err(|error| unusable(&error.to_string()))?;
        dumped.found = true;
        dumped.harmed |= !opened.losses.is_empty();
        write(directory, name, &opened, output)?;
    }
    Ok(dumped)
}

/// Whether a directory has a client's file of offsets, or what becomes one.
pub(super) fn has_offsets(directory: &Path) -> bool {
    let mut names = FILES
        .iter()
        .flat_map(|(name, _)| ENDINGS.map(|ending| format!("{name}{ending}")));
    names.any(|name| RealFs.stat(&directory.join(name)).is_ok())
}

/// What a directory holds of offset stores.
pub(super) struct Dumped {
    /// There is one.
    pub(super) found: bool,
    /// Something is damaged.
    pub(super) harmed: bool,
}

fn write(
    directory: &Path,
    name: &str,
    opened: &Opened,
    output: &mut Output,
) -> Result<(), Failure> {
    let source = match opened.source {
        Source::New => "new",
        Source::Main => "main",
        Source::Temporary => "temporary",
        Source::Backup => "backup",
        Source::Lost => "lost",
    };
    output.line(&json!({ "kind": "offsets", "file": name, "source": source }).to_string())?;
    for loss in &opened.losses {
        output.line(&gap("offsets", name, loss, directory).to_string())?;
    }
    let table = opened.store.table();
    let table = table.map_err(|error| Failure::internal(error.to_string()))?;
    for (queue, offset) in table {
        output.line(&line(queue, *offset).to_string())?;
    }
    Ok(())
}

/// The files of one client's store, in memory; `None` if there is none.
fn loaded(directory: &Path, name: &str) -> io::Result<Option<SimFs>> {
    let mut tree: Vec<(PathBuf, TreeEntry)> = INSIDE
        .iter()
        .map(|path| (PathBuf::from(path), TreeEntry::Directory))
        .collect();
    let place = Path::new("/data/client/group");
    for ending in ENDINGS {
        let name = format!("{name}{ending}");
        let path = directory.join(&name);
        let entry = match RealFs.stat(&path).map(|stat| stat.kind) {
            Ok(FileKind::Regular) => TreeEntry::File(read_bytes(&path)?),
            Ok(FileKind::Directory | FileKind::Other) => TreeEntry::Special,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        tree.push((place.join(name), entry));
    }
    if tree.len() == INSIDE.len() {
        return Ok(None);
    }
    SimFs::from_tree(&tree).map(Some)
}
