//! How many file calls or steps one operation may make before it is cut off (C3).
//!
//! A correct operation is far below it; what passes it loops, or takes time that the bytes and
//! names on the disk do not justify.

use crashline::fs::{Fs, list_names};
use std::path::Path;

/// Allowed whatever there is.
pub const BOUND_BASE: u64 = 10_000;

/// Allowed on top for each file, and for each page of a file.
pub const BOUND_PER_FILE_AND_PAGE: u64 = 100;

/// The size of a page.
pub const PAGE_BYTES: u64 = 4096;

/// The bound for one operation on what `directory` holds now. What cannot be listed or looked at
/// counts as not being there.
#[must_use]
pub fn operation_bound(fs: &dyn Fs, directory: &Path) -> u64 {
    let names = list_names(fs, directory).unwrap_or_default();
    let pages: u64 = names
        .iter()
        .filter_map(|name| fs.stat(&directory.join(name)).ok())
        .map(|stat| stat.size.div_ceil(PAGE_BYTES))
        .fold(0, u64::saturating_add);
    BOUND_PER_FILE_AND_PAGE
        .saturating_mul(pages.saturating_add(names.len() as u64))
        .saturating_add(BOUND_BASE)
}
