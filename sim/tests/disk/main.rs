//! The simulated disk held to its rules, to a naive model of them, and to the real filesystem.

#[cfg(test)]
mod brute;
#[cfg(test)]
mod naive;
#[cfg(test)]
mod real;
