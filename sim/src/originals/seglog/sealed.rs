//! Metas that are rewritten in place: text, and two bytes behind it that say that it is whole.
//!
//! The two bytes are overwritten with zeros before the text changes, and written again after it.
//! What follows them is never looked at; a text with nothing behind it counts as whole (files of
//! older versions have none).

use super::error::LogError;
use super::sequential::SequentialFile;
use crate::originals::scan::Scan;
use crate::originals::temporary::ignore;
use std::io;

const SEAL: [u8; 2] = [0xae, 0x83];

/// Looks at what follows the text that was scanned.
pub(super) fn check_seal(scan: &mut Scan<'_>) -> Result<(), LogError> {
    match scan.rest(SEAL.len()) {
        Ok(rest) if rest.is_empty() || rest == SEAL => Ok(()),
        Ok(_) | Err(_) => Err(LogError::Unsealed),
    }
}

/// Overwrites the last two bytes and goes back to the start; an error leaves the cursor anywhere.
pub(super) fn break_seal(file: &mut SequentialFile) -> io::Result<()> {
    ignore(file.seek_before_end(SEAL.len() as u64));
    file.write_all(&[0; SEAL.len()]).1?;
    file.seek(0);
    Ok(())
}

/// Writes text and seal; the file ends behind them even where the seal was written in part.
pub(super) fn write_sealed(file: &mut SequentialFile, text: &str) -> io::Result<()> {
    let (written, result) = file.write_all(text.as_bytes());
    result?;
    let (sealed, result) = file.write_all(&SEAL);
    let size = i64::try_from(written + sealed).unwrap_or(i64::MAX);
    ignore(file.set_size(size));
    result
}
