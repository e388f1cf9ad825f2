//! The segmented log's engine on the simulated disk.

mod crashes;
mod cuts;
mod fixtures;
mod moving;
mod operations;
mod recovery;
mod support;
