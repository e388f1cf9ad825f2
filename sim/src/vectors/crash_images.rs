//! Makes the vectors of stage `crash-images`: directories as a crash of a small scenario may leave
//! them, and what the oracle allows to come back.
//!
//! Every image of every crash point is looked at. Of those that allow the same, the richest and
//! the poorest become vectors. Their id ends in a hash of what is in it: when the engine makes
//! other calls, there are other ids.

use super::lock::fingerprint;
use super::recipes::{Blamed, RECIPES, Recipe};
use super::stages::AllowedImage;
use super::vector::{
    Bytes, CrashTold, FileEntry, Name, ScenarioTold, Stage, Vector, VectorOptions,
};
use super::with_boot::boot_text;
use crate::crash::{Image, Limits, Point, Profile, State, Visitor, walk};
use crate::explore::{CheckError, NoWatch, Recorded, profile_of, queue_of, record};
use crate::oracle::{FifoHistory, NEVER, Observation, Run, judge};
use crate::scenario::{Action, CrashKind, Scenario};
use crate::simfs::{SimFs, TreeEntry};
use crashline::fs::{BootId, Fs};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;

/// The boot after a power cut.
const NEXT_BOOT: BootId = BootId([0x5b; 16]);

/// The vectors of all recipes, sorted by id.
///
/// # Errors
/// A defect: the recipes can be run.
pub fn crash_images() -> Result<Vec<Vector>, CheckError> {
    let mut vectors = Vec::new();
    for recipe in RECIPES {
        vectors.extend(images_of(recipe)?);
    }
    vectors.sort_by(|one, next| one.id.cmp(&next.id));
    Ok(vectors)
}

fn images_of(recipe: &Recipe) -> Result<Vec<Vector>, CheckError> {
    let scenario = recipe.scenario();
    let profile = profile_of(&scenario)?;
    let recorded = record(queue_of(&scenario)?, &scenario, &mut NoWatch)?;
    let mut collector = Collector {
        history: &recorded.history,
        steps: &scenario,
        images: Vec::new(),
    };
    let summary = walk(
        &recorded.recording,
        profile,
        &Limits::default(),
        scenario.seed,
        &mut collector,
    );
    if summary.points_enumerated < summary.points {
        return Err(CheckError::defect(
            "a recipe has more images than are shown",
        ));
    }
    // Where a call failed, images from before that show nothing of it.
    let clause = recipe.clause.as_ref();
    collector.images.retain(|image| {
        let windows = recorded.history.windows_at(image.position);
        let blamed = |clause: &Blamed| windows.is_some_and(|windows| clause.is_met(windows));
        clause.is_none_or(blamed)
    });
    let told = Told {
        recipe,
        scenario: &scenario,
        recorded: &recorded,
        profile,
    };
    Ok(chosen(&collector.images)
        .into_iter()
        .map(|image| told.vector(image))
        .collect())
}

/// Of all images after the same kind of crash that allow the same, the one with the most bytes,
/// and after a power cut also the one with the fewest.
fn chosen(images: &[FoundImage]) -> Vec<&FoundImage> {
    let mut alike: BTreeMap<(CrashKind, &Option<Runs>), Vec<&FoundImage>> = BTreeMap::new();
    for image in images {
        let key = (image.kind, &image.allowed);
        alike.entry(key).or_default().push(image);
    }
    let mut chosen = Vec::new();
    for ((kind, _), images) in alike {
        let most = images.iter().copied().max_by_key(|image| image.rank());
        let fewest = images.iter().copied().min_by_key(|image| image.rank());
        let fewest = fewest.filter(|_| kind == CrashKind::PowerCut && images.len() > 1);
        chosen.extend(most.into_iter().chain(fewest));
    }
    chosen
}

/// The runs that may come, as (first, one behind the last); `(0, 0)` is nothing.
type Runs = BTreeSet<(u32, u32)>;

struct FoundImage {
    kind: CrashKind,
    files: BTreeMap<OsString, Vec<u8>>,
    /// `None` until a state has it.
    allowed: Option<Runs>,
    /// The first position that can leave it.
    position: u32,
}

impl FoundImage {
    fn rank(&self) -> (usize, u32, &BTreeMap<OsString, Vec<u8>>) {
        let bytes = self.files.values().map(Vec::len).sum();
        (bytes, self.position, &self.files)
    }
}

struct Collector<'a> {
    history: &'a FifoHistory,
    steps: &'a Scenario,
    images: Vec<FoundImage>,
}

impl Visitor for Collector<'_> {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        self.images.push(FoundImage {
            kind: image.kind(),
            files: files_of(&image.mount()),
            allowed: None,
            position: u32::MAX,
        });
        u32::try_from(self.images.len() - 1).unwrap_or(u32::MAX)
    }

    fn state(&mut self, point: &Point, state: &State<'_>, outcome: u32) {
        let allowed = allowed_at(self.history, point.marks, state.kind());
        let Some(image) = self.images.get_mut(outcome as usize) else {
            return;
        };
        // Whoever recovers it cannot tell the points apart: all of them must allow it.
        image.allowed = Some(match image.allowed.take() {
            Some(before) => &before & &allowed,
            None => allowed,
        });
        image.position = image
            .position
            .min(point.marks.min(2 * step_count(self.steps)));
    }
}

