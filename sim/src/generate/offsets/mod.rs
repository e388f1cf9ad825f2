//! Sequences of operations on an offset store: at random, or few of them for walks through all.

mod generator;

pub use generator::OffsetGenerator;
