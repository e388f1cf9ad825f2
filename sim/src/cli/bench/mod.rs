//! `bench`: how fast everything is, measured here and now. Medians of interleaved rounds; nothing
//! depends on them, and no test looks at them.

mod case;
mod exploration;
mod run;
mod table;

pub(super) use run::bench;
