//! The command `crashline`.

fn main() {}
