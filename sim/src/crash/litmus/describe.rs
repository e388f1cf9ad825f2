//! A tree in a few words.

use crate::simfs::TreeEntry;
use std::fmt::Write;
use std::path::PathBuf;

/// Names with what they stand for; `nothing` if there are none.
pub(super) fn tree(tree: &[(PathBuf, TreeEntry)]) -> String {
    if tree.is_empty() {
        return "nothing".to_owned();
    }
    let mut words = Vec::new();
    for (path, entry) in tree {
        let name = path.strip_prefix("/").unwrap_or(path).display();
        words.push(match entry {
            TreeEntry::Directory => format!("{name}/"),
            TreeEntry::Special => format!("{name} (special)"),
            TreeEntry::File(bytes) if bytes.is_empty() => format!("{name} empty"),
            TreeEntry::File(bytes) => format!("{name} = {}", content(bytes)),
        });
    }
    words.join(", ")
}

/// Runs of one value shortened, text as text.
fn content(bytes: &[u8]) -> String {
    let mut words = String::new();
    for run in bytes.chunk_by(|left, right| is_text(*left) && is_text(*right) || left == right) {
        if !words.is_empty() {
            words.push_str(" + ");
        }
        let first = run.first().copied().unwrap_or_default();
        let written = if is_text(first) {
            write!(words, "{:?}", String::from_utf8_lossy(run))
        } else if first == 0 {
            write!(words, "{} zeros", run.len())
        } else {
            write!(words, "{} of {first:#04x}", run.len())
        };
        written.expect("a string takes everything");
    }
    words
}

fn is_text(byte: u8) -> bool {
    byte.is_ascii_graphic()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_reads_like_a_sentence() {
        let all = vec![
            ("/d".into(), TreeEntry::Directory),
            ("/d/f".into(), TreeEntry::File(b"foo\0\0\x01".to_vec())),
            ("/e".into(), TreeEntry::File(vec![])),
        ];
        assert_eq!(
            tree(&all),
            "d/, d/f = \"foo\" + 2 zeros + 1 of 0x01, e empty"
        );
        assert_eq!(tree(&[]), "nothing");
    }
}
