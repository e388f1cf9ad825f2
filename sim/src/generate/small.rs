//! All scenarios of one to four operations over tiny segments: most defects show in so few.

use super::{Abilities, Choices, Prng, Walk};
use crate::scenario::{Action, FORMAT, FifoOptions, RunKind, Scenario, Step};

/// A message that fills a tiny segment exactly, and one that fits three times.
const EXACT_BYTES: u32 = 44;
const SMALL_BYTES: u32 = 12;
const SEGMENT_BYTES: u64 = 48;

/// Operations as the tier counts them; reopening is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    PutSmall,
    PutExact,
    Read,
    Sync,
    Reopen,
    Batch,
    Tick,
    Kill,
    Empty,
    Delete,
}

/// The operations that an engine has.
fn alphabet(abilities: Abilities) -> Vec<Operation> {
    let mut alphabet = vec![
        Operation::PutSmall,
        Operation::Read,
        Operation::Reopen,
        Operation::Kill,
    ];
    let mut with = |able: bool, operation: Operation| {
        if able {
            alphabet.push(operation);
        }
    };
    with(abilities.sync, Operation::Sync);
    with(abilities.segments, Operation::PutExact);
    with(abilities.batch, Operation::Batch);
    with(abilities.owed, Operation::Tick);
    with(abilities.empty, Operation::Empty);
    with(abilities.empty, Operation::Delete);
    alphabet
}

/// How often the tier syncs by itself.
fn sync_everies(abilities: Abilities) -> &'static [u64] {
    if abilities.owed { &[1000, 1, 2] } else { &[0] }
}

/// One scenario of up to `operations_max` operations, as the choices say.
pub fn small_scenario(
    choices: &mut Choices,
    engine: &str,
    profile: &str,
    operations_max: u32,
) -> Scenario {
    let abilities = Abilities::of(engine);
    let alphabet = alphabet(abilities);
    let sync_every = choices.pick(sync_everies(abilities));
    let count = choices.between(1, operations_max.max(1));
    let mut steps = Vec::new();
    let mut seed = sync_every;
    let mut now_ms = 0;
    settle(&mut steps, abilities);
    for _ in 0..count {
        let operation = choices.pick(&alphabet);
        seed = Prng::named(seed, &format!("{operation:?}")).draw();
        for action in actions(operation, &mut now_ms) {
            let open = !matches!(action, Action::Close | Action::Kill | Action::Delete);
            steps.push(Step::queue(action));
            if open {
                settle(&mut steps, abilities);
            }
        }
    }
    Scenario {
        format: FORMAT,
        engine: engine.to_owned(),
        options: FifoOptions {
            segment_bytes_max: SEGMENT_BYTES,
            message_bytes_min: 0,
            message_bytes_max: 100,
            sync_every,
            sync_timeout_ms: 1,
        },
        quirks: Vec::new(),
        profile: profile.to_owned(),
        run: RunKind::Crashes,
        with_dir_sync: false,
        seed,
        steps,
        log: None,
        offsets: None,
        cluster: None,
        faults: Vec::new(),
        damage: Vec::new(),
        planted: Vec::new(),
        crashes: Vec::new(),
    }
}

fn settle(steps: &mut Vec<Step>, abilities: Abilities) {
    if abilities.settle {
        steps.push(Step::queue(Action::Settle));
    }
}

fn actions(operation: Operation, now_ms: &mut u64) -> Vec<Action> {
    let open = Action::Open { options: None };
    match operation {
        Operation::PutSmall => vec![Action::Put { size: SMALL_BYTES }],
        Operation::PutExact => vec![Action::Put { size: EXACT_BYTES }],
        Operation::Read => vec![Action::Read],
        Operation::Sync => vec![Action::Sync],
        Operation::Reopen => vec![Action::Close, open],
        Operation::Batch => vec![Action::PutBatch {
            sizes: vec![SMALL_BYTES; 4],
        }],
        Operation::Tick => {
            // Two of them, so that the engine sees time pass.
            *now_ms += 2;
            let first = Action::Tick { now_ms: *now_ms };
            *now_ms += 2;
            vec![first, Action::Tick { now_ms: *now_ms }]
        }
        Operation::Kill => vec![Action::Kill, open],
        Operation::Empty => vec![Action::Empty],
        Operation::Delete => vec![Action::Delete, open],
    }
}

/// All small scenarios of an engine, one after the other, in a fixed order.
#[derive(Debug)]
pub struct SmallTier {
    walk: Walk,
    engine: String,
    profile: String,
    operations_max: u32,
    left: u64,
}

/// All scenarios of one to `operations_max` operations.
#[must_use]
pub fn small_tier(engine: &str, profile: &str, operations_max: u32) -> SmallTier {
    let abilities = Abilities::of(engine);
    let letters = alphabet(abilities).len() as u64;
    let words: u64 = (1..=operations_max.max(1))
        .map(|count| letters.pow(count))
        .sum();
    SmallTier {
        walk: Walk::new(),
        engine: engine.to_owned(),
        profile: profile.to_owned(),
        operations_max,
        left: words * sync_everies(abilities).len() as u64,
    }
}

impl SmallTier {
    /// How many are still to come.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.left
    }
}

impl Iterator for SmallTier {
    type Item = Scenario;

    fn next(&mut self) -> Option<Scenario> {
        let (engine, profile) = (&self.engine, &self.profile);
        let operations_max = self.operations_max;
        let next = self
            .walk
            .next(|choices| small_scenario(choices, engine, profile, operations_max))?;
        self.left = self.left.saturating_sub(1);
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_count_is_exact_and_all_differ() {
        for (engine, operations_max, count) in [
            ("diskqueue", 1, 30),
            ("diskqueue", 2, 330),
            ("diskqueue", 3, 3_330),
            ("toylog", 4, 780),
            ("original-diskqueue", 2, 3 * (8 + 64)),
        ] {
            let tier = small_tier(engine, "posix-min", operations_max);
            assert_eq!(tier.left(), count, "{engine}");
            let texts: BTreeSet<String> = tier
                .map(|scenario| serde_json::to_string(&scenario).unwrap())
                .collect();
            assert_eq!(texts.len() as u64, count, "{engine}");
        }
    }

    #[test]
    fn nothing_is_left_at_the_end() {
        let mut tier = small_tier("toylog", "posix-min", 2);
        while tier.next().is_some() {}
        assert_eq!(tier.left(), 0);
    }

    #[test]
    fn four_operations_are_counted_without_walking_them() {
        assert_eq!(small_tier("diskqueue", "posix-min", 4).left(), 33_330);
    }
}
