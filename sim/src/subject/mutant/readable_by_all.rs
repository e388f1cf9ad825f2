//! C14: the files that are made have the permission bits of the original's.

use crate::subject::{FsHook, FsLayer, OpenRequest, Opened, Subject};
use crashline::fs::{Fs, FsFile, OpenMode};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Opens on a filesystem that lets everybody read what is made.
pub(super) fn open(request: &OpenRequest<'_>, engine: &dyn Subject) -> Opened {
    let fs: Arc<dyn Fs> = Arc::new(FsLayer::new(Arc::clone(request.fs), ForAll));
    engine.open(&OpenRequest {
        fs: &fs,
        ..*request
    })
}

#[derive(Debug)]
struct ForAll;

impl FsHook for ForAll {
    fn open(
        &self,
        below: &dyn Fs,
        path: &Path,
        mode: OpenMode,
        permissions: u32,
    ) -> io::Result<Box<dyn FsFile>> {
        below.open(path, mode, permissions | 0o044)
    }
}
