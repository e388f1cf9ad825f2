//! The rules of a crash, spelled out byte by byte and effect by effect, without any of the
//! structures that make the real thing fast. Shares with it the effects and the profile's rules.

mod allowed;
mod content;
mod tree;

pub(crate) use allowed::Naive;
pub(crate) use tree::{is_lossy, is_tree, show};
