//! All scenarios of a few operations on two queues, each that is equal to another one left out.
//!
//! The alphabet has twenty letters, so that up to four operations would be 168,420 sequences. Left
//! out are those that others stand for; 9,263 stay:
//! - The queues are alike but for their number: the first one that is named is the first queue.
//! - Offsets are compared with others of their queue only: one that stands alone is the larger.
//! - What touches nothing but memory (an update, a removal, a read of what memory holds) matters to
//!   what follows only by the table that it leaves. Before another operation it is the plainest one
//!   that leaves this table: at most one for each queue between two that touch the disk, in the
//!   order of the queues, and it changes something. As the last operation each of them is tried.
//!
//! What touches the disk is never left out, whether it has anything to do or not.
//!
//! The crashes before the last operation are those of the sequence without it, which is another
//! scenario of the tier: only those from there on are looked at.

use super::generate::{as_the_original_has_it, scenario};
use crate::explore::items::Chosen;
use crate::generate::{OffsetGenerator, Prng, Walk};
use crate::model::OffsetModel;
use crate::scenario::{
    OffsetOp, OffsetProgram, OffsetQueue, OffsetTable, ReadFrom, RunKind, Scenario,
};
use std::collections::BTreeSet;

/// The offsets that a queue is set to.
const OFFSETS: [i64; 2] = [7, 3];

/// All scenarios of one to `operations_max` operations behind a first open, shorter ones first.
pub(crate) fn small_tier(engine: &str, profile: &str, operations_max: u32) -> Vec<Chosen> {
    let generator = OffsetGenerator::small();
    let mut letters = letters(&generator);
    let is_original = engine.starts_with("original-");
    // A twin has no removals.
    letters.retain(|letter| !is_original || !matches!(letter, OffsetOp::Remove { .. }));
    let mut tier = Vec::new();
    let mut prefixes = vec![Word::default()];
    for _ in 0..operations_max.max(1) {
        let mut longer = Vec::new();
        for prefix in &prefixes {
            for letter in &letters {
                let Some(word) = prefix.with(letter, generator.queues()) else {
                    continue;
                };
                if word.has_larger_offsets() {
                    tier.push(chosen(engine, profile, &generator, &word.letters));
                }
                if prefix.goes_on_with(letter) {
                    longer.push(word);
                }
            }
        }
        prefixes = longer;
    }
    tier
}

/// All operations of the tier. A process that dies is followed by another one: an open stands for
/// both.
fn letters(generator: &OffsetGenerator) -> Vec<OffsetOp> {
    let mut walk = Walk::new();
    std::iter::from_fn(|| walk.next(|choices| generator.next_small(choices))).collect()
}

/// The queue that a letter names.
fn queue_of(letter: &OffsetOp) -> Option<&OffsetQueue> {
    match letter {
        OffsetOp::Update { queue, .. }
        | OffsetOp::Read { queue, .. }
        | OffsetOp::Remove { queue } => Some(queue),
        OffsetOp::Persist { queues } => queues.first(),
        OffsetOp::Open
        | OffsetOp::OpenReadOnly
        | OffsetOp::PersistAll
        | OffsetOp::Offsets { .. }
        | OffsetOp::Close
        | OffsetOp::Kill => None,
    }
}

/// Some operations, and what they come to.
#[derive(Debug, Clone)]
struct Word {
    letters: Vec<OffsetOp>,
    model: OffsetModel,
    /// Queues that were changed in memory since the disk was touched.
    changed: BTreeSet<OffsetQueue>,
}

impl Default for Word {
    fn default() -> Self {
        let mut model = OffsetModel::new(OffsetTable::new());
        model.apply(&OffsetOp::Open);
        Self {
            letters: Vec::new(),
            model,
            changed: BTreeSet::new(),
        }
    }
}

impl Word {
    /// The word with one letter more; nothing if it names the second queue before the first.
    fn with(&self, letter: &OffsetOp, queues: &[OffsetQueue]) -> Option<Self> {
        let names =
            |queue: &OffsetQueue| self.letters.iter().any(|one| queue_of(one) == Some(queue));
        let named = queue_of(letter);
        if named.is_some() && named != queues.first() && !queues.first().is_some_and(names) {
            return None;
        }
        let mut word = self.clone();
        if self.is_in_memory(letter) {
            word.changed.extend(named.cloned());
        } else {
            word.changed.clear();
        }
        if *letter == OffsetOp::Open {
            word.model.apply(&OffsetOp::Kill);
        }
        word.model.apply(letter);
        word.letters.push(letter.clone());
        Some(word)
    }

