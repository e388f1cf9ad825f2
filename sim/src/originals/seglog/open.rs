//! Opening the log: the end comes from the writer's meta, the start from the start meta or, where
//! that cannot be loaded, from the first segment that is there.

use super::base::Base;
use super::error::LogError;
use super::writer::Writer;
use super::{start_meta, writer_meta};
use crate::scenario::{LogOptions, LogPosition};
use crashline::fs::Fs;
use std::path::Path;
use std::sync::Arc;

impl Writer {
    /// Opens the log `name` in `directory`. A missing meta is an empty log.
    ///
    /// # Errors
    /// A meta that does not fit its format or is not sealed (it was put aside then, and the copy
    /// stands in its place); a start that cannot be found out or lies behind the end.
    pub fn open(
        fs: Arc<dyn Fs>,
        directory: &Path,
        name: &str,
        options: &LogOptions,
    ) -> Result<Self, LogError> {
        let mut writer = Self::new(Base::new(fs, directory, name), options);
        writer.load(true)?;
        writer.check_start()?;
        writer.store_start();
        Ok(writer)
    }

    /// Opens the log for reading only, which changes nothing on disk.
    ///
    /// # Errors
    /// As [`Writer::open`], but a start behind the end is taken as it is.
    pub fn open_for_reading(
        fs: Arc<dyn Fs>,
        directory: &Path,
        name: &str,
        options: &LogOptions,
    ) -> Result<Self, LogError> {
        let mut writer = Self::new(Base::new(fs, directory, name), options);
        writer.load(false)?;
        Ok(writer)
    }

    fn load(&mut self, fix: bool) -> Result<(), LogError> {
        let Base { fs, names, .. } = &self.base;
        match writer_meta::load(fs.as_ref(), names, fix, &mut self.corrupt_number) {
            Ok(end) => {
                self.state.write_end = end;
                self.state.read_end = end;
            }
            Err(error) if error.is_not_found() => {}
            Err(error) => return Err(error),
        }
        match self.load_start() {
            Err(error) if !error.is_not_found() => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    fn load_start(&mut self) -> Result<(), LogError> {
        let Base { fs, names, .. } = &self.base;
        self.state.queue_start = match start_meta::load(fs.as_ref(), names) {
            Ok(start) => start,
            Err(_) => self.find_start()?,
        };
        Ok(())
    }

    /// The start of the first segment that is there: of segment 0, or of one behind which a
    /// sidecar is left that tells its offset.
    fn find_start(&mut self) -> Result<LogPosition, LogError> {
        let end = self.state.write_end;
        let mut segment: i64 = 0;
        loop {
            self.base.step()?;
            match self.base.segment_size(segment).map_err(LogError::from) {
                Ok(_) if segment == 0 => return Ok(LogPosition::default()),
                Ok(_) => match self.base.sidecar(segment.wrapping_sub(1)) {
                    // The original looks twice.
                    Ok(_) => {
                        let sidecar = self.base.sidecar(segment.wrapping_sub(1))?;
                        return Ok(sidecar.next_start(segment));
                    }
                    Err(error) if error.is_not_found() => {}
                    Err(error) => return Err(error),
                },
                Err(error) if error.is_not_found() => {
                    if end.segment == 0 && end.position == 0 {
                        return Ok(self.state.queue_start);
                    }
                }
                Err(error) => return Err(error),
            }
            segment = segment.wrapping_add(1);
            if segment > end.segment {
                return Err(LogError::StartUnknown);
            }
        }
    }

    /// A start behind the end is mended in the cases that the original knows: nothing was written
    /// yet, or only to the first segment.
    fn check_start(&mut self) -> Result<(), LogError> {
        let end = self.state.write_end;
        let start = &mut self.state.queue_start;
        if !start.is_behind(&end) && start.offset <= end.offset {
            return Ok(());
        }
        if let Err(error) = self.base.segment_size(end.segment) {
            if end.segment <= 0 || end.position > 0 {
                return Err(error.into());
            }
            // The end may stand at the start of a segment that is not there yet.
            self.base.segment_size(end.segment.wrapping_sub(1))?;
        }
        if end.segment == 0 && end.position == 0 {
            start.segment = end.segment;
            start.position = end.position;
        } else if end.offset == 0 {
            *start = end;
        } else if end.segment == 0 {
            *start = LogPosition::default();
        } else {
            return Err(LogError::StartUnknown);
        }
        Ok(())
    }
}
