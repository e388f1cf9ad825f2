//! Made-up stories: for every rule one that is right, and one that breaks it.

mod crashes;
mod generated;
mod readers;
mod running;
mod story;
mod tidy;
