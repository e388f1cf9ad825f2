//! The vectors of the corpus: cases in JSON that an implementation in any language can run.
//!
//! [`Vector`] is one file of `corpus/vectors`, [`Collection`] all of them with their index and
//! their lock, [`fn@run`] puts our engine through one. [`fn@crash_images`] makes those that a crash
//! left. What the fields mean stands in `corpus/vectors/README.md`.
//!
//! Invariant: the expectation of a vector never comes from the engine. It was written by hand, or
//! it is what the oracle allows.

mod after;
mod collection;
mod crash_images;
mod lock;
mod log;
mod parse_meta;
mod recipes;
mod recover;
mod run;
mod stages;
mod steps;
mod store;
mod threads;
mod vector;
mod with_boot;

pub use collection::{Collection, IndexEntry};
pub use crash_images::crash_images;
pub use lock::fingerprint;
pub use run::{Disk, goes_on, run, run_offsets, run_shared};
pub use stages::{
    AllowedImage, AllowedMeta, AllowedRead, AllowedRecover, AllowedSteps, AllowedThreads, Answer,
    ErrorClass, Expected, Lost, OpenLoss, Place, ThreadOp, ThreadStep, Varies, VectorOp,
    VectorStep,
};
pub use vector::{
    Bytes, CrashTold, FileEntry, Name, ScenarioTold, Stage, StoreOptions, TableEntry, Vector,
    VectorOptions,
};
pub use with_boot::WithBoot;
