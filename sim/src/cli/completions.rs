//! `completions`: what makes a shell complete commands and flags.

use super::Exit;
use super::args::{Arguments, CompletionsArguments};
use super::failure::Failure;
use super::output::Output;
use clap::CommandFactory;

/// Runs the command.
pub(super) fn completions(
    arguments: &CompletionsArguments,
    output: &mut Output,
) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "crashline", &mut script);
    output.text(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Pass)
}
