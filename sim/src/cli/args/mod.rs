//! Commands and flags as typed.

mod check;
mod commands;
mod line;
mod offsets;
mod parse;

#[cfg(test)]
pub(super) use check::check_arguments;
pub(super) use check::{CheckArguments, CheckFormat};
pub(super) use commands::{
    Assume, BenchArguments, CompareArguments, CompletionsArguments, DumpArguments,
    ExplainArguments, FindingsArguments, Keeping, KillArguments, ListArguments, Listed,
    LitmusArguments, ManArguments, ReplayArguments, ShrinkArguments, TraceArguments,
    VectorsArguments,
};
pub(super) use line::{Arguments, Command, Format};
pub(super) use offsets::{Client, OffsetsArguments, OffsetsCommand};
pub(super) use parse::jobs;
