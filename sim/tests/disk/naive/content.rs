//! The tree that is left when some effects are lost, by replaying all of them.

use super::allowed::{Naive, Numbers};
use super::tree::{Byte, Thing, Tree};
use crashline_sim::simfs::{Data, EffectKind, Recording, TreeEntry};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

type Files = BTreeMap<u32, File>;
type Names = BTreeMap<(u32, Vec<u8>), u32>;

#[derive(Debug, Default, Clone)]
struct File {
    bytes: Vec<Byte>,
    size: u64,
    /// Bytes before it are not lost by a write that is lost: they were durable.
    solid: u64,
}

impl Naive<'_> {
    /// The tree that is left when these effects are lost.
    pub(crate) fn tree(&self, lost: &[u32]) -> Tree {
        let (mut files, mut names) = self.base();
        for (number, effect) in (0_u32..).zip(&self.effects) {
            if self.gone.contains(&number) {
                continue;
            }
            let is_kept = !lost.contains(&number);
            match &effect.kind {
                EffectKind::Data(data) => {
                    let file = files.entry(data.file).or_default();
                    write(file, self.recording, data, is_kept);
                }
                EffectKind::Size(size) if is_kept => {
                    let file = files.entry(size.file).or_default();
                    if size.to < size.from {
                        cut(file, size.to);
                    }
                    file.size = size.to;
                }
                EffectKind::Link(link) if is_kept => {
                    names.insert((link.directory, link.name.to_vec()), link.inode);
                }
                EffectKind::Unlink(unlink) if is_kept => {
                    names.remove(&(unlink.directory, unlink.name.to_vec()));
                }
                EffectKind::Sync(_) => self.harden(number, lost, &mut files),
                EffectKind::Size(_) | EffectKind::Link(_) | EffectKind::Unlink(_) => {}
            }
        }
        let directories = self.directories();
        let mut tree = Tree::new();
        add_tree(
            1,
            Path::new("/"),
            &mut vec![],
            &names,
            &files,
            &directories,
            &mut tree,
        );
        tree
    }

    /// A sync makes sizes durable: what is before them is solid from now on, unless a cut that is
    /// kept but not durable took it.
    fn harden(&self, number: u32, lost: &[u32], files: &mut Files) {
        let Some((_, durable)) = self.syncs.iter().find(|(sync, _)| *sync == number) else {
            return;
        };
        for (inode, file) in files.iter_mut() {
            let mut size = self.base_size(*inode);
            let mut solid = u64::MAX;
            for earlier in 0..number {
                let EffectKind::Size(change) = &self.effect(earlier).kind else {
                    continue;
                };
                if change.file != *inode || self.gone.contains(&earlier) {
                    continue;
                }
                if durable.contains(&earlier) {
                    size = change.to;
                } else if !lost.contains(&earlier) && change.to < change.from {
                    solid = solid.min(change.to);
                }
            }
            file.solid = size.min(solid);
        }
    }

    fn base_size(&self, inode: u32) -> u64 {
        match self.recording.base_entry(inode) {
            Some(TreeEntry::File(bytes)) => bytes.len() as u64,
            _ => 0,
        }
    }

    fn base(&self) -> (Files, Names) {
        let (mut files, mut names) = (BTreeMap::new(), BTreeMap::new());
        let mut inodes = Numbers::new();
        for (directory, name, inode) in self.recording.base_names() {
            names.insert((directory, name.to_vec()), inode);
            inodes.insert(inode);
        }
        // A file whose bytes are durable while its name is not.
        let linked = self.effects.iter().filter_map(|effect| effect.kind.link());
        inodes.extend(linked.map(|link| link.inode));
        for inode in inodes {
            if let Some(TreeEntry::File(bytes)) = self.recording.base_entry(inode) {
                let size = bytes.len() as u64;
                let bytes = bytes.into_iter().map(Byte::Set).collect();
                let file = File {
                    bytes,
                    size,
                    solid: size,
                };
                files.insert(inode, file);
            }
        }
        (files, names)
    }

    fn directories(&self) -> BTreeSet<u32> {
        let of_base = self
            .recording
            .base_names()
            .into_iter()
            .map(|(_, _, inode)| inode)
            .filter(|inode| self.recording.base_entry(*inode) == Some(TreeEntry::Directory));
        let made = self
            .effects
            .iter()
            .filter_map(|effect| effect.kind.link())
            .filter(|link| link.is_directory)
            .map(|link| link.inode);
        of_base.chain(made).collect()
    }
}

fn write(file: &mut File, recording: &Recording, data: &Data, is_kept: bool) {
    let start = u64::from(data.sector) * 512;
    for (place, byte) in (start..).zip(recording.bytes(data)) {
        let at = usize::try_from(place).unwrap();
        if file.bytes.len() <= at {
            file.bytes.resize(at + 1, Byte::Hole);
        }
        if is_kept {
            file.bytes[at] = if place < data.visible {
                Byte::Set(byte)
            } else {
                Byte::Hole
            };
        } else if file.bytes[at] == Byte::Hole && place >= file.solid && place < data.end {
            file.bytes[at] = Byte::Lost;
        }
    }
}

fn cut(file: &mut File, size: u64) {
    for byte in file.bytes.iter_mut().skip(usize::try_from(size).unwrap()) {
        *byte = Byte::Hole;
    }
    file.solid = file.solid.min(size);
}

fn add_tree(
    directory: u32,
    path: &Path,
    above: &mut Vec<u32>,
    names: &Names,
    files: &Files,
    directories: &BTreeSet<u32>,
    tree: &mut Tree,
) {
    if above.contains(&directory) {
        return;
    }
    above.push(directory);
    for ((held_by, name), inode) in names {
        if *held_by != directory {
            continue;
        }
        let path = path.join(OsStr::from_bytes(name));
        if directories.contains(inode) {
            tree.insert(path.clone(), Thing::Directory);
            add_tree(*inode, &path, above, names, files, directories, tree);
            continue;
        }
        let file = files.get(inode).cloned().unwrap_or_default();
        let mut bytes = file.bytes;
        bytes.resize(usize::try_from(file.size).unwrap(), Byte::Hole);
        tree.insert(path, Thing::File(bytes));
    }
    above.pop();
}
