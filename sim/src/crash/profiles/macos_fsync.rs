//! `macos-fsync`: a plain fsync on macOS.
//!
//! Source: the manual page fsync(2) of macOS: after it the drive may write the data later and "in
//! an out-of-order sequence"; F_FULLFSYNC is what waits for the platter. What Rust's `sync_all`
//! calls there is the full one, so this profile is for programs that call the plain one.

use super::super::profile::Profile;
use super::posix_min::is_rename_within;
use super::shared;
use crate::scenario::Fill;

pub(crate) static MACOS_FSYNC: Profile = Profile {
    name: "macos-fsync",
    is_honest: false,
    syncs_keep: false,
    text: "A plain fsync on macOS, which orders nothing and keeps nothing: as posix-min on which \
           no sync makes anything durable. For information: what is asked is that wrong \
           data are never delivered.",
    fills: &[Fill::Zeros, Fill::Garbage, Fill::Stale],
    must_precede: shared::is_rename,
    covers: |_, _| false,
    is_glued: is_rename_within,
};
