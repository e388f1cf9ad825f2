//! The simplest filesystem that keeps the rules of `Fs`: a map from paths to inode numbers, and
//! the bytes of each inode. Nothing is ever lost, and it shares no code with the simulated disk.

mod handles;
mod state;

pub use handles::MemoryFs;
