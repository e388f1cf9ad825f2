//! Integration tests in one binary: it links once.

mod licences;
mod tidy;
mod vectors;
