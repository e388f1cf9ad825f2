//! File-backed queue engines that keep a written contract whatever the disk does.
//!
//! Each engine reads and writes the files of the system it comes from and adds what those
//! files lack: see `corpus/contract.md` for the clauses, `corpus/formats/` for the bytes.
//!
//! Reading order: [`fs`] (the only door to files), then [`diskqueue`].
//!
//! Invariants: no clock, no randomness, no threads, and no `std::fs` outside `fs/real.rs`.

pub mod diskqueue;
pub mod fs;
