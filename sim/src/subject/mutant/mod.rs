//! Mutants: the engine `diskqueue`, broken on purpose from outside.
//!
//! A quirk puts a known defect back inside the engine; a mutant breaks a clause that no quirk
//! breaks, by a wrapper around the engine or around the filesystem under it. Both are switched on
//! by `--quirk` and must be found by what they do: the oracle does not know that they are there.

mod batch_counts_more;
mod changed;
mod cleans_too_much;
mod close_without_sync;
mod forgets_after_a_look;
mod notes;
mod numbers_wrap;
mod panics_on_damage;
mod peeks_behind;
mod readable_by_all;
mod refuses_after_crash;
mod skips_after_crash;
mod stays_full;
mod table;
mod time_goes_forward;

pub(super) use table::split_mutant;
pub use table::{MUTANTS, MutantInfo};
