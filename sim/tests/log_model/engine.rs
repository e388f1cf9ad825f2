//! The engine against the model: whatever is asked of it, it answers as the model allows, and its
//! writer, readers and snapshot stand where the model's do.

use super::objects::{Failed, Objects};
use crashline_sim::generate::{Choices, LogGenerator};
use crashline_sim::model::{LogAnswer, LogModel, Place, Possible};
use crashline_sim::scenario::{LogOp, LogReply, ReaderOp, SnapshotOp, WriterOp};

const SCENARIOS: u64 = 3000;
const KILLED_SCENARIOS: u64 = 1500;
const STEPS: usize = 60;

/// One step in about so many is a kill, and an open behind it.
const KILL_EVERY: u32 = 12;

/// So many logs that look alike are followed until they can be told apart.
const MODELS_MAX: usize = 16;

/// What the driver leaves out: an end that the writer never told anybody.
fn is_left_out(op: &LogOp, objects: &Objects) -> bool {
    match op {
        LogOp::Reader(_, ReaderOp::UpdateQueueEnd { end, .. })
        | LogOp::Snapshot(SnapshotOp::UpdateQueueEnd { end }) => objects.told_end(*end).is_none(),
        LogOp::Writer(_) | LogOp::Reader(..) | LogOp::Snapshot(_) | LogOp::Kill => false,
    }
}

/// What in the engine is not where the model has it.
fn difference(model: &LogModel, objects: &mut Objects) -> Option<String> {
    let places = |one: crashline_sim::scenario::WriterState| {
        [one.queue_start, one.write_end, one.read_end].map(Place::from)
    };
    let (expected, engine) = (model.writer(), objects.writer_state());
    if expected.map(places) != engine.map(places) {
        return Some(format!("the writer: {expected:?}, the engine {engine:?}"));
    }
    for name in ["a", "b"] {
        let expected = model.reader(name);
        let engine = objects.reader_state(name);
        let fits = expected.iter().any(|one| {
            engine.as_ref().is_some_and(|engine| {
                let places = [(one.confirmed, engine.confirmed), (one.read, engine.read)];
                let ends = (one.end, engine.end);
                places
                    .into_iter()
                    .chain([ends])
                    .all(|(one, other)| Place::from(one) == Place::from(other))
                    && (one.depth, one.depth_size, one.waiting)
                        == (engine.depth, engine.depth_size, engine.waiting)
            })
        });
        let is_closed = expected.is_empty() && engine.is_none();
        if !fits && !is_closed {
            return Some(format!(
                "reader {name}: {expected:?}, the engine {engine:?}"
            ));
        }
    }
    let expected = model.snapshot();
    let engine = objects.snapshot_offset();
    let fits = expected.iter().any(|one| Some(one.offset) == engine);
    let is_closed = expected.is_empty() && engine.is_none();
    if !fits && !is_closed {
        return Some(format!(
            "the snapshot: {expected:?}, the engine at {engine:?}"
        ));
    }
    None
}

/// What the log may be after an operation, and the answers that it could have given.
fn after(
    models: &[LogModel],
    op: &LogOp,
    bytes: &[u8],
    result: &Result<LogReply, Failed>,
) -> (Vec<LogModel>, Vec<LogAnswer>) {
    // What is refused before the engine is asked may be refused for either reason.
    let known = |failure: &Failed| (!failure.1.is_empty()).then_some(failure.0);
    let told = result.as_ref().map_err(known);
    let possible: Vec<Possible> = models
        .iter()
        .flat_map(|model| model.apply(op, bytes))
        .collect();
    let answers = possible.iter().map(|one| one.answer.clone()).collect();
    let fitting = possible.into_iter().filter(|one| one.answer.is(told));
    (fitting.map(|one| one.after).collect(), answers)
}

/// Runs one scenario, with kills or without; what was wrong, and the operations that led there.
fn run(seed: u64, with_kills: bool) -> Result<(), String> {
    let mut choices = Choices::from_seed(seed);
    let mut generator = LogGenerator::draw(&mut choices);
    let mut models = vec![LogModel::new(generator.options())];
    let mut objects = Objects::new(generator.options());
    let mut story = Vec::new();
    for _ in 0..STEPS {
        let (op, bytes) = if with_kills && choices.chance(1, KILL_EVERY) {
            story.push("killed".to_owned());
            objects.kill();
            models = models.iter().flat_map(LogModel::after_kill).collect();
            (LogOp::Writer(WriterOp::Open), Vec::new())
        } else {
            generator.next(&mut choices, &models.first().expect("one fitted").view())
        };
        if is_left_out(&op, &objects) {
            continue;
        }
        story.push(format!("{op:?}"));
        let is_outdated = objects.is_outdated(&op);
        let result = objects.apply(&op, &bytes);
        let fail = |wrong: String| Err(format!("seed {seed}: {wrong}\n{}", story.join("\n")));
        if is_outdated {
            // The places that the model knows have no generation: it cannot tell that this is none.
            if !matches!(result, Ok(LogReply::Changed(false) | LogReply::Done)) {
                return fail(format!("{result:?} of an end from before a cut"));
            }
        } else {
            let (fitting, answers) = after(&models, &op, &bytes, &result);
            if fitting.is_empty() {
                return fail(format!("{result:?} is none of {answers:?}"));
            }
            models = fitting;
        }
        let mut wrong = String::new();
        models.retain(|model| {
            let difference = difference(model, &mut objects);
            let is_same = difference.is_none();
            wrong = difference.unwrap_or_default();
            is_same
        });
        if models.is_empty() {
            return fail(wrong);
        }
        models.truncate(MODELS_MAX);
    }
    Ok(())
}

fn check(scenarios: u64, with_kills: bool) {
    let failed = (0..scenarios).filter_map(|seed| run(seed, with_kills).err());
    let wrong: Vec<String> = failed.collect();
    assert!(
        wrong.is_empty(),
        "{} of {scenarios}: {}",
        wrong.len(),
        wrong.join("\n\n")
    );
}

#[test]
fn the_engine_does_what_the_model_allows() {
    check(SCENARIOS, false);
}

#[test]
fn whenever_it_is_killed_the_engine_comes_back_as_the_model_allows() {
    check(KILLED_SCENARIOS, true);
}
