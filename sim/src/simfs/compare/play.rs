//! Playing calls on a filesystem, and on two of them side by side.

use super::answer::Answer;
use super::draw::draw_step;
use super::step::{FileCall, FileStep};
use crashline::fs::{
    FileKind, Fs, FsFile, FsLock, list_names, read_file, read_up_to, write_all_at,
};
use std::path::{Path, PathBuf};

/// Plays calls on one filesystem, below one directory.
#[derive(Debug)]
pub struct Player<'a> {
    fs: &'a dyn Fs,
    root: PathBuf,
    handles: Vec<Box<dyn FsFile>>,
    locks: Vec<Box<dyn FsLock>>,
}

/// Where two filesystems did not agree.
#[derive(Debug)]
pub struct Difference {
    /// The calls up to and with the one that differed.
    pub steps: Vec<FileStep>,
    /// What the first filesystem answered.
    pub left: Answer,
    /// What the second one answered.
    pub right: Answer,
}

impl<'a> Player<'a> {
    /// A player without handles and locks; `root` exists.
    #[must_use]
    pub fn new(fs: &'a dyn Fs, root: &Path) -> Self {
        Self {
            fs,
            root: root.to_path_buf(),
            handles: Vec::new(),
            locks: Vec::new(),
        }
    }

    /// Makes one call.
    pub fn play(&mut self, step: &FileStep) -> Answer {
        let done = |()| Answer::Done;
        let fs = self.fs;
        match step {
            FileStep::Open { path, mode } => {
                let result = fs.open(&self.at(path), *mode, 0o600);
                Answer::of(result, |handle| {
                    self.handles.push(handle);
                    Answer::Done
                })
            }
            FileStep::Close { handle } => {
                if *handle < self.handles.len() {
                    self.handles.remove(*handle);
                }
                Answer::Done
            }
            FileStep::OnFile { handle, call } => match self.handles.get(*handle) {
                Some(file) => on_file(file.as_ref(), *call),
                None => Answer::NoHandle,
            },
            FileStep::SyncDir { path } => Answer::of(fs.sync_dir(&self.at(path)), done),
            FileStep::CreateDir { path } => Answer::of(fs.create_dir(&self.at(path)), done),
            FileStep::Remove { path } => Answer::of(fs.remove_file(&self.at(path)), done),
            FileStep::Rename {
                source,
                target,
                replace,
            } => {
                let (source, target) = (self.at(source), self.at(target));
                let result = if *replace {
                    fs.rename(&source, &target)
                } else {
                    fs.rename_no_replace(&source, &target)
                };
                Answer::of(result, done)
            }
            FileStep::Stat { path } => Answer::of(fs.stat(&self.at(path)), |stat| {
                let is_file = stat.kind == FileKind::Regular;
                Answer::Stat(stat.kind, if is_file { stat.size } else { 0 })
            }),
            FileStep::IsSame { left, right } => {
                match (fs.stat(&self.at(left)), fs.stat(&self.at(right))) {
                    (Ok(left), Ok(right)) => Answer::Is(left.identity == right.identity),
                    _ => Answer::Is(false),
                }
            }
            FileStep::List { path } => Answer::of(list_names(fs, &self.at(path)), Answer::Names),
            FileStep::Lock { path } => Answer::of(fs.try_lock(&self.at(path), 0o600), |lock| {
                self.locks.push(lock);
                Answer::Done
            }),
            FileStep::Unlock => {
                if !self.locks.is_empty() {
                    self.locks.remove(0);
                }
                Answer::Done
            }
        }
    }

    /// All names below the root with kinds and contents.
    #[must_use]
    pub fn tree(&self) -> Vec<(PathBuf, Answer)> {
        let mut all = Vec::new();
        self.add_tree(&self.root, &mut all);
        for (path, _) in &mut all {
            if let Ok(below) = path.strip_prefix(&self.root) {
                *path = below.to_path_buf();
            }
        }
        all
    }

    fn add_tree(&self, directory: &Path, all: &mut Vec<(PathBuf, Answer)>) {
        for name in list_names(self.fs, directory).unwrap_or_default() {
            let path = directory.join(name);
            match self.fs.stat(&path).map(|stat| stat.kind) {
                Ok(FileKind::Directory) => {
                    all.push((path.clone(), Answer::Is(true)));
                    self.add_tree(&path, all);
                }
                _ => {
                    let bytes = read_file(self.fs, &path, usize::MAX);
                    all.push((path, Answer::of(bytes, Answer::Bytes)));
                }
            }
        }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }
}

fn on_file(file: &dyn FsFile, call: FileCall) -> Answer {
    let done = |()| Answer::Done;
    match call {
        FileCall::Write { offset, size, byte } => {
            Answer::of(write_all_at(file, offset, &vec![byte; size]), done)
        }
        FileCall::Read { offset, size } => {
            let mut bytes = vec![0; size];
            Answer::of(read_up_to(file, offset, &mut bytes), |count| {
                Answer::Bytes(bytes.get(..count).unwrap_or_default().to_vec())
            })
        }
        FileCall::SetSize { size } => Answer::of(file.set_size(size), done),
        FileCall::Size => Answer::of(file.size(), Answer::Count),
        FileCall::Sync { kind } => Answer::of(file.sync(kind), done),
    }
}

/// Plays `count` drawn calls on both filesystems, each below an empty directory of its own, and
/// compares every answer and the trees at the end.
///
/// # Errors
/// The first difference.
pub fn compare(
    left: (&dyn Fs, &Path),
    right: (&dyn Fs, &Path),
    count: usize,
    draw: &mut dyn FnMut(u32) -> u32,
) -> Result<(), Box<Difference>> {
    let (mut first, mut second) = (Player::new(left.0, left.1), Player::new(right.0, right.1));
    let mut steps = Vec::with_capacity(count);
    for _ in 0..count {
        let step = draw_step(draw);
        let answers = (first.play(&step), second.play(&step));
        steps.push(step);
        if !answers.0.agrees(&answers.1) {
            return Err(Box::new(Difference {
                steps,
                left: answers.0,
                right: answers.1,
            }));
        }
    }
    let trees = (first.tree(), second.tree());
    if trees.0.len() != trees.1.len() {
        return Err(Box::new(Difference {
            steps,
            left: Answer::Count(trees.0.len() as u64),
            right: Answer::Count(trees.1.len() as u64),
        }));
    }
    for ((left_path, left), (right_path, right)) in trees.0.into_iter().zip(trees.1) {
        if left_path != right_path || !left.agrees(&right) {
            return Err(Box::new(Difference { steps, left, right }));
        }
    }
    Ok(())
}
