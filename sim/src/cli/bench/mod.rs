//! `bench`: how fast everything is, measured here and now. Medians of interleaved rounds; nothing
//! depends on them, and no test looks at them.
//!
//! Absolute goals are for a quiet machine of today. What holds on any machine are ratios: of a
//! rate to that of a bare memory copy and hash of the same bytes in the same round. `--check`
//! compares these with floors that leave a wide margin.

mod bare;
mod case;
mod disk;
mod engine;
mod exploration;
mod log;
mod opening;
mod rates;
mod reference;
mod replication;
mod run;
mod table;
mod tmpfs;

pub(super) use run::bench;
