//! Damaged bytes are never destroyed: they stay where they are, or are kept aside.

use super::layout::Layout;
use crate::oracle::NamedFile;
use crate::scenario::Loss;

/// Whether a file was kept aside. A reader's metas are kept beside them, whatever its log is.
fn is_aside(name: &str) -> bool {
    let Some((_, count)) = name.rsplit_once(".bad") else {
        return false;
    };
    let number = count.strip_prefix('.');
    count.is_empty()
        || number.is_some_and(|number| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        })
}

/// The files that were kept aside, as they were when first seen.
#[derive(Debug, Default)]
pub(super) struct Aside {
    kept: Vec<NamedFile>,
}

impl Aside {
    /// Looks at the files as they are now.
    pub(super) fn note(&mut self, files: &[NamedFile]) {
        for file in files {
            if is_aside(&file.0) && !self.kept.iter().any(|kept| kept.0 == file.0) {
                self.kept.push(file.clone());
            }
        }
    }

    /// The first file that was kept aside and is gone or another one in the end.
    pub(super) fn check(&self, at_end: &[NamedFile]) -> Option<String> {
        let (name, _) = self.kept.iter().find(|kept| !at_end.contains(kept))?;
        Some(format!(
            "`{name}` was kept aside, and was replaced or removed later"
        ))
    }
}

/// The first reported loss whose bytes are neither where they were nor kept aside.
pub(super) fn check_bytes(
    layout: &Layout,
    losses: &[Loss],
    after: &[NamedFile],
    at_end: &[NamedFile],
) -> Option<String> {
    for loss in losses {
        let named = |files: &[NamedFile]| {
            let file = files.iter().find(|(name, _)| *name == loss.file);
            file.map_or_else(Vec::new, |(_, bytes)| part(bytes, loss).to_vec())
        };
        let damaged = named(after);
        let is_touched = layout.damaged.contains(&loss.file);
        if damaged.is_empty() || !is_touched || named(at_end) == damaged {
            continue;
        }
        let is_kept = at_end.iter().any(|(name, bytes)| {
            let mut windows = bytes.windows(damaged.len());
            is_aside(name) && name.starts_with(&loss.file) && windows.any(|one| one == damaged)
        });
        if !is_kept {
            return Some(format!(
                "the {} damaged bytes at {} in `{}` were not kept aside",
                damaged.len(),
                loss.offset,
                loss.file
            ));
        }
    }
    None
}

fn part<'b>(bytes: &'b [u8], loss: &Loss) -> &'b [u8] {
    let start = usize::try_from(loss.offset).unwrap_or(usize::MAX);
    let size = usize::try_from(loss.size).unwrap_or(usize::MAX);
    let end = start.saturating_add(size).min(bytes.len());
    bytes.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_aside_is_told_by_its_name() {
        for (name, expected) in [
            ("log.diskqueue.000001.dat.bad", true),
            ("log:a.diskqueue.meta.v2.reader.dat.bad.12", true),
            ("log.diskqueue.000001.dat.bad.", false),
            ("log.diskqueue.000001.dat.badly", false),
            ("log.diskqueue.000001.dat", false),
        ] {
            assert_eq!(is_aside(name), expected, "{name}");
        }
    }
}
