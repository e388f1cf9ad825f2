//! The readers that the log knows, open or not, and the lowest position that one of them
//! confirmed, as the files say: nothing behind it may be removed.

use super::cuts::lowest_since;
use super::error::Error;
use super::generations::Generations;
use super::names::{Role, reader_of_meta, role};
use super::noted::META_BYTES;
use super::position::Position;
use super::reader_meta::{ReaderMeta, ReaderNote, ReaderPositions, parse};
use super::store::Store;
use crate::records::side::{BLOCK_HEADER_BYTES, Block, BlockKind, first_block};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// More bytes than any registration has: the name of a file has 255 at most.
const REGISTRATION_BYTES_MAX: usize = BLOCK_HEADER_BYTES + 2 + 255 + 32;
const META_V1: &[u8] = b".diskqueue.meta.reader.dat";

/// The lowest confirmed virtual offset of all known readers; `None` if there are none.
pub(super) fn lowest_confirmed(
    store: &Store,
    generations: &Generations,
    start: Position,
    end: Position,
) -> Result<Option<u64>, Error> {
    let mut lowest = None;
    for (reader, is_registered) in known(store)? {
        let main = meta_at(store, &store.paths.reader_meta(&reader))?;
        let copy = meta_at(store, &store.paths.reader_copy(&reader))?;
        let old = meta_at(store, &store.paths.reader_meta_v1(&reader))?;
        let offset = match believed(&main, &copy, &old) {
            Some((positions, note)) => {
                let confirmed = positions.confirmed.offset;
                let cut = note.and_then(|note| cut_since(generations, &note, end));
                confirmed.min(cut.unwrap_or(confirmed))
            }
            // Nothing was ever saved: it stands where it was first opened.
            None if is_registered && [main, copy, old] == [ReaderMeta::Absent; 3] => {
                first_opened_at(store, &reader)?.unwrap_or(start.offset)
            }
            None => start.offset,
        };
        lowest = Some(lowest.map_or(offset, |lowest: u64| lowest.min(offset)));
    }
    Ok(lowest)
}

/// The oldest generation that the position of a known reader was saved in; `None` if none was.
pub(super) fn oldest_generation(store: &Store) -> Result<Option<u64>, Error> {
    let mut oldest: Option<u64> = None;
    for reader in known(store)?.into_keys() {
        for path in [
            store.paths.reader_meta(&reader),
            store.paths.reader_copy(&reader),
        ] {
            if let ReaderMeta::Noted(_, note) = meta_at(store, &path)? {
                let generation = note.generation;
                oldest = Some(oldest.map_or(generation, |oldest| oldest.min(generation)));
            }
        }
    }
    Ok(oldest)
}

/// All known readers, and whether each is registered.
fn known(store: &Store) -> Result<BTreeMap<OsString, bool>, Error> {
    let log = store.paths.log().as_bytes();
    let mut known = BTreeMap::new();
    let directory = &store.paths.directory;
    store
        .fs
        .list_dir(directory, &mut |name| {
            let bytes = name.as_bytes();
            if let Some(Role::ReaderLock(reader)) = role(bytes, log) {
                known.insert(reader, true);
                return;
            }
            let reader = reader_of_meta(bytes).or_else(|| bytes.strip_suffix(META_V1));
            let is_ours = |reader: &&[u8]| {
                let channel = reader.strip_prefix(log);
                channel.is_some_and(|channel| channel.starts_with(b":") && channel.len() > 1)
            };
            if let Some(reader) = reader.filter(is_ours) {
                let reader = OsStr::from_bytes(reader).to_owned();
                known.entry(reader).or_insert(false);
            }
        })
        .map_err(|error| Error::io("list", directory, error))?;
    Ok(known)
}

fn meta_at(store: &Store, path: &Path) -> Result<ReaderMeta, Error> {
    let bytes = store.read(path, META_BYTES + 1)?;
    Ok(bytes.map_or(ReaderMeta::Absent, |bytes| parse(&bytes)))
}

/// What is believed of the copies of a reader's meta, as of the writer's; the old form last.
fn believed(
    main: &ReaderMeta,
    copy: &ReaderMeta,
    old: &ReaderMeta,
) -> Option<(ReaderPositions, Option<ReaderNote>)> {
    match (main, copy) {
        (ReaderMeta::Noted(_, first), ReaderMeta::Noted(positions, second))
            if second.sequence > first.sequence =>
        {
            Some((*positions, Some(*second)))
        }
        (ReaderMeta::Noted(positions, note), _)
        | (ReaderMeta::Absent | ReaderMeta::Damaged, ReaderMeta::Noted(positions, note)) => {
            Some((*positions, Some(*note)))
        }
        (ReaderMeta::Bare(positions), _)
        | (ReaderMeta::Absent | ReaderMeta::Damaged, ReaderMeta::Bare(positions)) => {
            Some((*positions, None))
        }
        (ReaderMeta::Absent | ReaderMeta::Damaged, ReaderMeta::Absent | ReaderMeta::Damaged) => {
            match old {
                ReaderMeta::Bare(positions) => Some((*positions, None)),
                ReaderMeta::Absent | ReaderMeta::Damaged | ReaderMeta::Noted(..) => None,
            }
        }
    }
}

/// The lowest end that was left since a position was saved, if any was.
fn cut_since(generations: &Generations, note: &ReaderNote, end: Position) -> Option<u64> {
    if note.generation >= generations.current() {
        return None;
    }
    let lowest = lowest_since(generations.cuts(), note.generation, generations.current());
    Some(lowest.map_or(end.offset, |lowest| lowest.offset))
}

/// The position at its first open that a reader's lock file keeps.
fn first_opened_at(store: &Store, reader: &OsStr) -> Result<Option<u64>, Error> {
    let path = store.paths.reader_lock(reader);
    let bytes = store.read(&path, REGISTRATION_BYTES_MAX)?;
    Ok(bytes.and_then(|bytes| parse_registration(&bytes, store.paths.log().as_bytes())))
}

/// The virtual offset in a registration with the log `log`.
fn parse_registration(bytes: &[u8], log: &[u8]) -> Option<u64> {
    let Block::Whole(payload) = first_block(BlockKind::Reader, bytes) else {
        return None;
    };
    let (length, rest) = payload.split_first_chunk::<2>()?;
    let (name, numbers) = rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
    let numbers: &[[u8; 8]; 4] = numbers.as_chunks().0.try_into().ok()?;
    let [_, _, offset, _] = *numbers;
    (name == log).then_some(u64::from_be_bytes(offset))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::side::write_block;

    #[test]
    fn a_registration_tells_where_its_reader_was_first_opened() {
        let mut bytes = Vec::new();
        write_block(BlockKind::Reader, &mut bytes, |payload| {
            payload.extend_from_slice(&[0, 1, b'L']);
            for number in [3_u64, 5, 70, 9] {
                payload.extend_from_slice(&number.to_be_bytes());
            }
        });
        assert_eq!(parse_registration(&bytes, b"L"), Some(70));
        assert_eq!(parse_registration(&bytes, b"M"), None);
        bytes.pop();
        assert_eq!(parse_registration(&bytes, b"L"), None);
    }
}
