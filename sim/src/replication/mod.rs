//! A small replicated log over a simulated network: what rollback, write-end reset and a new queue
//! start are for.
//!
//! One leader and its followers, each with a data log (the engine `seglog`) and a commit log on a
//! simulated disk of its own. A put is acknowledged once a majority has it on disk.
//!
//! `entry` and `wire` are the words; `commits`, `store` and `reading` a replica's files; `node`,
//! `leader` and `follower` what it does, as functions of what comes; `machine`, `host`, `cluster`,
//! `steps` and `ending` run it over turmoil; `coordinator` names leaders. `event` is what happened;
//! `history`, `judge` and `judge_log` what is wrong with it; `generate` and `stories` make
//! scenarios.

mod cluster;
mod commits;
mod coordinator;
mod ending;
mod entry;
mod event;
mod follower;
mod generate;
mod history;
mod host;
mod judge;
mod judge_log;
mod leader;
mod machine;
mod node;
mod quirks;
mod reading;
mod steps;
mod store;
mod stories;
mod wire;
mod words;

pub(crate) use cluster::{Ran, run};
pub(crate) use event::Event;
pub(crate) use generate::program;
pub(crate) use judge::judge;
pub use quirks::{REPLICATION_QUIRKS, ReplicationQuirk, ReplicationQuirkInfo};
pub(crate) use words::{of_event, of_options, of_step};
