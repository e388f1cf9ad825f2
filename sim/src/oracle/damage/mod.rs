//! The damage rule (C7): what may come back after bytes of a closed queue were changed behind its
//! back.
//!
//! The files before and after the damage are compared with the oracle's own parser of segments;
//! every record is untouched, changed in its body, or changed in its length or gone. From this and
//! from whether sums vouch for a segment follows what must come, what may come, and which losses
//! must be reported. A record that was read but still stands in a segment may come again only if
//! the meta was damaged.

mod delivery;
mod layout;
mod observer;
mod reports;

#[cfg(test)]
mod tests;

pub use layout::NamedFile;
pub use observer::{DamageCase, DamageObserver};
