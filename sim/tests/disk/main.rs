//! The simulated disk held to its rules, to a naive model of them, and to the real filesystem.

mod brute;
mod naive;
mod real;
