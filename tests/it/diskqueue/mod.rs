//! The disk queue engine on real directories and on the simulated disk.

mod crashes;
mod damage;
mod explore;
mod fixtures;
mod operations;
mod support;
