//! `dump`: what recovery would deliver from a real directory, as JSON lines; it reads only.
//!
//! A line has a `kind`, what lies in a directory below has the `directory`, and a name that is not
//! UTF-8 stands in base64 under its key and `_b64`. `run` goes over the directories, `entries` over
//! the names in one: what no engine reads, and what cannot be read. `queue`, `log` (with its
//! `readers` and `notes`) and `offsets` tell what the engines find through `look_only`, which shows
//! them nothing but files that can be read, and writes nothing. `teller` writes and counts, `held`
//! finds who has a lock.

mod entries;
mod held;
mod log;
mod look_only;
mod notes;
mod offsets;
mod queue;
mod readers;
mod run;
mod teller;

pub(super) use run::dump;
