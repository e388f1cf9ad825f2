//! Who holds a lock file, as the system's table of locks says. Asking for the lock would show more,
//! but it could turn away the one who opens the directory just now.

use crate::cli::files::read_text;
use crashline::fs::{Fs, RealFs};
use std::path::Path;

const TABLE: &str = "/proc/locks";

/// The process that holds a lock on a file, if there is one that can be seen.
pub(super) fn holder(path: &Path) -> Option<String> {
    let inode = RealFs.stat(path).ok()?.identity.inode;
    holder_in(&read_text(Path::new(TABLE)).ok()?, inode)
}

/// `1: FLOCK  ADVISORY  WRITE 712 08:01:1837 0 EOF`
fn holder_in(table: &str, inode: u64) -> Option<String> {
    let inode = inode.to_string();
    table.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [_, "FLOCK", _, _, process, file, ..] => {
                let is_it = file.rsplit(':').next() == Some(&inode);
                is_it.then(|| (*process).to_owned())
            }
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_locks_tells_the_process() {
        let table = "1: POSIX  ADVISORY  WRITE 7 08:01:40 0 EOF\n\
            2: FLOCK  ADVISORY  WRITE 712 08:01:41 0 EOF\n2: -> FLOCK\n";
        assert_eq!(holder_in(table, 41).as_deref(), Some("712"));
        assert_eq!(holder_in(table, 40), None);
    }
}
