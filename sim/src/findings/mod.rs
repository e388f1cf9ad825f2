//! The originals on trial: what they keep, and every way in which they break the contract.
//!
//! A *finding* stands for all violations of one clause, in one kind of run, at one operation: the
//! mildest disk that shows it, the shortest reproducer, and the public report where one is known.
//! The search has a fixed seed and budget, so that the page is a function of the code.

mod collect;
mod key;
mod log_key;
mod named;
mod offset_key;
mod option_words;
mod page;
mod reports;
mod shortest;
mod trial;

pub use collect::{Survey, survey};
pub use key::{Key, Way};
pub use named::{NAMED, Named, show};
pub use page::page;
pub use reports::{REPORTS, Report};
pub use shortest::{Finding, shortest};
pub use trial::{ORIGINALS, Original, Trial, trial};
