//! `vectors`: the corpus' vectors are what they were, and the crash images are those that the
//! simulated disk makes; `--write` adds what is missing.

use super::Exit;
use super::args::VectorsArguments;
use super::failure::Failure;
use super::output::Output;
use crate::vectors::Collection;
use crashline::fs::RealFs;

/// Runs the command.
pub(super) fn vectors(arguments: &VectorsArguments, output: &mut Output) -> Result<Exit, Failure> {
    let folder = arguments.corpus.join("vectors");
    let fs = RealFs;
    let mut collection = Collection::load(&fs, &folder).map_err(Failure::usage)?;
    if arguments.keeping.writes() {
        let added = collection.update(&fs).map_err(Failure::usage)?;
        output.line(&format!("{added} crash images are new"))?;
    }
    let problems = collection.problems().map_err(|sentence| Failure {
        exit: Exit::Internal,
        sentence,
    })?;
    output.lines(&problems)?;
    let count = collection.vectors.len();
    let wrong = problems.len();
    output.line(&match wrong {
        0 => format!("all {count} vectors are as they were"),
        _ => format!("{wrong} problems with {count} vectors"),
    })?;
    Ok(if wrong == 0 {
        Exit::Pass
    } else {
        Exit::Violation
    })
}
