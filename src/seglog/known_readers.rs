//! What the readers that the log knows, open or not, still need, as the files say.

use super::error::Error;
use super::generations::Generations;
use super::noted::META_BYTES;
use super::position::Position;
use super::reader_meta::{ReaderMeta, parse};
use super::registry::{candidates, known};
use super::store::Store;

/// The lowest confirmed virtual offset of all known readers, behind which nothing may be removed;
/// `None` if there are none.
pub(super) fn lowest_confirmed(
    store: &Store,
    generations: &Generations,
    start: Position,
    end: Position,
) -> Result<Option<u64>, Error> {
    let now = Some(generations.current());
    let known = known(store, generations.cuts(), now)?;
    let offset = |at: Option<Position>| at.map_or(start.offset, |at| at.offset.min(end.offset));
    Ok(known.iter().map(|reader| offset(reader.confirmed)).min())
}

/// The oldest generation that the position of a known reader was saved in; `None` if none was.
pub(super) fn oldest_generation(store: &Store) -> Result<Option<u64>, Error> {
    let mut oldest: Option<u64> = None;
    for reader in candidates(store)? {
        for path in [
            store.paths.reader_meta(&reader),
            store.paths.reader_copy(&reader),
        ] {
            let bytes = store.read(&path, META_BYTES + 1)?;
            if let Some(ReaderMeta::Noted(_, note)) = bytes.map(|bytes| parse(&bytes)) {
                let generation = note.generation;
                oldest = Some(oldest.map_or(generation, |oldest| oldest.min(generation)));
            }
        }
    }
    Ok(oldest)
}
