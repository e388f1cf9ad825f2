//! The readers that a log knows: registered by the lock file of each, or by a meta of their own.
//!
//! The lock file of a registered reader holds a block: the log's name (its length in 2 bytes, its
//! bytes) and the reader's position at first open (four numbers of 8 bytes). The block stands there
//! a second time once both metas of the reader are durable. Only once, and the first open never
//! came to its end: what there is of metas may be torn, and is no damage.

use super::cuts::{self, Cut, lowest_since};
use super::error::Error;
use super::names::{Role, check_name, reader_of_meta, role};
use super::position::Position;
use super::reader_files::{Believed, ReaderFiles};
use super::reader_watch::Watch;
use super::store::Store;
use crate::fs::{Fs, OpenMode, SyncKind, write_all_at};
use crate::records::side::{BLOCK_HEADER_BYTES, Block, BlockKind, first_block, write_block};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::sync::Arc;

/// More bytes than the lock file of a reader has.
const LOCK_BYTES_MAX: usize = 1024;

/// A reader that a log knows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KnownReader {
    /// Its name.
    pub name: OsString,
    /// The position that it would confirm from if it were opened now, below the end and above the
    /// start; `None` where that is the log's start, for want of a meta.
    pub confirmed: Option<Position>,
}

/// What a reader's lock file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Registration {
    /// Nothing.
    None,
    /// The first open began; the reader stood there.
    Begun(Position),
    /// The reader was opened, and has metas.
    Done,
    /// Something that cannot be read.
    Damaged,
}

/// The readers that the log knows, by name, with what they have saved; open ones too.
///
/// # Errors
/// A name that cannot be; that of the filesystem.
pub fn known_readers(
    fs: Arc<dyn Fs>,
    directory: &Path,
    log: &OsStr,
) -> Result<Vec<KnownReader>, Error> {
    check_name(log)?;
    let store = Store::new(fs, directory, log);
    let note = Watch::open(&store)?.note().copied();
    let cuts = match note {
        Some(note) => cuts::read(&store, note.generation)?,
        None => Vec::new(),
    };
    known(&store, &cuts, note.map(|note| note.generation))
}

/// As [`known_readers`], where the cuts and the present generation of a noted log are known.
pub(super) fn known(
    store: &Store,
    cuts: &[Cut],
    now: Option<u64>,
) -> Result<Vec<KnownReader>, Error> {
    let mut known = Vec::new();
    for name in candidates(store)? {
        let registration = load(store, &name)?;
        let saved = ReaderFiles::load(store, &name)?;
        let confirmed = match (saved.believed, registration) {
            (Believed::Noted(positions, generation), _) => {
                let at = positions.confirmed;
                let cut = lowest_since(cuts, generation, now.unwrap_or(generation));
                Some(cut.filter(|cut| cut.offset < at.offset).unwrap_or(at))
            }
            (Believed::Bare(positions), _) => Some(positions.confirmed),
            (Believed::Nothing, Registration::Begun(first)) => Some(first),
            (Believed::Nothing, Registration::None) if !saved.is_there => continue,
            (Believed::Nothing, _) => None,
        };
        known.push(KnownReader { name, confirmed });
    }
    Ok(known)
}

/// Names of readers that may be known.
pub(super) fn candidates(store: &Store) -> Result<BTreeSet<OsString>, Error> {
    let directory = &store.paths.directory;
    let log = store.paths.log().as_bytes();
    let mut names = BTreeSet::new();
    let mut see = |name: &OsStr| {
        if let Some(Role::ReaderLock(reader)) = role(name.as_bytes(), log) {
            names.insert(reader);
        } else if let Some(reader) = meta_of(name.as_bytes())
            && is_channel(reader, log)
        {
            names.insert(OsString::from_vec(reader.to_vec()));
        }
    };
    let listed = store.fs.list_dir(directory, &mut see);
    listed.map_err(|error| Error::io("list", directory, error))?;
    Ok(names)
}

/// The reader whose meta, copy or older meta a file is.
#[must_use]
pub fn meta_of(name: &[u8]) -> Option<&[u8]> {
    let endings = [
        &b".diskqueue.meta.v2.reader.copy"[..],
        b".diskqueue.meta.reader.dat",
    ];
    let other = || endings.iter().find_map(|ending| name.strip_suffix(*ending));
    reader_of_meta(name)
        .or_else(other)
        .filter(|reader| check_name(OsStr::from_bytes(reader)).is_ok())
}

