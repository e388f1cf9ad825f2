//! `explain`: what a clause of the contract says.

use super::Exit;
use super::args::ExplainArguments;
use super::failure::Failure;
use super::output::Output;
use crate::report::{Ink, WIDTH, clause_text, wrapped};
use crate::scenario::{CLAUSES, Clause};

/// Runs the command.
pub(super) fn explain(arguments: &ExplainArguments, output: &mut Output) -> Result<Exit, Failure> {
    let Ok(clause) = arguments.id.parse::<Clause>() else {
        let known: Vec<&str> = CLAUSES.iter().map(|info| info.id).collect();
        let id = &arguments.id;
        return Err(Failure::unknown_name("clause", "clauses", id, &known));
    };
    let text = clause_text(clause);
    let info = clause.info();
    let title = output
        .paint
        .ink(Ink::Strong, &format!("{} {}", info.id, info.name));
    output.line(&format!("{title} ({})", text.section))?;
    for paragraph in &text.paragraphs {
        output.line("")?;
        output.lines(&wrapped(paragraph, WIDTH))?;
    }
    Ok(Exit::Pass)
}
