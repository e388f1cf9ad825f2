//! What the metas of a log say of it.

use crashline::fs::{BootId, Fs, read_file};
use crashline::seglog::format::{
    META_BYTES, WriterMeta, WriterNote, WriterState, parse_writer_meta,
};
use std::ffi::OsStr;
use std::io;
use std::path::Path;

/// Both copies of the writer meta.
fn metas(fs: &dyn Fs, directory: &Path, log: &OsStr) -> [WriterMeta; 2] {
    ["meta.writer.dat", "meta.writer.dat.tmp"].map(|ending| {
        let mut name = log.to_owned();
        name.push(".diskqueue.");
        name.push(ending);
        match read_file(fs, &directory.join(name), META_BYTES + 1) {
            Ok(bytes) => parse_writer_meta(&bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => WriterMeta::Absent,
            Err(_) => WriterMeta::Damaged,
        }
    })
}

/// The newest note.
fn newest(metas: &[WriterMeta; 2]) -> Option<WriterNote> {
    let notes = metas.iter().filter_map(|meta| match meta {
        WriterMeta::Noted(_, note) => Some(*note),
        WriterMeta::Absent | WriterMeta::Bare(_) | WriterMeta::Damaged => None,
    });
    notes.max_by_key(|note| (note.generation, note.sequence))
}

/// The boot that the newest copy of the writer meta names.
pub(super) fn noted_boot(fs: &dyn Fs, directory: &Path, log: &OsStr) -> Option<BootId> {
    newest(&metas(fs, directory, log)).and_then(|note| note.boot)
}

/// What is to be said of the metas, in sentences.
pub(super) fn notes(fs: &dyn Fs, directory: &Path, log: &OsStr) -> Vec<String> {
    let metas = metas(fs, directory, log);
    let mut notes = Vec::new();
    let [main, copy] = &metas;
    if let (WriterMeta::Noted(..), WriterMeta::Damaged) = (main, copy) {
        notes.push("the second copy of the meta is torn, which costs nothing".to_owned());
    }
    // An original writes the first copy, whatever the second one of ours says.
    if let WriterMeta::Bare(_) = main {
        notes.push("the meta has no note: an original wrote last".to_owned());
        return notes;
    }
    let Some(note) = newest(&metas) else {
        notes.push("there is no meta that is whole: all complete records count".to_owned());
        return notes;
    };
    let state = match note.state {
        WriterState::Closed => "it was closed cleanly",
        WriterState::Opened => "it was not closed",
        WriterState::Cutting => {
            "it was being cut: what lies behind its end does not count, and the next change of the \
            log takes it away"
        }
        WriterState::Moving => {
            "it was being moved to another directory: segments that are missing here are there; \
            open it, and move it again to the same place"
        }
    };
    let generation = note.generation;
    notes.push(format!(
        "the meta is whole: {state}, generation {generation}"
    ));
    notes
}
