//! Telling a reader where the log ends.

use super::error::LogError;
use super::reader::Reader;
use super::start_meta;
use crate::scenario::LogPosition;

impl Reader {
    /// Tells the reader where the log ends; the answer is whether that changed anything. An end of
    /// the same offset and count changes nothing, wherever it lies. One before the read position
    /// is taken only with `force`, and takes the position back; `force` also drops what was read
    /// ahead, but only where the end is taken.
    ///
    /// # Errors
    /// Closed. A position in a segment behind the end, with an offset before it, goes to the
    /// log's start, and it is an error if that cannot be loaded.
    pub fn update_queue_end(&mut self, end: LogPosition, force: bool) -> Result<bool, LogError> {
        self.begin()?;
        let state = &mut self.state;
        if end.offset == state.end.offset && end.count == state.end.count {
            return Ok(false);
        }
        self.save_owed = true;
        let mut force = force;
        if state.read.offset > end.offset {
            if !force {
                return Ok(false);
            }
            state.read = end;
        } else if state.read.is_behind(&end) {
            let start = start_meta::load(self.base.fs.as_ref(), &self.base.names)?;
            state.read = if start.offset > end.offset {
                end
            } else {
                start
            };
            state.confirmed = state.read;
            force = true;
        }
        if state.confirmed.is_behind(&state.read) || state.confirmed.offset > state.read.offset {
            state.confirmed = state.read;
        }
        if end.offset > state.confirmed.offset {
            state.waiting = false;
        }
        state.end = end;
        self.update_depth();
        if force {
            self.drop_file();
        }
        Ok(true)
    }
}
