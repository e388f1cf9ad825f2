//! Trees whose bytes may be lost, and how one that was read compares.

use crashline_sim::simfs::{Recording, TreeEntry};
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Byte {
    /// Never written: reads as zero.
    Hole,
    Set(u8),
    /// Written and lost, within the size: reads as anything.
    Lost,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Thing {
    Directory,
    File(Vec<Byte>),
}

pub(crate) type Tree = BTreeMap<PathBuf, Thing>;
/// Whether a tree that was read is this one; lost bytes are zeros where `zeros` says so, else any.
pub(crate) fn is_tree(tree: &Tree, read: &[(PathBuf, TreeEntry)], zeros: bool) -> bool {
    tree.len() == read.len()
        && read
            .iter()
            .all(|(path, entry)| match (tree.get(path), entry) {
                (Some(Thing::Directory), TreeEntry::Directory) => true,
                (Some(Thing::File(bytes)), TreeEntry::File(found)) => {
                    bytes.len() == found.len()
                        && bytes.iter().zip(found).all(|(byte, found)| match byte {
                            Byte::Hole => *found == 0,
                            Byte::Set(value) => found == value,
                            Byte::Lost => !zeros || *found == 0,
                        })
                }
                _ => false,
            })
}

/// Whether bytes within a size were lost.
pub(crate) fn is_lossy(tree: &Tree) -> bool {
    tree.values()
        .any(|thing| matches!(thing, Thing::File(bytes) if bytes.contains(&Byte::Lost)))
}

/// Both trees in few words, byte runs shortened.
pub(crate) fn show(tree: &Tree, read: &[(PathBuf, TreeEntry)], recording: &Recording) -> String {
    use std::fmt::Write;
    fn runs<T: PartialEq + std::fmt::Debug>(bytes: &[T]) -> String {
        bytes
            .chunk_by(PartialEq::eq)
            .map(|run| format!("{:?}x{} ", run[0], run.len()))
            .collect()
    }
    let mut text = String::from("expected:\n");
    for (path, thing) in tree {
        let what = match thing {
            Thing::Directory => "directory".to_owned(),
            Thing::File(bytes) => runs(bytes),
        };
        writeln!(text, "  {} {what}", path.display()).unwrap();
    }
    text.push_str("found:\n");
    for (path, entry) in read {
        let what = match entry {
            TreeEntry::File(bytes) => runs(bytes),
            TreeEntry::Directory => "directory".to_owned(),
            TreeEntry::Special => "special".to_owned(),
        };
        writeln!(text, "  {} {what}", path.display()).unwrap();
    }
    for (number, effect) in recording.effects().enumerate() {
        writeln!(text, "{number}: call {} {:?}", effect.call, effect.kind).unwrap();
    }
    text
}
