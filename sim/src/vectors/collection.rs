//! All vectors of a corpus, with their index, their flags and their lock.

use super::vector::{Vector, pretty};
use super::{crash_images, fingerprint, lock};
use crate::scenario::Clause;
use crashline::fs::{FileKind, Fs, OpenMode, SyncKind, list_names, read_file, write_all_at};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The largest file of the corpus that is read.
const FILE_BYTES_MAX: usize = 16 * 1024 * 1024;
const INDEX: &str = "index.json";
const LOCK: &str = "ids.lock";
const FLAGS: &str = "flags.json";

/// What the index has of a vector.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IndexEntry {
    /// The id.
    pub name: String,
    /// The stage.
    pub stage: super::Stage,
    /// The engine.
    pub engine: String,
    /// The clauses.
    pub clauses: Vec<String>,
    /// The sentence.
    pub about: String,
}

/// Why some vectors are there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Flag {
    /// What it stands for.
    about: String,
    /// What an implementation that gets it wrong does.
    effect: String,
    /// Public reports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    links: Vec<String>,
}

/// The vectors of a folder.
#[derive(Debug)]
pub struct Collection {
    folder: PathBuf,
    /// Sorted by id.
    pub vectors: Vec<Vector>,
    index: Vec<IndexEntry>,
    lock: BTreeMap<String, String>,
    flags: BTreeMap<String, Flag>,
}

impl Collection {
    /// Reads all vectors below `folder`, which is `corpus/vectors`.
    ///
    /// # Errors
    /// One sentence that says which file is wrong.
    pub fn load(fs: &dyn Fs, folder: &Path) -> Result<Self, String> {
        let mut vectors = Vec::new();
        load_below(fs, folder, folder, &mut vectors)?;
        vectors.sort_by(|one: &Vector, next: &Vector| one.id.cmp(&next.id));
        let json = |text: &str, name: &str| serde_json::from_str(text).map_err(of(name));
        let flags: BTreeMap<String, Flag> =
            serde_json::from_str(&read_text(fs, &folder.join(FLAGS))?).map_err(of(FLAGS))?;
        Ok(Self {
            folder: folder.to_owned(),
            vectors,
            index: json(&read_text(fs, &folder.join(INDEX))?, INDEX)?,
            lock: lock::parse(&read_text(fs, &folder.join(LOCK))?),
            flags,
        })
    }

    /// What is wrong with it, in sentences; none where all is well.
    ///
    /// # Errors
    /// A defect of the generator.
    pub fn problems(&self) -> Result<Vec<String>, String> {
        let mut problems = lock::broken(&self.lock, &self.vectors);
        for vector in &self.vectors {
            let id = &vector.id;
            if !self.lock.contains_key(id) {
                problems.push(format!("{id} is not in {LOCK}"));
            }
            let flags = vector
                .flags
                .iter()
                .filter(|flag| !self.flags.contains_key(*flag));
            problems.extend(flags.map(|flag| format!("{id}: there is no flag `{flag}`")));
            let clauses = vector.clauses.iter();
            let unknown = clauses.filter(|clause| clause.parse::<Clause>().is_err());
            problems.extend(unknown.map(|clause| format!("{id}: there is no clause `{clause}`")));
        }
        let used = |name: &String| self.vectors.iter().any(|one| one.flags.contains(name));
        let unused = self.flags.keys().filter(|name| !used(name));
        problems.extend(unused.map(|name| format!("no vector has the flag `{name}`")));
        if self.index != self.index_now() {
            problems.push(format!("{INDEX} says something else than the vectors"));
        }
        for made in crash_images().map_err(|error| error.to_string())? {
            match self.vectors.iter().find(|vector| vector.id == made.id) {
                None => problems.push(format!("{} is missing", made.id)),
                Some(vector) if *vector != made => {
                    problems.push(format!("{} is not as it would be made", made.id));
                }
                Some(_) => {}
            }
        }
        Ok(problems)
    }

