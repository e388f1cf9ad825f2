//! The flags of `offsets`.

use super::line::Format;
use clap::{Subcommand, ValueEnum};
use std::path::PathBuf;

/// Flags of `offsets`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct OffsetsArguments {
    /// What to do with the file.
    #[command(subcommand)]
    pub(in crate::cli) what: OffsetsCommand,
}

/// What can be done with a file of offsets.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum OffsetsCommand {
    /// Show its offsets, whichever client wrote it.
    Show {
        /// The file, or a backup of it.
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// How to print them.
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// Print it as one of the clients would have written it.
    Convert {
        /// The file, or a backup of it.
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The client that is to read it.
        #[arg(long, value_enum, value_name = "CLIENT")]
        to: Client,
    },
}

/// Who reads a file of offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Client {
    /// The Go client: `offset.json`.
    Go,
    /// The Java client: `offsets.json`.
    Java,
}
