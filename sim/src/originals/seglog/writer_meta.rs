//! The writer's meta: `COUNT\nSEGMENT,POSITION,OFFSET\n` and the seal, rewritten in place, with a
//! copy without a seal written before it.

use super::error::LogError;
use super::names::{Names, PERMISSIONS};
use super::sealed::{break_seal, check_seal, write_sealed};
use super::sequential::SequentialFile;
use crate::originals::scan::Scan;
use crate::originals::temporary::{ignore, rename_numbered};
use crate::scenario::LogPosition;
use crashline::fs::{Fs, OpenMode};
use std::io;

/// Loads the write end. A meta that is not sealed is an error all the same when it was put aside
/// and replaced by the copy, which `fix` asks for: only the next open takes the copy.
pub(super) fn load(
    fs: &dyn Fs,
    names: &Names,
    fix: bool,
    number: &mut u64,
) -> Result<LogPosition, LogError> {
    let file = fs.open(&names.writer_meta(), OpenMode::Read, PERMISSIONS)?;
    let mut scan = Scan::new(file.as_ref());
    let mut end = LogPosition::default();
    scan.number(&mut end.count)?;
    scan.line_end()?;
    scan.number_line([&mut end.segment, &mut end.position, &mut end.offset])?;
    match check_seal(&mut scan) {
        Err(error) => {
            if fix {
                take_copy(fs, names, number);
            }
            Err(error)
        }
        Ok(()) => Ok(end),
    }
}

fn take_copy(fs: &dyn Fs, names: &Names, number: &mut u64) {
    let meta = names.writer_meta();
    let corrupt = |number| names.corrupt_writer_meta(number);
    if rename_numbered(fs, &meta, number, corrupt).is_ok()
        && fs.rename(&names.spare_writer_meta(), &meta).is_err()
    {
        ignore(fs.rename(&corrupt(*number), &meta));
    }
}

/// Stores the write end. The copy is never synced; a failed sync of the meta goes unnoticed.
pub(super) fn store(fs: &dyn Fs, names: &Names, end: LogPosition, fsync: bool) -> io::Result<()> {
    let LogPosition {
        segment,
        position,
        offset,
        count,
    } = end;
    let text = format!("{count}\n{segment},{position},{offset}\n");
    let spare = names.spare_writer_meta();
    let mut copy = SequentialFile::open(fs, &spare, OpenMode::Truncate)?;
    copy.write_all(text.as_bytes()).1?;
    drop(copy);
    let mut file = SequentialFile::open(fs, &names.writer_meta(), OpenMode::Create)?;
    // Where this fails the text goes wherever the cursor was left.
    ignore(break_seal(&mut file));
    write_sealed(&mut file, &text)?;
    if fsync {
        ignore(file.sync());
    }
    Ok(())
}
