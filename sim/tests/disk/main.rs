//! The simulated disk held to its rules, to a naive model of them, and to the real filesystem.

#[cfg(test)]
mod brute;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod handles;
#[cfg(test)]
mod litmus;
#[cfg(test)]
mod naive;
#[cfg(test)]
mod profiles;
#[cfg(test)]
mod real;
#[cfg(test)]
mod shown;
#[cfg(test)]
mod worst;
