//! The line as typed: the command, and what all commands share.

use super::check::CheckArguments;
use super::commands::{
    BenchArguments, CompareArguments, CompletionsArguments, DumpArguments, ExplainArguments,
    FindingsArguments, KillArguments, ListArguments, LitmusArguments, ManArguments,
    ReplayArguments, ShrinkArguments, TraceArguments, VectorsArguments,
};
use super::offsets::OffsetsArguments;
use crate::cli::output::Color;
use crate::cli::power::PowerArguments;
use clap::{Parser, Subcommand, ValueEnum};

/// File-backed queues on a disk that crashes in every way.
#[derive(Debug, Parser)]
#[command(
    name = "crashline",
    version = VERSION,
    max_term_width = 100,
    after_help = EXIT_CODES
)]
pub(in crate::cli) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(in crate::cli) command: Command,
    /// When there is colour.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(in crate::cli) color: Color,
}

/// How all commands end; the manual pages have it as a section.
const EXIT_CODES: &str = "Exit codes: 0 pass, 1 violation (where damage is looked for: damage or \
    loss was seen), 2 wrong use, 3 unknown, 4 nothing to check, 70 a defect of crashline, 130 \
    interrupted.";

/// The version, and that of the scenario files it reads.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (scenario format 1)");

/// The commands.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum Command {
    /// The gate: put engines through every crash, and judge what comes back.
    #[command(after_help = EXIT_CODES)]
    Check(CheckArguments),
    /// Run a saved scenario again and show what happens.
    #[command(after_help = EXIT_CODES)]
    Replay(ReplayArguments),
    /// Make a saved scenario smaller while it breaks the same clause.
    #[command(after_help = EXIT_CODES)]
    Shrink(ShrinkArguments),
    /// Count what the simulated disk may leave after small programs.
    #[command(after_help = EXIT_CODES)]
    Litmus(LitmusArguments),
    /// Measure how fast exploration is here.
    #[command(after_help = EXIT_CODES)]
    Bench(BenchArguments),
    /// Show as JSON lines what recovery would deliver from a real directory; write nothing to it.
    #[command(after_help = EXIT_CODES)]
    Dump(DumpArguments),
    /// Show a client's file of consumer offsets, or print it for the other client.
    #[command(after_help = EXIT_CODES)]
    Offsets(OffsetsArguments),
    /// Find every defect that is planted on purpose, and write down how soon.
    #[command(after_help = EXIT_CODES)]
    Power(PowerArguments),
    /// Show what there is.
    List(ListArguments),
    /// Show what a clause of the contract says, or what a listed name means.
    Explain(ExplainArguments),
    /// Compare two checks: what is newly broken, what no longer is, what was done.
    #[command(after_help = EXIT_CODES)]
    Compare(CompareArguments),
    /// Put the originals on trial: a page of what they keep and break, with reproducers.
    #[command(after_help = EXIT_CODES)]
    Findings(FindingsArguments),
    /// Kill real processes on a real filesystem, and judge what they leave.
    #[command(after_help = EXIT_CODES)]
    Kill(KillArguments),
    /// Print what makes a shell complete commands and flags.
    Completions(CompletionsArguments),
    /// Print the manual page of a command.
    Man(ManArguments),
    /// Replay what a real original did on its twin, and judge it.
    #[command(after_help = EXIT_CODES)]
    Trace(TraceArguments),
    /// Hold the corpus' vectors to their lock, and make those that a crash left.
    #[command(after_help = EXIT_CODES)]
    Vectors(VectorsArguments),
}

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Format {
    /// For a person.
    Text,
    /// For a program: JSON.
    Json,
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

    #[test]
    fn what_the_corpus_keeps_is_compared_unless_it_is_to_be_written() {
        let writes = |line: &[&str]| {
            let line = ["crashline"].iter().chain(line);
            let parsed = Arguments::try_parse_from(line).ok()?;
            if let Command::Findings(arguments) = parsed.command {
                Some(arguments.keeping.writes())
            } else if let Command::Power(arguments) = parsed.command {
                Some(arguments.keeping.writes())
            } else if let Command::Vectors(arguments) = parsed.command {
                Some(arguments.keeping.writes())
            } else {
                None
            }
        };
        for command in ["findings", "power", "vectors"] {
            assert_eq!(writes(&[command]), Some(false));
            assert_eq!(writes(&[command, "--check"]), Some(false));
            assert_eq!(writes(&[command, "--write"]), Some(true));
            assert_eq!(writes(&[command, "--write", "--check"]), None);
        }
    }
}
