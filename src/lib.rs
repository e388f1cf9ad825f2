//! File-backed queue engines that keep a written contract whatever the disk does.
//!
//! Each engine reads and writes the files of the system it comes from and adds what those
//! files lack: see `corpus/contract.md` for the clauses, `corpus/formats/` for the bytes.
//!
//! Reading order: [`fs`] (the only door to files), `records`, then [`diskqueue`], then [`shared`];
//! [`offsets`] needs only [`fs`].
//!
//! Invariants: no randomness; no `std::fs` outside `fs/real.rs`; no clock and no threads outside
//! `shared/primitives.rs`.

pub mod diskqueue;
pub mod fs;
pub mod offsets;
mod records;
pub mod seglog;
pub mod shared;
