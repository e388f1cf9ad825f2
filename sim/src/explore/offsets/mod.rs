//! Offset stores through all their crashes: the same walk as of a queue, with a store as subject
//! and its oracle as judge.

mod damage;
mod explore;
mod generate;
mod probes;
mod program;
mod record;
mod replay;
mod script;
mod session;
mod small;
mod tail;
mod trial;
mod words;

pub(crate) use explore::explore;
pub(crate) use generate::{draw, sequence};
pub(crate) use replay::follow;
pub(crate) use small::small_tier;
