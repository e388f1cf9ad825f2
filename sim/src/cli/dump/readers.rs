//! The readers of a log: where the open of each would find it, by which row of the format's table.

use super::log::{gaps, place};
use super::teller::{Teller, name};
use crate::cli::failure::Failure;
use crashline::fs::{Fs, list_names};
use crashline::seglog::format::reader_of_any_meta;
use crashline::seglog::{LogWriter, ReaderFile};
use serde_json::json;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

/// Writes a line for each reader that the log knows, and for those that have a meta of any version
/// and are not called after another log.
pub(super) fn readers(
    fs: &Arc<dyn Fs>,
    log: &OsStr,
    logs: &BTreeSet<OsString>,
    writer: &LogWriter,
    teller: &mut Teller<'_>,
) -> Result<(), Failure> {
    let mut readers = writer.readers_named().unwrap_or_default();
    let names = list_names(fs.as_ref(), &teller.directory).unwrap_or_default();
    let metas = names
        .iter()
        .filter_map(|name| reader_of_any_meta(name.as_bytes()));
    let others: Vec<&OsString> = logs.iter().filter(|other| *other != log).collect();
    let is_anothers = |reader: &[u8]| {
        others.iter().any(|other| {
            let rest = reader.strip_prefix(other.as_bytes());
            rest.is_some_and(|rest| rest.starts_with(b":"))
        })
    };
    readers.extend(
        metas
            .filter(|reader| !is_anothers(reader))
            .map(|reader| OsStr::from_bytes(reader).to_owned()),
    );
    for reader in readers {
        tell(log, &reader, writer, teller)?;
    }
    Ok(())
}

fn tell(
    log: &OsStr,
    reader: &OsStr,
    writer: &LogWriter,
    teller: &mut Teller<'_>,
) -> Result<(), Failure> {
    let look = match writer.look_at_reader(reader) {
        Ok(look) if !look.is_known => return Ok(()),
        Ok(look) => look,
        Err(error) => {
            let why = format!("reader {}: {error}", reader.display());
            return teller.error(None, &why, "put its meta back from a copy");
        }
    };
    let (row, why) = look.row.told();
    let from = look.from.map(|from| match from {
        ReaderFile::Meta => "meta",
        ReaderFile::Copy => "copy",
        ReaderFile::Older => "older version",
    });
    let end = writer.read_end().position.count;
    let mut line = json!({
        "kind": "reader",
        "confirmed": place(&look.at),
        "depth": end.saturating_sub(look.at.count),
        "row": row,
        "why": why,
        "from": from,
        "damaged": !look.losses.is_empty(),
    });
    name(&mut line, "log", log);
    name(&mut line, "reader", reader);
    teller.tell(line)?;
    gaps(log, &look.losses, teller)
}
