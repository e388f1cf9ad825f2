//! The disk queue engine on real directories and on the simulated disk.

mod crashes;
mod damage;
mod errors;
mod fixtures;
mod operations;
mod support;
