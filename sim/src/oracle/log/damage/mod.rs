//! The damage rule for logs (C7, L10): what may come back after files of a log that nothing has
//! open were changed behind its back.
//!
//! All of the log was durable, so that it is known which message stands where. The files before
//! and after the damage are compared with the oracle's own parser of segments: every record is
//! untouched, changed in its body, or changed in its length or gone. From this and from whether
//! sums vouch for a segment follows what must come, from a snapshot and from every reader, and
//! which losses must be told. Positions must be those that were true: only a reader whose metas
//! were touched may stand where it stood once, or at the start with a reported loss.

mod aside;
mod held;
mod layout;
mod observer;
mod places;
mod reading;
mod settled;
mod verdict;

#[cfg(test)]
mod tests;

pub use held::HeldPlaces;
pub use observer::{LogDamageCase, LogDamageObserver, Walker};
pub use settled::SettledLog;
