//! Which states a crash may leave, and a filesystem mounted from each of them.
//!
//! [`walk`] replays a recording and keeps, at every position, the family of allowed states; the
//! rules are those of a [`Profile`]. Every distinct image is shown once, every (position, state)
//! pair is judged. Invariants: a state that is known is never built again; what is durable is
//! applied to a base layer that images share; a state costs what differs from that base.

mod bits;
mod build;
mod cells;
mod content;
mod durable;
mod family;
mod fill;
mod limits;
pub mod litmus;
mod look;
mod materialize;
mod names;
mod pending;
mod pool;
mod profile;
mod profiles;
mod sample;
mod shape;
mod table;
mod total;
mod visit;
mod walk;
mod worst;

pub use limits::{Limits, Summary};
pub use materialize::{NotAllowed, materialize};
pub use profile::{PROFILES, Profile, profile};
pub(crate) use table::Table;
pub use visit::{Image, Point, State, Visitor};
pub use walk::{Walker, walk};
pub use worst::worst;
