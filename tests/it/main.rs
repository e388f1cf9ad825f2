//! Integration tests in one binary: it links once.

mod diskqueue;
mod licences;
mod tidy;
mod vectors;