    /// Whether a letter behind this word touches nothing but memory.
    fn is_in_memory(&self, letter: &OffsetOp) -> bool {
        match letter {
            OffsetOp::Update { .. } | OffsetOp::Remove { .. } => true,
            OffsetOp::Read { queue, from } => match from {
                ReadFrom::Memory => true,
                ReadFrom::Store => false,
                ReadFrom::MemoryThenStore => self.model.table().contains_key(queue),
            },
            OffsetOp::Open
            | OffsetOp::OpenReadOnly
            | OffsetOp::Persist { .. }
            | OffsetOp::PersistAll
            | OffsetOp::Offsets { .. }
            | OffsetOp::Close
            | OffsetOp::Kill => false,
        }
    }

    /// Whether more may follow on this letter: it is the plainest of those that come to the same.
    fn goes_on_with(&self, letter: &OffsetOp) -> bool {
        if !self.is_in_memory(letter) {
            return true;
        }
        let mut after = self.model.clone();
        after.apply(letter);
        let is_plain = !matches!(
            letter,
            OffsetOp::Update {
                increase_only: true,
                ..
            }
        );
        let is_in_order =
            queue_of(letter).is_none_or(|queue| self.changed.iter().all(|changed| changed < queue));
        is_plain && is_in_order && after.table() != self.model.table()
    }

    /// Whether no queue is set to the smaller offset alone.
    fn has_larger_offsets(&self) -> bool {
        let [larger, _] = OFFSETS;
        let is_set = |queue: &OffsetQueue, to: Option<i64>| {
            let is_it = |named: &OffsetQueue, offset: i64| {
                named == queue && to.is_none_or(|to| to == offset)
            };
            self.letters.iter().any(|letter| {
                matches!(letter, OffsetOp::Update { queue, offset, .. } if is_it(queue, *offset))
            })
        };
        let mut queues = self.letters.iter().filter_map(queue_of);
        queues.all(|queue| is_set(queue, Some(larger)) || !is_set(queue, None))
    }
}

fn chosen(
    engine: &str,
    profile: &str,
    generator: &OffsetGenerator,
    letters: &[OffsetOp],
) -> Chosen {
    let mut seed = 0;
    let mut steps = vec![OffsetOp::Open];
    let mut crashes_from = 0;
    for letter in letters {
        seed = Prng::named(seed, &format!("{letter:?}")).draw();
        crashes_from = steps.len();
        if *letter == OffsetOp::Open {
            steps.push(OffsetOp::Kill);
        }
        steps.push(letter.clone());
    }
    // The first open is not that of a shorter scenario.
    if letters.len() == 1 {
        crashes_from = 0;
    }
    let mut program = OffsetProgram {
        options: generator.options().clone(),
        steps,
    };
    if engine.starts_with("original-") {
        program = as_the_original_has_it(program);
        crashes_from = 0;
    }
    let scenario: Scenario = scenario(engine, profile, RunKind::Crashes, seed, program);
    Chosen {
        scenario,
        crashes_from: u32::try_from(crashes_from).unwrap_or(u32::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(operations_max: u32) -> Vec<Vec<OffsetOp>> {
        let steps = |chosen: Chosen| chosen.scenario.offsets.unwrap().steps;
        let tier = small_tier("offsets", "posix-min", operations_max);
        tier.into_iter().map(steps).collect()
    }

    #[test]
    fn the_tier_is_every_word_that_differs_once() {
        // Counted by another program in another language.
        for (operations_max, count) in [(1, 9), (2, 9 + 86), (3, 9 + 86 + 840)] {
            let words = words(operations_max);
            assert_eq!(words.len(), count);
            let texts: BTreeSet<String> = words.iter().map(|one| format!("{one:?}")).collect();
            assert_eq!(texts.len(), count);
        }
    }

    /// The smaller offset of a queue that has no other is the larger one under another name.
    fn renamed(mut steps: Vec<OffsetOp>) -> String {
        let set: BTreeSet<(OffsetQueue, i64)> = steps.iter().filter_map(set_to).collect();
        for step in &mut steps {
            if let OffsetOp::Update { queue, offset, .. } = step
                && !set.contains(&(queue.clone(), 7))
            {
                *offset = 7;
            }
        }
        format!("{steps:?}")
    }

    fn set_to(step: &OffsetOp) -> Option<(OffsetQueue, i64)> {
        if let OffsetOp::Update { queue, offset, .. } = step {
            Some((queue.clone(), *offset))
        } else {
            None
        }
    }

    #[test]
    fn crashes_begin_where_another_word_ends() {
        let tier = small_tier("offsets", "posix-min", 3);
        let steps = |chosen: &Chosen| chosen.scenario.offsets.clone().unwrap().steps;
        let known: BTreeSet<String> = tier.iter().map(|one| renamed(steps(one))).collect();
        for chosen in &tier {
            let mut before = steps(chosen);
            before.truncate(chosen.crashes_from as usize);
            // A word of one letter looks at the first open, too.
            let is_first = before.is_empty() && steps(chosen).len() <= 3;
            assert!(is_first || known.contains(&renamed(before)), "{chosen:?}");
        }
    }
}
