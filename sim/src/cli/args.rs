//! Commands and flags as typed.

use super::output::Color;
use clap::{Parser, Subcommand, ValueEnum};

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
