//! The engine `seglog` as a subject.

mod convert;
mod objects;
mod reader;
mod snapshot;
mod subject;
mod writer;

pub use subject::SeglogSubject;
