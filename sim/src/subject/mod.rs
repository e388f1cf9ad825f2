//! What is under test: engines, twins of the originals, and the toy log, behind one trait.

mod object;

pub use object::{Object, OpenRequest, Opened, Subject};
