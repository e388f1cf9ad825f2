//! The segmented log's engine on the simulated disk.

mod crashes;
mod cuts;
mod damage;
mod errors;
mod fixtures;
mod moving;
mod operations;
mod recovery;
mod run;
mod support;
