//! The shared handle with real threads. What depends on who runs when is tried under a model
//! checker, in `sim`.

mod calls;
mod load;
mod support;
