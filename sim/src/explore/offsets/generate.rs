//! Scenarios of offset stores, from a seed and a number, or from bytes.

use crate::generate::{Choices, FaultFiles, OffsetGenerator, Prng, after_close, fault_plan};
use crate::scenario::{OffsetDialect, OffsetOp, OffsetProgram, RunKind, Scenario};

/// Steps of a generated scenario.
const STEPS: (u32, u32) = (4, 16);

/// The scenario number `index` of a seed. Equal arguments give equal scenarios; profiles see the
/// same operations.
pub(crate) fn sequence(
    engine: &str,
    seed: u64,
    index: u64,
    run: RunKind,
    profile: &str,
) -> Scenario {
    let name = format!("offsets {} {index}", run.name());
    let scenario_seed = Prng::named(seed, &name).draw();
    let mut choices = Choices::from_seed(scenario_seed);
    draw(&mut choices, engine, run, profile, scenario_seed)
}

/// The scenario that choices stand for.
pub(crate) fn draw(
    choices: &mut Choices,
    engine: &str,
    run: RunKind,
    profile: &str,
    seed: u64,
) -> Scenario {
    let mut program = choices.stream("steps", program);
    if engine.starts_with("original-") {
        program = as_the_original_has_it(program);
    }
    if run == RunKind::Calls {
        program.steps = after_close::of_a_store(program.steps);
    }
    let count = u32::try_from(program.steps.len()).unwrap_or(u32::MAX);
    let faults = choices.stream("faults", |choices| match run {
        RunKind::Errors => fault_plan(choices, FaultFiles::OFFSETS, count),
        RunKind::Crashes | RunKind::Calls | RunKind::Damage | RunKind::Orders => Vec::new(),
    });
    Scenario {
        faults,
        ..scenario(engine, profile, run, seed, program)
    }
}

/// A scenario with this program.
pub(super) fn scenario(
    engine: &str,
    profile: &str,
    run: RunKind,
    seed: u64,
    program: OffsetProgram,
) -> Scenario {
    Scenario {
        offsets: Some(program),
        ..Scenario::bare(engine, profile, run, seed)
    }
}

fn program(choices: &mut Choices) -> OffsetProgram {
    let generator = OffsetGenerator::draw(choices);
    let mut steps = vec![OffsetOp::Open];
    for _ in 0..choices.between(STEPS.0, STEPS.1) {
        let op = generator.next(choices);
        let ends = matches!(op, OffsetOp::Close | OffsetOp::Kill);
        steps.push(op);
        if ends {
            steps.push(OffsetOp::Open);
        }
    }
    OffsetProgram {
        options: generator.options().clone(),
        steps,
    }
}

/// The twins are of the Go client, which neither removes nor closes, and has no second way to open.
pub(super) fn as_the_original_has_it(mut program: OffsetProgram) -> OffsetProgram {
    program.options.dialect = OffsetDialect::Go;
    program.steps.retain(|op| {
        !matches!(
            op,
            OffsetOp::Remove { .. }
                | OffsetOp::Close
                | OffsetOp::OpenReadOnly
                | OffsetOp::Offsets { .. }
        )
    });
    program
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_arguments_give_equal_scenarios_that_can_be_written_down() {
        for index in 0..100 {
            let make = |seed| sequence("offsets", seed, index, RunKind::Errors, "posix-min");
            assert_eq!(make(1), make(1));
            assert_ne!(make(1).offsets, make(2).offsets, "number {index}");
            assert_eq!(Scenario::parse(&make(1).to_text()), Ok(make(1)));
        }
    }
}
