//! What a damage run does to the files of a queue that was closed cleanly.

use crate::fault::Damage;
use crate::generate::Prng;
use crate::oracle::NamedFile;
use crate::scenario::{Action, Scenario, Step};

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
pub(crate) fn plans(scenario: &Scenario, files: &[NamedFile], effects: u32) -> Vec<Vec<String>> {
    if !scenario.damage.is_empty() {
        return vec![scenario.damage.clone()];
    }
    let mut prng = Prng::named(scenario.seed, "damage");
    let damaged = (0..DAMAGES).filter_map(|_| derive(&mut prng, files, effects));
    damaged.map(|damage| vec![damage.to_string()]).collect()
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
