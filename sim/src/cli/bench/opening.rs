//! What it costs to open a closed queue or log that is large: beside a small one, and one look at
//! each segment.

use super::super::failure::Failure;
use super::tmpfs::{Folder, failed, times};
use crashline::fs::{Fs, RealFs, list_names};
use std::path::Path;

/// Bytes of the two.
const SMALL_BYTES: usize = 1 << 20;
const LARGE_BYTES: usize = 1 << 30;
const MESSAGE_BYTES: usize = 100_000;

/// Fills a new one in a folder with so many messages like this, and closes it.
type Fill<'a> = &'a dyn Fn(&Path, &[u8], usize) -> Result<(), Failure>;

/// How often opening a large one takes the time of opening a small one and a stat of each segment.
pub(super) fn open_over_stats(
    fill: Fill<'_>,
    open: &dyn Fn(&Path) -> Result<(), Failure>,
) -> Result<f64, Failure> {
    let message = vec![7; MESSAGE_BYTES];
    let closed = |bytes: usize| {
        let folder = Folder::new()?;
        fill(folder.path(), &message, bytes / MESSAGE_BYTES)?;
        Ok::<_, Failure>(folder)
    };
    let (large, small) = (closed(LARGE_BYTES)?, closed(SMALL_BYTES)?);
    let names = list_names(&RealFs, large.path()).map_err(failed)?;
    let segments: Vec<_> = names
        .iter()
        .filter(|name| name.to_string_lossy().ends_with(".dat"))
        .filter(|name| !name.to_string_lossy().contains("meta"))
        .map(|name| large.path().join(name))
        .collect();
    let mut open_large = || open(large.path());
    let mut open_small = || {
        open(small.path())?;
        let mut stats = segments.iter();
        stats.try_for_each(|segment| RealFs.stat(segment).map(drop).map_err(failed))
    };
    times(400, &mut open_large, &mut open_small)
}
