//! The rules of a crash, spelled out byte by byte and effect by effect, without any of the
//! structures that make the real thing fast. Shares with it the effects and the profile's rules.

use crashline_sim::crash::Profile;
use crashline_sim::simfs::{
    AfterSyncError, Effect, EffectKind, Entry, Recording, SyncOutcome, TreeEntry,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

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
type Numbers = BTreeSet<u32>;

#[derive(Debug, Default, Clone)]
struct File {
    bytes: Vec<Byte>,
    size: u64,
    /// Bytes before it are not lost by a write that is lost: they were durable.
    solid: u64,
}

/// What is durable, pending and gone before one point.
pub(crate) struct Naive<'a> {
    recording: &'a Recording,
    profile: &'a Profile,
    effects: Vec<&'a Effect>,
    /// Effect number to unit.
    units: Vec<u32>,
    pub(crate) durable: Numbers,
    gone: Numbers,
    abandoned: Numbers,
    /// After each sync: its number, and what is durable then.
    syncs: Vec<(u32, Numbers)>,
}

impl<'a> Naive<'a> {
    pub(crate) fn at(recording: &'a Recording, profile: &'a Profile, point: u32) -> Self {
        let effects: Vec<&Effect> = recording.effects().take(point as usize).collect();
        let mut naive = Self {
            recording,
            profile,
            units: units(recording, profile, &effects),
            effects,
            durable: Numbers::new(),
            gone: Numbers::new(),
            abandoned: Numbers::new(),
            syncs: Vec::new(),
        };
        for number in 0..point {
            naive.apply_sync(number);
        }
        naive
    }

    fn effect(&self, number: u32) -> &'a Effect {
        self.effects[number as usize]
    }

    fn pending_before(&self, number: u32) -> Vec<u32> {
        (0..number)
            .filter(|earlier| {
                !matches!(self.effect(*earlier).kind, EffectKind::Sync(_))
                    && !self.durable.contains(earlier)
                    && !self.gone.contains(earlier)
            })
            .collect()
    }

    fn apply_sync(&mut self, number: u32) {
        let effect = self.effect(number);
        let EffectKind::Sync(sync) = &effect.kind else {
            return;
        };
        let pending = self.pending_before(number);
        match sync.outcome {
            SyncOutcome::Done => {
                let mut covered: Numbers = pending
                    .iter()
                    .copied()
                    .filter(|earlier| {
                        !self.abandoned.contains(earlier)
                            && (self.profile.covers)(effect, &self.effect(*earlier).kind)
                    })
                    .collect();
                self.close(&mut covered, &pending);
                self.durable.extend(covered);
                self.syncs.push((number, self.durable.clone()));
            }
            SyncOutcome::Failed(after) => {
                for earlier in &pending {
                    let kind = &self.effect(*earlier).kind;
                    if kind.file() != Some(sync.inode) {
                        continue;
                    }
                    if after == AfterSyncError::Reverted {
                        let unit = self.units[*earlier as usize];
                        self.gone.extend(
                            pending
                                .iter()
                                .filter(|other| self.units[**other as usize] == unit),
                        );
                    } else if matches!(kind, EffectKind::Data(_)) {
                        self.abandoned.insert(*earlier);
                    }
                }
            }
        }
    }

    /// Whether a state with `later` must have `earlier`.
    fn needs(&self, later: u32, earlier: u32) -> bool {
        let (first, second) = (&self.effect(earlier).kind, &self.effect(later).kind);
        self.units[earlier as usize] == self.units[later as usize]
            || earlier < later
                && (first.shares_cell(second) || (self.profile.must_precede)(first, second))
    }

    fn close(&self, set: &mut Numbers, pending: &[u32]) {
        loop {
            let more: Vec<u32> = pending
                .iter()
                .copied()
                .filter(|earlier| {
                    !set.contains(earlier) && set.iter().any(|later| self.needs(*later, *earlier))
                })
                .collect();
            if more.is_empty() {
                return;
            }
            set.extend(more);
        }
    }

    pub(crate) fn pending(&self) -> Vec<u32> {
        self.pending_before(u32::try_from(self.effects.len()).unwrap())
    }

    /// All sets of pending effects that may be lost together; `None` if there are too many subsets
    /// to look at.
    pub(crate) fn lost_sets(&self, effects_max: usize) -> Option<Vec<Vec<u32>>> {
        let pending = self.pending();
        if pending.len() > effects_max {
            return None;
        }
        let mut sets = Vec::new();
        for mask in 0_u32..1 << pending.len() {
            let (mut kept, mut lost) = (Numbers::new(), Vec::new());
            for (bit, number) in pending.iter().enumerate() {
                if mask >> bit & 1 == 1 {
                    kept.insert(*number);
                } else {
                    lost.push(*number);
                }
            }
            let is_closed = lost
                .iter()
                .all(|lost| kept.iter().all(|kept| !self.needs(*kept, *lost)));
            if is_closed {
                sets.push(lost);
            }
        }
        Some(sets)
    }

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
                _ => {}
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
    fn harden(&self, number: u32, lost: &[u32], files: &mut BTreeMap<u32, File>) {
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

    fn base(&self) -> (BTreeMap<u32, File>, BTreeMap<(u32, Vec<u8>), u32>) {
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

fn units(recording: &Recording, profile: &Profile, effects: &[&Effect]) -> Vec<u32> {
    let history = recording
        .log()
        .iter()
        .take(recording.history())
        .filter(|entry| matches!(entry, Entry::Effect(_)))
        .count();
    let mut units = Vec::new();
    for (at, effect) in effects.iter().enumerate() {
        let unit = match at.checked_sub(1).map(|before| effects[before]) {
            Some(before)
                if before.call == effect.call
                    && at != history
                    && (profile.is_glued)(&before.kind, &effect.kind) =>
            {
                units[at - 1]
            }
            _ => u32::try_from(at).unwrap(),
        };
        units.push(unit);
    }
    units
}

fn write(file: &mut File, recording: &Recording, data: &crashline_sim::simfs::Data, is_kept: bool) {
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
    names: &BTreeMap<(u32, Vec<u8>), u32>,
    files: &BTreeMap<u32, File>,
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
            other => format!("{other:?}"),
        };
        writeln!(text, "  {} {what}", path.display()).unwrap();
    }
    for (number, effect) in recording.effects().enumerate() {
        writeln!(text, "{number}: call {} {:?}", effect.call, effect.kind).unwrap();
    }
    text
}
