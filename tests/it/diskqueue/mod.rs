//! The disk queue engine on real directories and on the simulated disk.

mod fixtures;
mod operations;
mod support;
