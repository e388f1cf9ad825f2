//! Scenarios of logs, from a seed and a number, from bytes, or from a walk through all short ones.
//! The reference model goes along while a scenario is made up, so that places in it are mostly
//! places of the log.

use crate::generate::{
    Choices, FaultFiles, LogGenerator, Prng, after_close, fault_plan, log_plants,
};
use crate::model::{LogModel, Place};
use crate::scenario::{
    LogOp, LogOptions, LogPosition, LogProgram, ReaderOp, RunKind, Scenario, SnapshotOp,
};

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
    // The twin and the engine are put through the same.
    let name = format!("log {} {index}", run.name());
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
    if run == RunKind::Calls {
        program.steps = after_close::of_a_log(program.steps);
    }
    let count = u32::try_from(program.steps.len()).unwrap_or(u32::MAX);
    let faults = choices.stream("faults", |choices| match run {
        RunKind::Errors => fault_plan(choices, FaultFiles::LOG, count),
        RunKind::Crashes | RunKind::Calls | RunKind::Damage | RunKind::Orders => Vec::new(),
    });
    let planted = match run {
        RunKind::Crashes | RunKind::Errors => choices.stream("planted", log_plants),
        RunKind::Calls | RunKind::Damage | RunKind::Orders => Vec::new(),
    };
    Scenario {
        planted,
        ..scenario(engine, profile, run, seed, program, faults)
    }
}

/// A scenario with this program.
pub(super) fn scenario(
    engine: &str,
    profile: &str,
    run: RunKind,
    seed: u64,
    program: LogProgram,
    faults: Vec<String>,
) -> Scenario {
    Scenario {
        log: Some(program),
        faults,
        ..Scenario::bare(engine, profile, run, seed)
    }
}

fn program(choices: &mut Choices) -> LogProgram {
    let mut generator = LogGenerator::draw(choices);
    let mut writer = Writer::new(generator.options());
    let steps = choices.between(STEPS.0, STEPS.1);
    for _ in 0..steps {
        if choices.chance(1, 24) {
            writer.add(LogOp::Kill, &[]);
            continue;
        }
        let (op, bytes) = generator.next(choices, &writer.model.view());
        writer.add(op, &bytes);
    }
    writer.program
}

/// Writes a program, with the model at hand.
pub(super) struct Writer {
    pub(super) model: LogModel,
    pub(super) program: LogProgram,
    /// The ends that the writer has shown since it was opened: nobody can tell another one.
    shown: Vec<Place>,
}

impl Writer {
    pub(super) fn new(options: LogOptions) -> Self {
        Self {
            model: LogModel::new(options),
            program: LogProgram {
                options,
                steps: Vec::new(),
            },
            shown: Vec::new(),
        }
    }

    /// Adds an operation, and goes where it leads.
    pub(super) fn add(&mut self, op: LogOp, bytes: &[u8]) {
        if op == LogOp::Kill {
            self.model.kill();
            self.shown.clear();
            self.program.steps.push(op);
            return;
        }
        let shown = self.model.writer().map(|writer| writer.read_end);
        match shown.map(Place::from) {
            None => self.shown.clear(),
            Some(end) => self.shown.push(end),
        }
        let op = as_shown(op, &self.shown);
        let resolved = op.resolved(shown);
        let first = self.model.apply(&resolved, bytes).into_iter().next();
        if let Some(possible) = first {
            self.model = possible.after;
        }
        self.program.steps.push(op);
    }
}

/// An end that the writer shows now is told as such, and so is one that it never showed.
fn as_shown(mut op: LogOp, shown: &[Place]) -> LogOp {
    if let LogOp::Reader(_, ReaderOp::UpdateQueueEnd { end, .. })
    | LogOp::Snapshot(SnapshotOp::UpdateQueueEnd { end }) = &mut op
    {
        let place = Place::from(*end);
        if shown.last() == Some(&place) || !shown.contains(&place) {
            *end = LogPosition::SHOWN;
        }
    }
    op
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::WriterOp;

    fn opens(op: &LogOp) -> bool {
        matches!(
            op,
            LogOp::Writer(WriterOp::Open | WriterOp::OpenReadOnly) | LogOp::Kill
        )
    }

    #[test]
    fn equal_arguments_give_equal_scenarios_and_others_differ() {
        let make = |seed, profile| sequence("seglog", seed, 3, RunKind::Crashes, profile);
        assert_eq!(make(1, "posix-min"), make(1, "posix-min"));
        assert_eq!(make(1, "posix-min").log, make(1, "xfs").log);
        assert_ne!(make(1, "posix-min").log, make(2, "posix-min").log);
    }

    #[test]
    fn scenarios_open_first_and_can_be_written_down() {
        for index in 0..200 {
            let scenario = sequence("seglog", 1, index, RunKind::Errors, "posix-min");
            let program = scenario.log.as_ref().expect("it is one of a log");
            assert!(program.steps.first().is_some_and(opens), "number {index}");
            assert_eq!(Scenario::parse(&scenario.to_text()), Ok(scenario.clone()));
        }
    }
}
