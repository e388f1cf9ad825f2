//! `strict-prefix`: everything in one order, as in a filesystem that commits whole transactions.
//!
//! Source: ZFS without fsync keeps "nothing, A, or A and B; never B without A"
//! (utcc.utoronto.ca/~cks, ZFSTransactionalBehavior), and a sync flushes what came before.

use super::super::profile::Profile;
use super::shared;
use crate::scenario::Fill;

pub(crate) static STRICT_PREFIX: Profile = Profile {
    name: "strict-prefix",
    is_honest: true,
    syncs_keep: true,
    text: "Any prefix of the effects, a write's bytes before its size; a successful sync of \
           anything makes everything before it durable. Like ZFS. Cheapest; finds what is \
           acknowledged before it was synced.",
    fills: &[Fill::Zeros],
    must_precede: |_, _| true,
    covers: |sync, _| shared::done(sync).is_some(),
    is_glued: shared::is_rename,
};
