//! Stage `parse-meta`: bytes, and what they are.

use super::stages::{AllowedMeta, Place};
use super::vector::Vector;
use super::with_boot::boot_text;
use crashline::diskqueue::Position;
use crashline::diskqueue::format::{MetaState, parse_meta};

/// Runs one.
pub(super) fn run(vector: &Vector) -> Result<(), String> {
    let bytes = vector.data_b64.as_ref().ok_or("it has no bytes")?;
    let allowed: AllowedMeta = vector.allowed()?;
    let found = told(parse_meta(&bytes.0)).ok_or("there is a file, so it is not absent")?;
    if found == allowed {
        return Ok(());
    }
    Err(format!("it is {found:?}"))
}

fn told(state: MetaState) -> Option<AllowedMeta> {
    let place = |position: Position| Place {
        segment: position.segment,
        offset: position.offset,
    };
    Some(match state {
        MetaState::Absent => return None,
        MetaState::Noted(meta, note) => AllowedMeta::Noted {
            depth: meta.depth,
            read: place(meta.read),
            write: place(meta.write),
            boot: boot_text(note.boot),
            generation: note.generation,
            closed: note.closed,
            sums_bytes: note.sums_bytes,
        },
        MetaState::Bare(meta) => AllowedMeta::Bare {
            depth: meta.depth,
            read: place(meta.read),
            write: place(meta.write),
        },
        MetaState::Damaged => AllowedMeta::Damaged {},
    })
}
