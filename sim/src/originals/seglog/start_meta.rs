//! Where the log starts, as JSON, replaced through a temporary file; never synced.

use super::json::{Members, is_null, parse_integer};
use super::names::{Names, PERMISSIONS};
use super::sequential::SequentialFile;
use crate::originals::temporary::create_numbered;
use crate::scenario::LogPosition;
use crashline::fs::{Fs, read_file};
use std::io;

/// Loads the start. Keys that are missing leave zeros; those that are not known are passed over.
pub(super) fn load(fs: &dyn Fs, names: &Names) -> io::Result<LogPosition> {
    let bytes = read_file(fs, &names.start_meta(), usize::MAX)?;
    // Bytes that are no text can only stand within a key here, which then is none of those known.
    let text = String::from_utf8_lossy(&bytes);
    let mut start = LogPosition::default();
    for (key, value) in Members::parse(&text)?.iter() {
        if is_null(value) {
            continue;
        }
        if key.is("SegOffset") {
            load_place(value, &mut start)?;
        } else if key.is("VirtualOffset") {
            start.offset = parse_integer(value)?;
        } else if key.is("TotalMsgCnt") {
            start.count = parse_integer(value)?;
        }
    }
    Ok(start)
}

fn load_place(text: &str, start: &mut LogPosition) -> io::Result<()> {
    for (key, value) in Members::parse(text)?.iter() {
        if is_null(value) {
            continue;
        }
        if key.is("FileNum") {
            start.segment = parse_integer(value)?;
        } else if key.is("Pos") {
            start.position = parse_integer(value)?;
        }
    }
    Ok(())
}

/// Replaces the start meta. An error leaves the temporary file.
pub(super) fn store(
    fs: &dyn Fs,
    names: &Names,
    start: &LogPosition,
    number: &mut u64,
) -> io::Result<()> {
    let temporary = |number| names.temporary_start_meta(number);
    let file = create_numbered(fs, number, PERMISSIONS, temporary)?;
    let LogPosition {
        segment,
        position,
        offset,
        count,
    } = start;
    let text = format!(
        "{{\"SegOffset\":{{\"FileNum\":{segment},\"Pos\":{position}}},\
         \"VirtualOffset\":{offset},\"TotalMsgCnt\":{count}}}"
    );
    SequentialFile::new(file).write_all(text.as_bytes()).1?;
    fs.rename(&temporary(*number), &names.start_meta())
}
