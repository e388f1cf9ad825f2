//! A reader: its state, opening, saving and closing.

use super::base::Base;
use super::error::LogError;
use super::read_ahead::ReadAhead;
use super::reader_meta::{self, ReaderMeta};
use super::sequential::SequentialFile;
use crate::originals::temporary::ignore;
use crate::scenario::{LogOptions, LogPosition, ReaderState};
use crashline::fs::Fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// An open reader. Dropping it writes nothing.
#[derive(Debug)]
pub struct Reader {
    pub(super) base: Base,
    name: String,
    saves_every_move: bool,
    pub(super) auto_skip_damaged: bool,
    pub(super) state: ReaderState,
    exiting: bool,
    /// The position or the end changed since it was saved.
    pub(super) save_owed: bool,
    pub(super) file: Option<SequentialFile>,
    pub(super) ahead: ReadAhead,
}

impl Reader {
    /// Opens the reader `name` of `log` at its saved position, or at `end`, which is then the end
    /// in any case. Never fails: what cannot be loaded counts as not being there.
    #[must_use]
    pub fn open(
        fs: Arc<dyn Fs>,
        directory: &Path,
        log: &str,
        name: &str,
        options: &LogOptions,
        end: LogPosition,
    ) -> Self {
        let mut reader = Self {
            base: Base::new(fs, directory, log),
            name: name.to_owned(),
            saves_every_move: options.sync_every == 1,
            auto_skip_damaged: options.auto_skip_damaged,
            state: ReaderState {
                confirmed: end,
                read: end,
                end,
                depth: 0,
                depth_size: 0,
                waiting: false,
            },
            exiting: false,
            save_owed: false,
            file: None,
            ahead: ReadAhead::default(),
        };
        reader.update_depth();
        drop(reader.load());
        drop(reader.update_queue_end(end, true));
        reader
    }

    /// Positions, depth, and whether it waits for more.
    #[must_use]
    pub fn state(&self) -> ReaderState {
        self.state
    }

    /// Saves position and end if they have changed; a failure goes unnoticed.
    pub fn flush(&mut self, fsync: bool) {
        if !self.exiting && self.save_owed {
            self.save(fsync);
        }
    }

    /// Closes the reader, which saves position and end; a failure goes unnoticed.
    pub fn close(&mut self) {
        self.exiting = true;
        self.file = None;
        self.save(true);
    }

    /// Closes the reader and removes its metas; failures go unnoticed.
    pub fn delete(&mut self) {
        self.close();
        self.skip_to_end();
        let Base { fs, names, .. } = &self.base;
        ignore(fs.remove_file(&names.old_reader_meta(&self.name)));
        ignore(fs.remove_file(&names.reader_meta(&self.name)));
    }

    /// Begins a call that a closed reader refuses.
    pub(super) fn begin(&mut self) -> Result<(), LogError> {
        self.base.steps.begin();
        if self.exiting {
            return Err(LogError::Exiting);
        }
        Ok(())
    }

    /// Closes the segment and drops what was read ahead.
    pub(super) fn drop_file(&mut self) {
        self.file = None;
        self.ahead.clear();
    }

    /// Depth and depth by size are what lies between confirmed position and end. That there is
    /// something to wait for is noted here and taken back only by an end that moves.
    pub(super) fn update_depth(&mut self) {
        let state = &mut self.state;
        let mut depth = 0;
        if state.confirmed.segment > state.end.segment {
            state.depth = 0;
            state.depth_size = 0;
        } else {
            state.depth_size = state.end.offset.wrapping_sub(state.confirmed.offset);
            depth = state.end.count.wrapping_sub(state.confirmed.count);
            state.depth = depth;
            if state.depth_size == 0 {
                if depth != 0 {
                    state.confirmed = state.end;
                }
                depth = 0;
            }
        }
        state.waiting |= depth == 0;
    }

    /// What a move of the confirmed position owes.
    pub(super) fn moved_from(&mut self, old_offset: i64) {
        if old_offset != self.state.confirmed.offset {
            self.save_owed = true;
            if self.saves_every_move {
                self.save(false);
            }
        }
    }

    fn save(&mut self, fsync: bool) {
        self.save_owed = false;
        ignore(self.store(fsync));
    }

    fn store(&self, fsync: bool) -> io::Result<()> {
        let Base { fs, names, .. } = &self.base;
        let meta = ReaderMeta {
            confirmed: self.state.confirmed,
            end: self.state.end,
        };
        reader_meta::store(fs.as_ref(), &names.reader_meta(&self.name), &meta, fsync)
    }

    /// Takes the saved position over, from a meta of the first version where there is no sound
    /// newer one, which is written then.
    fn load(&mut self) -> Result<(), LogError> {
        let Base { fs, names, .. } = &self.base;
        let path = names.reader_meta(&self.name);
        let state = &mut self.state;
        if let Ok(meta) = reader_meta::load(fs.as_ref(), &path) {
            state.confirmed = meta.confirmed;
            state.end = meta.end;
        } else {
            let meta = reader_meta::load(fs.as_ref(), &names.old_reader_meta(&self.name))?;
            state.confirmed = meta.confirmed;
            state.end = meta.end;
            if state.confirmed.offset == state.end.offset {
                state.confirmed.count = state.end.count;
            }
            ignore(self.store(false));
        }
        let state = &mut self.state;
        if state.confirmed.count == 0 && state.confirmed.offset != 0 {
            if state.confirmed.offset == state.end.offset {
                state.confirmed.count = state.end.count;
            }
        } else if state.confirmed.offset == state.end.offset
            && state.confirmed.count != state.end.count
        {
            state.confirmed = state.end;
        }
        state.read = state.confirmed;
        self.update_depth();
        Ok(())
    }
}
