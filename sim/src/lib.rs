//! A simulated disk that crashes in every way a real one could, and the conformance suite
//! around it.
//!
//! Layers, lowest first; a module names only lower ones (checked by the test `tidy`):
//!
//! 1. [`scenario`]: plain data, everything a run depends on, and what operations answer.
//! 2. `generate`: seeds, fuzz bytes and exhaustive walks become scenarios. `simfs`: the disk.
//! 3. `crash`: which states a crash may leave. `fault`: calls that fail by plan. `model`:
//!    reference models, which name nothing of the engines.
//! 4. `oracle`: judges histories; sees no engine. `subject`: what is under test.
//!    `originals`: twins of the original implementations.
//! 5. `orders`: the shared handle, under many orders of its threads.
//!    `replication`: a log on several hosts over a simulated network.
//! 6. `explore`: one scenario, all its crashes; many scenarios within a budget.
//! 7. `shrink`, `report`, `trace`, [`vectors`].
//! 8. `findings`: the originals on trial.
//! 9. `cli`.
//!
//! Invariants: a run is a function of its [`scenario::Scenario`]; only `cli` reads the
//! environment, the clock or the system's randomness; `simfs`, `crash` and `fault` know nothing
//! of queues.

pub mod cli;
pub mod crash;
pub mod explore;
pub mod fault;
pub mod findings;
pub mod generate;
pub mod model;
pub mod oracle;
pub mod orders;
pub mod originals;
pub mod replication;
pub mod report;
pub mod scenario;
pub mod shrink;
pub mod simfs;
pub mod subject;
pub mod trace;
pub mod vectors;