/// `LOG:ANYTHING`
fn is_channel(reader: &[u8], log: &[u8]) -> bool {
    let channel = reader.strip_prefix(log);
    channel.is_some_and(|channel| channel.first() == Some(&b':'))
}

/// What the lock file of a reader says.
pub(super) fn load(store: &Store, reader: &OsStr) -> Result<Registration, Error> {
    let bytes = store.read(&store.paths.reader_lock(reader), LOCK_BYTES_MAX)?;
    Ok(parse_lock(&bytes.unwrap_or_default(), store.paths.log()))
}

/// Says in the lock file that the first open began, or that both metas are durable.
pub(super) fn write(
    store: &Store,
    reader: &OsStr,
    first: &Position,
    is_done: bool,
) -> Result<(), Error> {
    let path = store.paths.reader_lock(reader);
    let mut bytes = Vec::new();
    for _ in 0..=usize::from(is_done) {
        write_registration(store.paths.log(), first, &mut bytes);
    }
    let file = store.open(&path, OpenMode::Create)?;
    let write = || {
        write_all_at(file.as_ref(), 0, &bytes)?;
        if file.size()? > bytes.len() as u64 {
            file.set_size(bytes.len() as u64)?;
        }
        file.sync(SyncKind::Data)
    };
    write().map_err(|error| Error::io("write", &path, error))
}

/// Takes a registration back.
pub(super) fn remove(store: &Store, reader: &OsStr) -> Result<(), Error> {
    let path = store.paths.reader_lock(reader);
    let file = store.open(&path, OpenMode::Create)?;
    let cut = || {
        file.set_size(0)?;
        file.sync(SyncKind::Data)
    };
    cut().map_err(|error| Error::io("cut", &path, error))
}

fn write_registration(log: &OsStr, first: &Position, bytes: &mut Vec<u8>) {
    let name = log.as_bytes();
    write_block(BlockKind::Reader, bytes, |payload| {
        let length = u16::try_from(name.len()).unwrap_or(u16::MAX);
        payload.extend_from_slice(&length.to_be_bytes());
        payload.extend_from_slice(name);
        for number in [first.segment, first.position, first.offset, first.count] {
            payload.extend_from_slice(&number.to_be_bytes());
        }
    });
}

/// Judges the bytes of a reader's lock file, as far as they are of a reader of `log`.
#[must_use]
pub fn parse_lock(bytes: &[u8], log: &OsStr) -> Registration {
    let mut rest = bytes;
    let mut first = None;
    for _ in 0..2 {
        let Block::Whole(payload) = first_block(BlockKind::Reader, rest) else {
            break;
        };
        let Some(position) = parse_payload(payload, log.as_bytes()) else {
            break;
        };
        if first.replace(position).is_some() {
            return Registration::Done;
        }
        rest = rest
            .get(BLOCK_HEADER_BYTES + payload.len()..)
            .unwrap_or_default();
    }
    match first {
        Some(first) => Registration::Begun(first),
        // A first open that was cut off leaves no start of a block that is not whole.
        None if bytes.starts_with(b"CLSB") => Registration::Damaged,
        None => Registration::None,
    }
}

fn parse_payload(payload: &[u8], log: &[u8]) -> Option<Position> {
    let (length, rest) = payload.split_first_chunk::<2>()?;
    let (name, numbers) = rest.split_at_checked(u16::from_be_bytes(*length).into())?;
    let numbers: &[u8; 32] = numbers.try_into().ok()?;
    let mut numbers = numbers.as_chunks::<8>().0.iter().copied();
    let mut next = || numbers.next().map(u64::from_be_bytes);
    let first = Position {
        segment: next()?,
        position: next()?,
        offset: next()?,
        count: next()?,
    };
    (name == log).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_file_says_how_far_the_first_open_came() {
        let log = OsStr::new("t-0");
        let first = Position::default().moved(70, 3);
        let mut bytes = Vec::new();
        write_registration(log, &first, &mut bytes);
        let size = bytes.len();
        write_registration(log, &first, &mut bytes);
        assert_eq!(parse_lock(&bytes, log), Registration::Done);
        assert_eq!(parse_lock(&bytes, OsStr::new("t-1")), Registration::Damaged);
        for cut in 0..bytes.len() {
            let expected = match cut {
                0..4 => Registration::None,
                _ if cut < size => Registration::Damaged,
                _ => Registration::Begun(first),
            };
            assert_eq!(parse_lock(&bytes[..cut], log), expected, "{cut} bytes");
        }
        assert_eq!(parse_lock(&[0; 80], log), Registration::None, "zeros");
    }
}
