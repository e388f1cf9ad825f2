//! C9: what is not the engine's own is none of its business, whatever it is called.

use crate::subject::{OpenRequest, Opened, Subject};
use crashline::fs::list_names;
use std::os::unix::ffi::OsStrExt;

/// Opens, and removes every file whose name starts with the queue's and that it does not know.
pub(super) fn open(request: &OpenRequest<'_>, engine: &dyn Subject) -> Opened {
    let opened = engine.open(request);
    if opened.object.is_some() && !request.read_only {
        clean(request);
    }
    opened
}

fn clean(request: &OpenRequest<'_>) {
    let own = format!("{}.diskqueue.", request.object);
    let names = list_names(request.fs.as_ref(), request.directory).unwrap_or_default();
    for name in names {
        let bytes = name.as_bytes();
        if bytes.starts_with(request.object.as_bytes()) && !bytes.starts_with(own.as_bytes()) {
            // What cannot be removed stays.
            drop(request.fs.remove_file(&request.directory.join(&name)));
        }
    }
}
