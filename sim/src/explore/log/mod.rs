//! Segmented logs through all their crashes: the same walk as of a queue, with the objects of a
//! log as subject and the log's oracle as judge.

mod damage;
mod ending;
mod explore;
mod generate;
mod life;
mod lives;
mod moving;
mod program;
mod reading;
mod record;
mod recovery;
mod replay;
mod script;
mod session;
#[cfg(test)]
mod shown;
mod small;
mod tail;
mod trial;
mod words;

pub(crate) use explore::explore;
pub(crate) use generate::{draw, sequence};
pub(crate) use record::{look_at_directory, wrong_look};
pub(crate) use replay::follow;
pub(crate) use session::{LOG as SESSION_LOG, LogSession, LogSetup};
pub(crate) use small::small_tier;
