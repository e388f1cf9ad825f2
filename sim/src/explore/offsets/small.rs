//! All scenarios of a few operations on two queues.

use super::generate::{as_the_original_has_it, scenario};
use crate::generate::{Choices, OffsetGenerator, Prng, Walk};
use crate::scenario::{OffsetOp, OffsetProgram, RunKind, Scenario};

/// All scenarios of one to `operations_max` operations behind a first persist.
pub(crate) fn small_tier(
    engine: &str,
    profile: &str,
    operations_max: u32,
) -> impl Iterator<Item = Scenario> {
    let (engine, profile) = (engine.to_owned(), profile.to_owned());
    let mut walk = Walk::new();
    std::iter::from_fn(move || {
        walk.next(|choices| small_scenario(choices, &engine, &profile, operations_max))
    })
}

fn small_scenario(
    choices: &mut Choices,
    engine: &str,
    profile: &str,
    operations_max: u32,
) -> Scenario {
    let generator = OffsetGenerator::small();
    let mut seed = 0;
    let mut steps = vec![OffsetOp::Open];
    for _ in 0..choices.between(1, operations_max.max(1)) {
        let op = generator.next_small(choices);
        seed = Prng::named(seed, &format!("{op:?}")).draw();
        // What opens anew has been killed before.
        if op == OffsetOp::Open {
            steps.push(OffsetOp::Kill);
        }
        steps.push(op);
    }
    let mut program = OffsetProgram {
        options: generator.options().clone(),
        steps,
    };
    if engine.starts_with("original-") {
        program = as_the_original_has_it(program);
    }
    scenario(engine, profile, RunKind::Crashes, seed, program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tier_is_every_word_once() {
        // Two queues: 2 persists, 8 updates, 1 for all, 6 reads, 2 removals, 1 open.
        let letters = 20;
        let tier = small_tier("offsets", "posix-min", 2);
        assert_eq!(tier.count(), letters + letters * letters);
    }
}
