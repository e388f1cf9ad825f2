//! The command line: one file for each command, arguments turned into a plan, results into text.
//!
//! Rules that every command keeps: standard output is the result, standard error is progress and
//! problems; a problem is one sentence; nothing on disk changes but `--out`; a reader that closes
//! the pipe is no error. The exit codes are a public interface: see [`Exit`].

mod args;
mod baseline;
mod bench;
mod check;
mod clock;
mod compare;
mod completions;
mod dump;
mod evidence;
mod exit;
mod explain;
mod failure;
mod files;
mod findings;
mod heading;
mod kill;
mod known;
mod list;
mod litmus;
mod man;
mod offsets;
mod output;
mod plan;
mod power;
mod progress;
mod replay;
mod run;
mod saved;
mod saved_run;
mod saved_totals;
mod show;
mod shrink;
mod smaller;
mod stop;
mod trace;
mod vectors;

pub use exit::Exit;
pub use run::main;
