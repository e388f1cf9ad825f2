//! The two copies of a reader's meta, and the one that older versions wrote.
//!
//! One copy is whole at every moment: a durable save writes and syncs the meta, then the copy; one
//! that is not durable writes the meta alone. A copy that is owed is written first. Where a write
//! of the meta fails, what it said before is written back: a part of the new bytes would be damage.

use super::error::{Error, Loss, LossKind};
use super::noted::{META_BYTES, vouched};
use super::quarantine::keep_file;
use super::quirks::Quirk;
use super::reader_meta::{ReaderMeta, ReaderNote, ReaderPositions, encode, parse};
use super::store::Store;
use crate::fs::{FsFile, OpenMode, SyncKind, write_all_at};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// What the files say.
#[derive(Debug, Clone, Copy)]
pub(super) enum Believed {
    /// Positions of ours, and the generation that they were taken in.
    Noted(ReaderPositions, u64),
    /// Positions that an original wrote.
    Bare(ReaderPositions),
    /// Nothing.
    Nothing,
}

/// Which file of a reader is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReaderFile {
    /// The meta.
    Meta,
    /// Its second copy.
    Copy,
    /// The one that older versions wrote.
    Older,
}

/// What was found.
#[derive(Debug)]
pub(super) struct Saved {
    pub(super) believed: Believed,
    /// The file that is believed.
    pub(super) from: Option<ReaderFile>,
    /// Whether there is any of the files.
    pub(super) is_there: bool,
    /// Whether what is believed was made durable when it was saved.
    pub(super) is_durable: bool,
    /// A meta that is damaged, of whatever size.
    pub(super) damaged: Option<Loss>,
    pub(super) files: ReaderFiles,
}

/// The files of a reader.
#[derive(Debug)]
pub(super) struct ReaderFiles {
    store: Store,
    meta: PathBuf,
    copy: PathBuf,
    older: PathBuf,
    sequence: u64,
    /// The whole meta, unless it is not one of ours.
    said: Option<[u8; META_BYTES]>,
    /// The copy may not be whole.
    is_copy_owed: bool,
    /// The names may not be durable.
    are_names_owed: bool,
}

impl ReaderFiles {
    /// Looks at the files of a reader.
    pub(super) fn load(store: &Store, reader: &OsStr) -> Result<Saved, Error> {
        let paths = &store.paths;
        let mut files = Self {
            store: store.clone(),
            meta: paths.reader_meta(reader),
            copy: paths.reader_copy(reader),
            older: paths.reader_meta_v1(reader),
            sequence: 0,
            said: None,
            is_copy_owed: true,
            are_names_owed: true,
        };
        let (meta, size, said) = files.look(&files.meta)?;
        let (copy, ..) = files.look(&files.copy)?;
        files.said = said.filter(|_| matches!(meta, ReaderMeta::Noted(..)));
        for found in [&meta, &copy] {
            if let ReaderMeta::Noted(_, note) = found {
                files.sequence = files.sequence.max(note.sequence);
            }
        }
        // One that an original has outrun is as good as none.
        files.is_copy_owed =
            !matches!(copy, ReaderMeta::Noted(..)) || matches!(meta, ReaderMeta::Bare(_));
        files.are_names_owed = meta == ReaderMeta::Absent || copy == ReaderMeta::Absent;
        // The copy is written when the meta is durable, or the other way round.
        let both = (&meta, &copy);
        let is_durable = if let (ReaderMeta::Noted(_, one), ReaderMeta::Noted(_, other)) = both {
            one.sequence == other.sequence
        } else {
            false
        };
        let mut is_there = meta != ReaderMeta::Absent || copy != ReaderMeta::Absent;
        let mut damaged = (meta == ReaderMeta::Damaged).then(|| damage(&files.meta, size));
        let mut from = chosen(&meta, &copy);
        let mut believed = choose(meta, copy);
        if matches!(believed, Believed::Nothing) {
            let (older, size, _) = files.look(&files.older)?;
            is_there |= older != ReaderMeta::Absent;
            match older {
                ReaderMeta::Bare(positions) | ReaderMeta::Noted(positions, _) => {
                    believed = Believed::Bare(positions);
                    from = Some(ReaderFile::Older);
                }
                ReaderMeta::Damaged if damaged.is_none() => {
                    damaged = Some(damage(&files.older, size));
                }
                ReaderMeta::Damaged | ReaderMeta::Absent => {}
            }
        }
        Ok(Saved {
            believed,
            from,
            is_there,
            is_durable,
            damaged,
            files,
        })
    }

    /// The loss of a meta that is not there, or says what cannot be.
    pub(super) fn lost(&self) -> Loss {
        damage(&self.meta, 0)
    }

    /// Keeps the bytes of a damaged meta aside, unless the disk is full.
    pub(super) fn quarantine(&self) -> Result<(), Error> {
        match keep_file(&self.store, &self.meta) {
            Err(error) if error.is_full_disk() => Ok(()),
            result => result,
        }
    }

