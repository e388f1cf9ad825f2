//! What a damage run does to the files of a queue or log that nothing has open.

use super::error::CheckError;
use super::session::DIRECTORY;
use crate::fault::{CannotDamage, Damage};
use crate::generate::Prng;
use crate::oracle::NamedFile;
use crate::scenario::{Action, Scenario, Step};
use crate::simfs::{SimFs, TreeEntry};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Damages that a scenario without any is put through.
const DAMAGES: u32 = 24;

/// The scenario, ending with a clean close: only then it is known what the files hold.
pub(crate) fn with_clean_end(scenario: &Scenario) -> Scenario {
    let mut scenario = scenario.clone();
    let last = scenario
        .steps
        .iter()
        .rev()
        .find_map(|step| match step.action {
            Action::Open { .. } => Some(true),
            Action::Close | Action::Delete | Action::Kill | Action::OpenReadOnly => Some(false),
            Action::Put { .. }
            | Action::PutBatch { .. }
            | Action::Read
            | Action::Peek
            | Action::Depth
            | Action::Empty
            | Action::Sync
            | Action::Tick { .. }
            | Action::Settle => None,
        });
    let ends_closed = scenario
        .steps
        .last()
        .is_some_and(|step| step.action == Action::Close);
    if last == Some(false) && !ends_closed {
        scenario
            .steps
            .push(Step::queue(Action::Open { options: None }));
    }
    if !ends_closed {
        scenario.steps.push(Step::queue(Action::Close));
    }
    scenario
}

/// The damages of a scenario: its own, all at once, or else derived ones, one at a time.
/// `run` is the disk at the end of the run, `directory` where the files are.
pub(crate) fn plans(
    scenario: &Scenario,
    files: &[NamedFile],
    run: &SimFs,
    directory: &Path,
) -> Vec<Vec<String>> {
    if !scenario.damage.is_empty() {
        return vec![scenario.damage.clone()];
    }
    let mut prng = Prng::named(scenario.seed, "damage");
    let derived = (0..DAMAGES).filter_map(|_| derive(&mut prng, files, run.effect_count()));
    let possible = derived.map(|damage| {
        // Where there was none before, the file is gone as it was then.
        if let Damage::Older { name, effects } = &damage
            && older(run, directory, name, *effects).is_err()
        {
            return Damage::Remove { name: name.clone() };
        }
        damage
    });
    possible.map(|damage| vec![damage.to_string()]).collect()
}

/// One change of one file. The lock is left alone: it holds nothing that a queue needs.
fn derive(prng: &mut Prng, files: &[NamedFile], effects: u32) -> Option<Damage> {
    let files: Vec<&NamedFile> = files
        .iter()
        .filter(|(name, _)| !name.ends_with(".lock"))
        .collect();
    let count = u32::try_from(files.len()).ok().filter(|count| *count > 0)?;
    let (name, bytes) = files.get(prng.below(count) as usize)?;
    let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let name = name.clone().into_bytes();
    if size == 0 {
        return Some(Damage::Remove { name });
    }
    let place = u64::from(prng.below(size));
    Some(match prng.below(10) {
        0..=3 => {
            let bit = u8::try_from(prng.below(8)).unwrap_or(0);
            Damage::Flip {
                name,
                offset: place,
                bit,
            }
        }
        4 | 5 => Damage::Cut { name, size: place },
        6 => {
            let end = place + 1 + u64::from(prng.below(size));
            Damage::Zeros {
                name,
                start: place,
                end: end.min(u64::from(size)),
            }
        }
        7 => Damage::Append {
            name,
            count: 1 + u64::from(prng.below(64)),
        },
        8 => Damage::Older {
            name,
            effects: prng.below(effects.max(1)),
        },
        _ => Damage::Remove { name },
    })
}

/// A copy of the disk at the end of a run, with these damages done to it. One that cannot be done
/// is left out, for a change that changes nothing is no damage; unless it is all that was `asked`.
pub(crate) fn damaged_copy(
    run: &SimFs,
    directory: &Path,
    damages: &[String],
    asked: &[String],
) -> Result<SimFs, CheckError> {
    let sim = SimFs::from_tree(&run.tree())
        .map_err(|error| CheckError::defect(format!("a tree cannot be copied: {error}")))?;
    for line in damages {
        let damage: Damage = line.parse().map_err(CheckError::bad_scenario)?;
        if let Err(error) = apply(run, directory, &damage, &sim)
            && asked == [line.as_str()]
        {
            return Err(CheckError::Usage(format!("damage `{line}`: {error}")));
        }
    }
    Ok(sim)
}

/// Damages a copy of the files; an older copy comes from the run itself.
fn apply(run: &SimFs, directory: &Path, damage: &Damage, sim: &SimFs) -> Result<(), CannotDamage> {
    let Damage::Older { name, effects } = damage else {
        return damage.apply(sim, directory).map(|_| ());
    };
    let entry = older(run, directory, name, *effects)?;
    Ok(sim.place(&directory.join(OsStr::from_bytes(name)), &entry)?)
}

/// The file as it was after so many effects.
fn older(
    run: &SimFs,
    directory: &Path,
    name: &[u8],
    effects: u32,
) -> Result<TreeEntry, CannotDamage> {
    let path = directory.join(OsStr::from_bytes(name));
    let past = run.at_effect(effects).ok_or(CannotDamage::NoPast)?;
    let entry = past.tree().into_iter().find(|(place, _)| *place == path);
    entry.map(|(_, entry)| entry).ok_or(CannotDamage::NoPast)
}

/// The files of the data directory with their bytes.
pub(crate) fn files_of(sim: &SimFs) -> Vec<NamedFile> {
    let mut files = Vec::new();
    for (path, entry) in sim.tree() {
        if let TreeEntry::File(bytes) = entry
            && let Ok(name) = path.strip_prefix(DIRECTORY)
        {
            files.push((name.to_string_lossy().into_owned(), bytes));
        }
    }
    files
}
