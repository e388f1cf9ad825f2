//! The offset store: both dialects of its file, and what it keeps through damage, crashes, errors.

mod codecs;
mod crashes;
mod errors;
mod linear;
mod model;
mod operations;
mod paths;
mod quirks;
mod recovery;
mod run;
mod support;
mod too_large;
