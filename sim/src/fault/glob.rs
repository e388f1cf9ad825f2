//! Patterns of file names: `*` is any run of bytes, `?` any one byte.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Whether a path matches; a pattern without `/` looks at the last part only.
pub(crate) fn matches_path(pattern: &str, path: &Path) -> bool {
    let pattern = pattern.as_bytes();
    if pattern.contains(&b'/') {
        return matches(pattern, path.as_os_str().as_bytes());
    }
    let name = path.file_name().unwrap_or(path.as_os_str());
    matches(pattern, name.as_bytes())
}

fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => {
            matches(rest, name)
                || name
                    .split_first()
                    .is_some_and(|(_, later)| matches(pattern, later))
        }
        (Some((b'?', rest)), Some((_, later))) => matches(rest, later),
        (Some((expected, rest)), Some((found, later))) => expected == found && matches(rest, later),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_names_and_paths() {
        let path = Path::new("/data/queue.000001.dat");
        for good in [
            "*",
            "*.dat",
            "queue.*",
            "queue.00000?.dat",
            "/data/*",
            "*/queue*",
        ] {
            assert!(matches_path(good, path), "{good}");
        }
        for bad in ["", "*.tmp", "data*", "queue.00000?dat", "/other/*"] {
            assert!(!matches_path(bad, path), "{bad}");
        }
    }
}
