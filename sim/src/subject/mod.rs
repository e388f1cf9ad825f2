//! What is under test: engines, twins of the originals, and the toy log, behind one trait.

mod diskqueue;
mod fs_layer;
mod guard;
mod log;
mod mutant;
mod object;
mod offsets;
mod seglog;
mod toylog;

pub use diskqueue::DiskQueueSubject;
pub(crate) use diskqueue::{options_of, outcome_of, reply_of};
pub(crate) use fs_layer::{FsHook, FsLayer};
pub(crate) use guard::guarded;
pub use log::{LogObjects, LogRequest, LogSubject};
pub use mutant::{MUTANTS, MutantInfo};
pub use object::{Object, OpenRequest, Opened, Subject};
pub use offsets::{OffsetObject, OffsetRequest, OffsetSubject, OffsetsSubject};
pub use seglog::SeglogSubject;
pub use toylog::{TOY_QUIRKS, ToyLog};
