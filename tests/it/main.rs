//! Integration tests in one binary: it links once.

mod defects;
mod diskqueue;
mod licences;
mod offsets;
mod ports;
mod properties;
mod seglog;
mod shared;
mod tidy;
