//! `crashline dump` on real directories.

mod directories;
mod odd_names;
mod support;
mod vectors;