    /// Saves positions that were taken in `generation`.
    ///
    /// # Errors
    /// That of the filesystem: nothing is known to be saved, and what was durable still is.
    pub(super) fn save(
        &mut self,
        positions: &ReaderPositions,
        generation: u64,
        is_durable: bool,
    ) -> Result<(), Error> {
        let sequence = self.sequence.saturating_add(1);
        let note = ReaderNote {
            generation,
            sequence,
        };
        let bytes = encode(positions, &note);
        let mut is_copied = false;
        if self.is_copy_owed {
            self.write_copy(&bytes)?;
            self.is_copy_owed = false;
            is_copied = true;
        }
        self.write_meta(&bytes, is_durable)?;
        self.sequence = sequence;
        if !is_durable {
            return Ok(());
        }
        if !is_copied {
            self.is_copy_owed = true;
            self.write_copy(&bytes)?;
            self.is_copy_owed = false;
        }
        if self.are_names_owed {
            self.store.sync_directory()?;
            self.are_names_owed = false;
        }
        Ok(())
    }

    /// Removes the files, the oldest first: what is left at any moment is the newest.
    pub(super) fn remove(&mut self) -> Result<(), Error> {
        self.is_copy_owed = true;
        self.are_names_owed = true;
        for path in [&self.older, &self.copy, &self.meta] {
            self.store.remove(path)?;
        }
        Ok(())
    }

    fn write_meta(&mut self, bytes: &[u8; META_BYTES], is_durable: bool) -> Result<(), Error> {
        let failed = |error| Error::io("write", &self.meta, error);
        let file = self.store.open(&self.meta, OpenMode::Create)?;
        if let Err(error) = write_whole(file.as_ref(), bytes) {
            let said = self.said.take();
            self.said = said.filter(|said| write_whole(file.as_ref(), said).is_ok());
            return Err(failed(error));
        }
        self.said = Some(*bytes);
        if is_durable {
            file.sync(SyncKind::Data).map_err(failed)?;
        }
        Ok(())
    }

    fn write_copy(&self, bytes: &[u8; META_BYTES]) -> Result<(), Error> {
        let file = self.store.open(&self.copy, OpenMode::Create)?;
        let synced = || file.sync(SyncKind::Data);
        write_whole(file.as_ref(), bytes)
            .and_then(|()| synced())
            .map_err(|error| Error::io("write", &self.copy, error))
    }

    /// What a file is, its size, and its bytes where it has as many as a meta.
    fn look(&self, path: &Path) -> Result<(ReaderMeta, u64, Option<[u8; META_BYTES]>), Error> {
        let Some(mut bytes) = self.store.read(path, META_BYTES + 1)? else {
            return Ok((ReaderMeta::Absent, 0, None));
        };
        let size = self.store.whole_size(path, &bytes, META_BYTES)?;
        if self.store.has(Quirk::ReaderMetaUnchecked) {
            bytes = vouched(bytes);
        }
        Ok((parse(&bytes), size, bytes.try_into().ok()))
    }
}

/// Makes `bytes` all that a file holds.
fn write_whole(file: &dyn FsFile, bytes: &[u8]) -> io::Result<()> {
    write_all_at(file, 0, bytes)?;
    if file.size()? > bytes.len() as u64 {
        file.set_size(bytes.len() as u64)?;
    }
    Ok(())
}

fn choose(meta: ReaderMeta, copy: ReaderMeta) -> Believed {
    match (meta, copy) {
        (ReaderMeta::Noted(_, first), ReaderMeta::Noted(positions, second))
            if first.sequence < second.sequence =>
        {
            Believed::Noted(positions, second.generation)
        }
        (ReaderMeta::Noted(positions, note), _) => Believed::Noted(positions, note.generation),
        (ReaderMeta::Bare(positions), _) => Believed::Bare(positions),
        (_, ReaderMeta::Noted(positions, note)) => Believed::Noted(positions, note.generation),
        (_, ReaderMeta::Bare(positions)) => Believed::Bare(positions),
        _ => Believed::Nothing,
    }
}

/// The file that [`choose`] takes.
fn chosen(meta: &ReaderMeta, copy: &ReaderMeta) -> Option<ReaderFile> {
    let is_there = |found: &ReaderMeta| match found {
        ReaderMeta::Noted(..) | ReaderMeta::Bare(_) => true,
        ReaderMeta::Absent | ReaderMeta::Damaged => false,
    };
    if let (ReaderMeta::Noted(_, first), ReaderMeta::Noted(_, second)) = (meta, copy)
        && first.sequence < second.sequence
    {
        return Some(ReaderFile::Copy);
    }
    let copy = || is_there(copy).then_some(ReaderFile::Copy);
    is_there(meta).then_some(ReaderFile::Meta).or_else(copy)
}

fn damage(path: &Path, size: u64) -> Loss {
    Loss::new(LossKind::Damaged, path, 0, size).of(0)
}
