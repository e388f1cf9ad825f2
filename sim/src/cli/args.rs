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
    /// The gate: put engines through every crash, and judge what comes back.
    Check(CheckArguments),
    /// Run a saved scenario again and show what happens.
    Replay(ReplayArguments),
    /// Make a saved scenario smaller while it breaks the same clause.
    Shrink(ShrinkArguments),
    /// Count what the simulated disk may leave after small programs.
    Litmus(LitmusArguments),
    /// Measure how fast exploration is here.
    Bench(BenchArguments),
    /// Show as JSON lines what recovery would deliver from a real directory; write nothing to it.
    Dump(DumpArguments),
    /// Show what there is.
    List(ListArguments),
    /// Show what a clause of the contract says, or what a listed name means.
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

/// Flags of `check`.
#[derive(Debug, clap::Args)]
pub(super) struct CheckArguments {
    /// Decides every scenario [default: 1].
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
    /// At most so many scenarios.
    #[arg(long, value_name = "N")]
    pub(super) cases: Option<u64>,
    /// About so many recovered images.
    #[arg(long, value_name = "N")]
    pub(super) budget: Option<u64>,
    /// Stop after this time, such as 90s or 10m; such a run has no digest.
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    pub(super) time_limit: Option<u64>,
    /// Disk profiles; `list profiles` shows all.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(super) profile: Vec<String>,
    /// Engines; `list engines` shows all.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(super) engine: Vec<String>,
    /// Threads; they change nothing but the time it takes [default: the number of cores].
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(super) jobs: Option<usize>,
    /// All honest profiles, ten times the budget, every mark must be reached.
    #[arg(long)]
    pub(super) full: bool,
    /// Put a known defect back; `list quirks` shows all.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(super) quirk: Vec<String>,
    /// Supply the directory syncs that an original never makes.
    #[arg(long)]
    pub(super) with_dir_sync: bool,
    /// How to print results.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    /// Where replay files go; created when there is one.
    #[arg(long, value_name = "DIR", default_value = OUT)]
    pub(super) out: PathBuf,
}

/// Where replay files go unless told otherwise.
const OUT: &str = "crashline-out";

/// Flags of `replay`.
#[derive(Debug, clap::Args)]
pub(super) struct ReplayArguments {
    /// A replay file.
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// How to print the result.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
}

/// Flags of `shrink`.
#[derive(Debug, clap::Args)]
pub(super) struct ShrinkArguments {
    /// A replay file that breaks a clause.
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// How to print the result.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    /// Where the smaller replay file goes; created when there is one.
    #[arg(long, value_name = "DIR", default_value = OUT)]
    pub(super) out: PathBuf,
}

/// Flags of `bench`.
#[derive(Debug, clap::Args)]
pub(super) struct BenchArguments {
    /// Rounds that the median is taken of.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = at_least_one)]
    pub(super) rounds: usize,
    /// How to print the result.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
}

/// Flags of `litmus`.
#[derive(Debug, clap::Args)]
pub(super) struct LitmusArguments {
    /// One of them, with its outcomes [default: all, as a table].
    #[arg(value_name = "NAME")]
    pub(super) name: Option<String>,
    /// How to print the counts.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
}

/// Flags of `dump`.
#[derive(Debug, clap::Args)]
pub(super) struct DumpArguments {
    /// The data directory of one or several queues.
    #[arg(value_name = "DIR")]
    pub(super) directory: PathBuf,
    /// How the process that had it open ended: a copy of a directory cannot tell.
    #[arg(long, value_enum, default_value_t = Assume::Kill)]
    pub(super) assume: Assume,
}

/// What `dump` takes to have happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Assume {
    /// The process was killed: what it wrote is there.
    Kill,
    /// The machine went down: what was not synced is not believed.
    PowerCut,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least 1 is needed".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err("a whole number is needed".to_owned()),
    }
}

/// A time such as `90`, `90s`, `500ms`, `10m` or `2h`, in milliseconds.
fn milliseconds(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|one: char| one.is_ascii_alphabetic());
    let unit = match text.get(digits.len()..) {
        Some("ms") => 1,
        Some("s" | "") => 1_000,
        Some("m") => 60_000,
        Some("h") => 3_600_000,
        _ => return Err("its unit is none of ms, s, m, h".to_owned()),
    };
    let number: u64 = digits
        .parse()
        .map_err(|_| "a whole number with ms, s, m or h is needed, such as 90s".to_owned())?;
    let limit = number.checked_mul(unit);
    limit.ok_or_else(|| "that is longer than can be counted".to_owned())
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
    /// What the simulated disk may do.
    Profiles,
    /// Known defects that can be put back.
    Quirks,
    /// What can be made to fail, and what damage can be done.
    Faults,
    /// The vectors of the corpus.
    Vectors,
    /// What can be checked.
    Engines,
}

/// Flags of `explain`.
#[derive(Debug, clap::Args)]
pub(super) struct ExplainArguments {
    /// A clause, such as Q3, or a name that `list` shows.
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

/// The flags of a `check` typed like this.
#[cfg(test)]
pub(super) fn check_arguments(flags: &[&str]) -> CheckArguments {
    let line = ["crashline", "check"].iter().chain(flags);
    let command = Arguments::try_parse_from(line).unwrap().command;
    let Command::Check(arguments) = command else {
        panic!("another command: {command:?}");
    };
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn times_have_units() {
        assert_eq!(milliseconds("90"), Ok(90_000));
        assert_eq!(milliseconds("250ms"), Ok(250));
        assert_eq!(milliseconds("10m"), Ok(600_000));
        assert_eq!(milliseconds("2h"), Ok(7_200_000));
        for wrong in ["", "m", "5d", "-1s", "1.5s", "99999999999999999999s"] {
            assert!(milliseconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_definition_is_sound_and_names_the_format_that_is_read() {
        Arguments::command().debug_assert();
        let format = format!("(scenario format {})", crate::scenario::FORMAT);
        assert!(VERSION.ends_with(&format));
    }
}
