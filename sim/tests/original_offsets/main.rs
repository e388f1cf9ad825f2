//! The twins of the Go client's offset store: they read and write what the original left, and do
//! wrong what the original does wrong. A twin is never improved.

mod recipes;
mod support;
mod versions;
