//! Commands and flags as typed.

use super::output::Color;
use clap::{Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// File-backed queues on a disk that crashes in every way.
#[derive(Debug, Parser)]
#[command(
    name = "crashline",
    version = VERSION,
    max_term_width = 100,
    after_help = "Exit codes: 0 pass, 1 violation, 2 wrong use, 3 unknown, 4 nothing to check, \
                  70 a defect of crashline, 130 interrupted."
)]
pub(super) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(super) command: Command,
    /// When there is colour.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(super) color: Color,
}

/// The version, and that of the scenario files it reads.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (scenario format 1)");

/// The commands.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Show what there is.
    List(ListArguments),
    /// Show what a clause of the contract says.
    Explain(ExplainArguments),
    /// Replay what a real original did on its twin, and judge it.
    Trace(TraceArguments),
}

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For a person.
    Text,
    /// For a program: JSON.
    Json,
}

/// Flags of `list`.
#[derive(Debug, clap::Args)]
pub(super) struct ListArguments {
    /// What to show.
    #[arg(value_enum)]
    pub(super) what: Listed,
    /// How to print it.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
}

/// What `list` can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Listed {
    /// The clauses of the contract.
    Clauses,
    /// The vectors of the corpus.
    Vectors,
}

/// Flags of `explain`.
#[derive(Debug, clap::Args)]
pub(super) struct ExplainArguments {
    /// A clause, such as Q3.
    #[arg(value_name = "ID")]
    pub(super) id: String,
}

/// Flags of `trace`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 twin and engine do what they must, whatever the record \
                        breaks; 1 one of them does not; 2 a file cannot be used; 3 unknown; \
                        4 no file. Of several files the worst counts: 2 before 1 before 3."
)]
pub(super) struct TraceArguments {
    /// Recorded traces: JSON lines.
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// How to print the answers.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound_and_names_the_format_that_is_read() {
        Arguments::command().debug_assert();
        let format = format!("(scenario format {})", crate::scenario::FORMAT);
        assert!(VERSION.ends_with(&format));
    }
}
