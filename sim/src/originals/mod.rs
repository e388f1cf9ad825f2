//! Twins of the original implementations: their behaviour, defects included, on our filesystem
//! trait, so that the gate can explore them without Go or Java.
//!
//! A twin is never improved. It writes what its original writes and nothing more (no note, sums,
//! spare or lock), makes the same calls in the same order, and swallows the errors that its
//! original swallows. Recorded traces of the real one hold it to that (`trace`).

mod bound;
mod dir_sync;
pub mod diskqueue;
pub mod offsets;
mod scan;
pub mod seglog;
mod steps;
mod temporary;

pub use bound::{BOUND_BASE, BOUND_PER_FILE_AND_PAGE, PAGE_BYTES, operation_bound};
pub use dir_sync::{
    SuppliedLogWithDirSync, SuppliedOffsetsWithDirSync, SuppliedWithDirSync, WithDirSync,
};
