//! The segmented log's engine on the simulated disk.

mod crashes;
mod cuts;
mod damage;
mod errors;
mod fixtures;
mod lowered;
mod moving;
mod operations;
mod recovery;
mod run;
mod support;

mod log;
mod reader;
mod reader_crash;
mod reader_damage;
mod reader_look;
mod reader_model;
mod reader_moves;
mod reader_random;
mod snapshot;
mod together;
mod together_crash;
