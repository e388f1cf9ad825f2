//! The flags of all commands but `check`.

use super::line::Format;
use super::parse::{at_least_one, jobs};
use crate::cli::kill::Part;
use crate::scenario::Clause;
use clap::ValueEnum;
use std::path::PathBuf;

/// Where replay files go unless told otherwise.
pub(super) const OUT: &str = "crashline-out";

/// Flags of `replay`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ReplayArguments {
    /// A replay file.
    #[arg(value_name = "FILE")]
    pub(in crate::cli) file: PathBuf,
    /// Which clause to show the violation of, where the run breaks several; another one is shown,
    /// and still a failure, where it keeps this one.
    #[arg(long, value_name = "ID")]
    pub(in crate::cli) clause: Option<Clause>,
    /// How to print the result.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(in crate::cli) format: Format,
}

/// Flags of `shrink`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ShrinkArguments {
    /// A replay file that breaks a clause.
    #[arg(value_name = "FILE")]
    pub(in crate::cli) file: PathBuf,
    /// Which clause, where the run breaks several.
    #[arg(long, value_name = "ID")]
    pub(in crate::cli) clause: Option<Clause>,
    /// How to print the result.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(in crate::cli) format: Format,
    /// Where the smaller replay file goes; created when there is one.
    #[arg(long, value_name = "DIR", default_value = OUT)]
    pub(in crate::cli) out: PathBuf,
}

/// Flags of `bench`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct BenchArguments {
    /// Only what has this in its name [default: everything].
    pub(in crate::cli) name: Option<String>,
    /// Measure only what is compared on every machine, the ratios to copying and hashing memory,
    /// and fail (exit code 1) where one is below its floor: about a third of what is usual.
    #[arg(long)]
    pub(in crate::cli) check: bool,
    /// Measure what takes minutes too.
    #[arg(long)]
    pub(in crate::cli) long: bool,
    /// Rounds that the median is taken of.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = at_least_one)]
    pub(in crate::cli) rounds: usize,
    /// How to print the result.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(in crate::cli) format: Format,
}

/// Flags of `litmus`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct LitmusArguments {
    /// One of them, with its outcomes [default: all, as a table].
    #[arg(value_name = "NAME")]
    pub(in crate::cli) name: Option<String>,
    /// How to print the counts.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(in crate::cli) format: Format,
}

/// Flags of `dump`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct DumpArguments {
    /// The data directory of one or several queues.
    #[arg(value_name = "DIR")]
    pub(in crate::cli) directory: PathBuf,
    /// How the process that had it open ended: a copy of a directory cannot tell.
    #[arg(long, value_enum, default_value_t = Assume::Kill)]
    pub(in crate::cli) assume: Assume,
}

/// What `dump` takes to have happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Assume {
    /// The process was killed: what it wrote is there.
    Kill,
    /// The machine went down: what was not synced is not believed.
    PowerCut,
}

/// Flags of `list`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ListArguments {
    /// What to show.
    #[arg(value_enum)]
    pub(in crate::cli) what: Listed,
    /// How to print it.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(in crate::cli) format: Format,
}

/// What `list` can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Listed {
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
pub(in crate::cli) struct ExplainArguments {
    /// A clause, such as Q3, or a name that `list` shows.
    #[arg(value_name = "ID")]
    pub(in crate::cli) id: String,
}

/// Flags of `trace`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Of a segmented log only the twin is compared; what the record breaks and how \
                        our engine compares is unknown.\n\n\
                        Exit codes: 0 twin and engine do what they must, whatever the record \
                        breaks; 1 one of them does not; 2 a file cannot be used; 3 unknown; \
                        4 no file. Of several files the worst counts: 2 before 1 before 3."
)]
pub(in crate::cli) struct TraceArguments {
    /// Recorded traces: JSON lines.
    #[arg(value_name = "FILE")]
    pub(in crate::cli) files: Vec<PathBuf>,
    /// How to print the answers.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(in crate::cli) format: Format,
}

/// Flags of `compare`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct CompareArguments {
    /// What `check --format json` printed before.
    #[arg(value_name = "OLD")]
    pub(in crate::cli) old: PathBuf,
    /// What it printed now; several are the shards of one run.
    #[arg(value_name = "NEW", required = true)]
    pub(in crate::cli) new: Vec<PathBuf>,
    /// Both must be the same run: one digest, the same counts.
    #[arg(long)]
    pub(in crate::cli) exact: bool,
    /// How to print the result.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(in crate::cli) format: Format,
}

/// Flags of `completions`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct CompletionsArguments {
    /// The shell.
    #[arg(value_enum)]
    pub(in crate::cli) shell: clap_complete::Shell,
}

/// Flags of `man`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ManArguments {
    /// The command, as in `man offsets show` or `man offsets-show` [default: the page of crashline
    /// itself].
    #[arg(value_name = "COMMAND")]
    pub(in crate::cli) command: Vec<String>,
}

/// What a command does with files of the corpus that it can make anew.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(in crate::cli) struct Keeping {
    /// Compare with what is there, and change nothing; this is the default.
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// Write it anew.
    #[arg(long)]
    write: bool,
}

impl Keeping {
    /// Whether files are written.
    pub(in crate::cli) fn writes(self) -> bool {
        self.write && !self.check
    }
}

/// Flags of `findings`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct FindingsArguments {
    /// The page, and the files with the shortest reproducers.
    #[command(flatten)]
    pub(in crate::cli) keeping: Keeping,
    /// Threads; they change nothing but the time it takes [default: the number of cores].
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub(in crate::cli) jobs: Option<usize>,
    /// Where the page and the folder with the replay files stand.
    #[arg(long, value_name = "DIR", default_value = "corpus")]
    pub(in crate::cli) out: PathBuf,
}

/// Flags of `vectors`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct VectorsArguments {
    /// Of the vectors: the crash images, the index and the lock. None is removed.
    #[command(flatten)]
    pub(in crate::cli) keeping: Keeping,
    /// The folder of the corpus.
    #[arg(long, value_name = "DIR", default_value = "corpus")]
    pub(in crate::cli) corpus: PathBuf,
}

/// Flags of `kill`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct KillArguments {
    /// Rounds: each kills one process, some two.
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub(in crate::cli) rounds: u64,
    /// Decides what the processes do; when they are killed is up to the machine as well.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(in crate::cli) seed: u64,
    /// The engine.
    #[arg(long, value_name = "NAME", default_value = "diskqueue")]
    pub(in crate::cli) engine: String,
    /// Put a known defect back; `list quirks` shows all.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(in crate::cli) quirk: Vec<String>,
    /// A directory in which one for the processes is made [default: that for temporary files].
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) dir: Option<PathBuf>,
    /// How to print results.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(in crate::cli) format: Format,
    /// Where what shows a violation is kept; created when there is one.
    #[arg(long, value_name = "DIR", default_value = OUT)]
    pub(in crate::cli) out: PathBuf,
    /// Be one of the processes.
    #[arg(long, value_enum, hide = true, value_name = "PART")]
    pub(in crate::cli) child: Option<Part>,
}