fn step_count(scenario: &Scenario) -> u32 {
    u32::try_from(scenario.steps.len()).unwrap_or(u32::MAX / 2)
}

fn files_of(sim: &SimFs) -> BTreeMap<OsString, Vec<u8>> {
    let named = |(path, entry): (std::path::PathBuf, TreeEntry)| match entry {
        TreeEntry::File(bytes) => Some((path.file_name()?.to_owned(), bytes)),
        TreeEntry::Directory | TreeEntry::Special => None,
    };
    sim.tree().into_iter().filter_map(named).collect()
}

/// Everything that the oracle lets come back after a crash at this position.
fn allowed_at(history: &FifoHistory, marks: u32, kind: CrashKind) -> Runs {
    let mut runs = Runs::new();
    let Some(windows) = history.windows_at(marks) else {
        return runs;
    };
    let count = history.messages().count();
    for end in 0..=count {
        for first in 0..end.max(1) {
            let delivered = end - first;
            let puts = history.messages().range(first, end).iter();
            let run = Run {
                first,
                end,
                absent_from: puts.map(|put| put.absent_from).min().unwrap_or(NEVER),
                missing_from: 0,
            };
            let observation = Observation {
                runs: (delivered > 0).then_some(run).into_iter().collect(),
                delivered,
                ..Observation::default()
            };
            if judge(windows, kind, &observation).is_none() {
                runs.insert((first, end));
            }
        }
    }
    runs
}

struct Told<'a> {
    recipe: &'a Recipe,
    scenario: &'a Scenario,
    recorded: &'a Recorded,
    profile: &'a Profile,
}

impl Told<'_> {
    fn vector(&self, image: &FoundImage) -> Vector {
        let messages = self.recorded.history.messages();
        let message = |number| Bytes(messages.bytes(number).unwrap_or_default().to_vec());
        let (kind_words, boot, lost) = match image.kind {
            CrashKind::Kill => ("Killed", self.recorded.sim.boot_id(), "Q2"),
            CrashKind::PowerCut => ("The power was cut", Some(NEXT_BOOT), "Q3"),
        };
        let when = self.when(image.position);
        let file = |(name, bytes): (&OsString, &Vec<u8>)| FileEntry {
            name: Name::of(name),
            data_b64: Some(Bytes(bytes.clone())),
        };
        let allowed = allowed_json(image.allowed.as_ref());
        let mut vector = Vector {
            id: String::new(),
            stage: Stage::CrashImages,
            engine: self.scenario.engine.clone(),
            about: format!("{kind_words} {when}, in `{}`.", self.recipe.name),
            origin: "made by crashline vectors --write".to_owned(),
            clauses: ["C1"]
                .into_iter()
                .chain(self.recipe.clause.map(Blamed::id))
                .chain(["Q1", lost, "Q4", "Q5"])
                .map(str::to_owned)
                .collect(),
            flags: Vec::new(),
            rows: Vec::new(),
            file: None,
            queue: Some(Name::Text("queue".to_owned())),
            options: Some(VectorOptions::Fifo(self.scenario.options)),
            boot: Some(boot_text(boot)),
            scenario: Some(ScenarioTold {
                name: self.recipe.name.to_owned(),
                profile: self.profile.name.to_owned(),
                steps: self
                    .scenario
                    .steps
                    .iter()
                    .map(|step| words(&step.action))
                    .collect(),
                faults: self.scenario.faults.clone(),
            }),
            crash: Some(CrashTold {
                kind: image.kind,
                when,
            }),
            data_b64: None,
            table: None,
            files: Some(image.files.iter().map(file).collect()),
            messages_b64: Some((0..messages.count()).map(message).collect()),
            allowed,
        };
        let hash: String = fingerprint(&vector).chars().take(8).collect();
        vector.id = format!("diskqueue/crash-images/{}-{hash}", self.recipe.name);
        vector
    }

    fn when(&self, position: u32) -> String {
        let number = position.div_ceil(2);
        let index = number.checked_sub(1).map(|index| index as usize);
        match index.and_then(|index| self.scenario.steps.get(index)) {
            None => "while the queue was opened".to_owned(),
            Some(step) => {
                let name = words(&step.action);
                let place = if position % 2 == 1 { "during" } else { "after" };
                format!("{place} step {number} ({name})")
            }
        }
    }
}

fn allowed_json(runs: Option<&Runs>) -> serde_json::Value {
    let runs = runs.cloned().unwrap_or_default();
    let inclusive = |(first, end): &(u32, u32)| (*first as usize, end.saturating_sub(1) as usize);
    let allowed = AllowedImage {
        nothing: runs.contains(&(0, 0)),
        runs: runs.iter().filter(|run| run.1 > 0).map(inclusive).collect(),
    };
    serde_json::to_value(allowed).expect("it is plain data")
}

fn words(action: &Action) -> String {
    let value = serde_json::to_value(action).expect("an action is plain data");
    let name = value
        .get("op")
        .and_then(|op| op.as_str())
        .unwrap_or_default();
    let sizes: Vec<String> = action
        .sizes()
        .iter()
        .map(|size| format!("{size} bytes"))
        .collect();
    match sizes.is_empty() {
        true => name.to_owned(),
        false => format!("{name} {}", sizes.join(", ")),
    }
}
