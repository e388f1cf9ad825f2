//! The flags of `check`.

use super::commands::OUT;
use super::parse::{jobs, milliseconds, run_kind, shard};
use crate::explore::Shard;
use crate::scenario::RunKind;
use clap::ValueEnum;
use std::path::PathBuf;

/// Flags of `check`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct CheckArguments {
    /// Decides every scenario [default: 1].
    #[arg(long, value_name = "N")]
    pub(in crate::cli) seed: Option<u64>,
    /// So many scenarios in all, shared out among engines, profiles and kinds of runs, the first of
    /// which get what does not come out even. With a budget, at most so many.
    #[arg(long, value_name = "N")]
    pub(in crate::cli) cases: Option<u64>,
    /// About so many recovered images: what was begun is ended, so that a small budget is exceeded
    /// [default: 1,000,000 without `--cases`].
    #[arg(long, value_name = "N")]
    pub(in crate::cli) budget: Option<u64>,
    /// Take the K-th of N shares of the scenarios that `--cases` asks for; all N together are the
    /// whole run, and their digests add up to its own.
    #[arg(long, value_name = "K/N", value_parser = shard, requires = "cases",
          conflicts_with = "budget")]
    pub(in crate::cli) shard: Option<Shard>,
    /// Stop after this time, such as 90s or 10m; such a run has no digest.
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    pub(in crate::cli) time_limit: Option<u64>,
    /// Disk profiles; `list profiles` shows all.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(in crate::cli) profile: Vec<String>,
    /// Engines; `list engines` shows all.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(in crate::cli) engine: Vec<String>,
    /// Kinds of runs: crashes, errors, calls, damage, orders [default: all].
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = run_kind)]
    pub(in crate::cli) run: Vec<RunKind>,
    /// Threads; they change nothing but the time it takes [default: the number of cores].
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub(in crate::cli) jobs: Option<usize>,
    /// All honest profiles, ten times the budget, every mark must be reached.
    #[arg(long)]
    pub(in crate::cli) full: bool,
    /// Put a known defect back; `list quirks` shows all.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(in crate::cli) quirk: Vec<String>,
    /// Supply the directory syncs that an original never makes.
    #[arg(long)]
    pub(in crate::cli) with_dir_sync: bool,
    /// How to print results.
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub(in crate::cli) format: CheckFormat,
    /// What `check --format json` printed before: clauses that were broken then are expected to be
    /// broken now, and nothing else.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) baseline: Option<PathBuf>,
    /// Where replay files go; created when there is one.
    #[arg(long, value_name = "DIR", default_value = OUT)]
    pub(in crate::cli) out: PathBuf,
}

/// How a check prints what it found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum CheckFormat {
    /// For a person.
    Text,
    /// For a program: one JSON event a line.
    Json,
    /// For a test reporter: JUnit's XML, a case for each engine and clause.
    Junit,
    /// As text, and an annotation for each violation where GitHub runs it.
    Github,
}

/// The flags of a `check` typed like this.
#[cfg(test)]
pub(in crate::cli) fn check_arguments(flags: &[&str]) -> CheckArguments {
    use super::line::{Arguments, Command};
    use clap::Parser;
    let line = ["crashline", "check"].iter().chain(flags);
    let command = Arguments::try_parse_from(line).unwrap().command;
    let Command::Check(arguments) = command else {
        panic!("another command: {command:?}");
    };
    arguments
}
