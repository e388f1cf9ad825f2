//! [`Profile`]: the rules of one kind of disk, as pure functions on effects.
//!
//! A crash state is a set of effects that were kept. It contains what syncs made durable; with an
//! effect it contains all earlier ones on the same cell, all that `must_precede` names, and the
//! other parts of its glued unit. Nothing else restricts it.

use super::profiles;
use crate::scenario::Fill;
use crate::simfs::{Effect, EffectKind};

/// The rules of one kind of disk.
#[derive(Debug)]
pub struct Profile {
    /// What `--profile` takes.
    pub name: &'static str,
    /// Its syncs keep their promise, and its states are all allowed by `posix-min`.
    pub is_honest: bool,
    /// A successful sync makes durable what it covers. Where it does not, nothing can be promised
    /// to outlive a power cut.
    pub syncs_keep: bool,
    /// What it allows, and whose behaviour that is.
    pub text: &'static str,
    /// What lost bytes inside the size may read as; never empty.
    pub fills: &'static [Fill],
    /// Whether a state that has the second effect must have the first, an earlier one. Effects on
    /// one cell need no mention.
    pub must_precede: fn(&EffectKind, &EffectKind) -> bool,
    /// Whether a successful sync makes an earlier effect durable, and with it all that precede it.
    pub covers: fn(&Effect, &EffectKind) -> bool,
    /// Whether an effect and the next one of the same call are kept or lost together.
    pub is_glued: fn(&EffectKind, &EffectKind) -> bool,
}

/// All profiles, the gate's defaults first.
pub static PROFILES: &[&Profile] = &[
    &profiles::STRICT_PREFIX,
    &profiles::EXT4_ORDERED,
    &profiles::POSIX_MIN,
    &profiles::EXT4_WRITEBACK,
    &profiles::EXT4_NOAUTO_DA,
    &profiles::XFS,
    &profiles::BTRFS,
    &profiles::MACOS_FSYNC,
    &profiles::EXT2_LIKE,
    &profiles::LYING_DISK,
];

/// The profile with this name.
#[must_use]
pub fn profile(name: &str) -> Option<&'static Profile> {
    PROFILES
        .iter()
        .copied()
        .find(|profile| profile.name == name)
}