    /// Adds the crash images that are missing, and brings index and lock up to date. Ids that are
    /// locked are not touched.
    ///
    /// # Errors
    /// One sentence; where an id was changed or removed, nothing is written.
    pub fn update(&mut self, fs: &dyn Fs) -> Result<usize, String> {
        let broken = lock::broken(&self.lock, &self.vectors);
        if let Some(problem) = broken.first() {
            return Err(problem.clone());
        }
        let mut added = 0;
        for made in crash_images().map_err(|error| error.to_string())? {
            let place = self.vectors.binary_search_by(|one| one.id.cmp(&made.id));
            let path = self.folder.join(format!("{}.json", made.id));
            match place {
                Err(at) => {
                    write_text(fs, &path, &made.to_text())?;
                    self.vectors.insert(at, made);
                    added += 1;
                }
                Ok(at) => {
                    // What it asks is the same, since its id is; what is told may be new.
                    write_text(fs, &path, &made.to_text())?;
                    self.vectors.splice(at..=at, [made]);
                }
            }
        }
        for vector in &self.vectors {
            let id = vector.id.clone();
            self.lock.entry(id).or_insert_with(|| fingerprint(vector));
        }
        self.index = self.index_now();
        write_text(fs, &self.folder.join(INDEX), &pretty(&self.index))?;
        write_text(fs, &self.folder.join(LOCK), &lock::to_text(&self.lock))?;
        Ok(added)
    }

    fn index_now(&self) -> Vec<IndexEntry> {
        let entry = |vector: &Vector| IndexEntry {
            name: vector.id.clone(),
            stage: vector.stage,
            engine: vector.engine.clone(),
            clauses: vector.clauses.clone(),
            about: vector.about.clone(),
        };
        self.vectors.iter().map(entry).collect()
    }
}

fn load_below(
    fs: &dyn Fs,
    root: &Path,
    folder: &Path,
    vectors: &mut Vec<Vector>,
) -> Result<(), String> {
    let names = list_names(fs, folder).map_err(of(folder.display()))?;
    for name in names {
        let path = folder.join(&name);
        if fs.stat(&path).map_err(of(path.display()))?.kind == FileKind::Directory {
            load_below(fs, root, &path, vectors)?;
            continue;
        }
        let below = path.strip_prefix(root).unwrap_or(&path);
        let is_vector = path.extension().is_some_and(|ending| ending == "json") && folder != root;
        if !is_vector {
            continue;
        }
        let vector = Vector::parse(&read_text(fs, &path)?).map_err(of(below.display()))?;
        let folder = format!("{}/{}/", vector.engine, vector.stage.folder());
        let is_in_place = below.with_extension("") == Path::new(&vector.id);
        if !is_in_place || !vector.id.starts_with(&folder) {
            return Err(format!(
                "{}: it says that it is {}",
                below.display(),
                vector.id
            ));
        }
        vectors.push(vector);
    }
    Ok(())
}

fn read_text(fs: &dyn Fs, path: &Path) -> Result<String, String> {
    let bytes = read_file(fs, path, FILE_BYTES_MAX).map_err(of(path.display()))?;
    String::from_utf8(bytes).map_err(of(path.display()))
}

fn write_text(fs: &dyn Fs, path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    if fs.stat(folder).is_err() {
        fs.create_dir(folder).map_err(of(folder.display()))?;
    }
    let written = fs.open(path, OpenMode::Truncate, 0o644).and_then(|file| {
        write_all_at(file.as_ref(), 0, text.as_bytes())?;
        file.sync(SyncKind::Data)
    });
    written.map_err(of(path.display()))
}

/// Puts what an error is about before it.
fn of<E: std::fmt::Display>(what: impl std::fmt::Display) -> impl FnOnce(E) -> String {
    move |error| format!("{what}: {error}")
}
