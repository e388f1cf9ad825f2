//! What came back after one crash, followed event by event and reduced to an [`Observation`].
//!
//! [`Observation`]: crate::oracle::Observation

mod known;
mod look;
mod matching;
mod observer;
mod place;
mod sequence;

pub use observer::TailObserver;
