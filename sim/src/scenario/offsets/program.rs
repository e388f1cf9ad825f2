//! What a scenario does with an offset store: its options and operations.

use super::{OffsetOp, OffsetOptions, OffsetQueue};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A part of a path is no longer.
const PART_BYTES_MAX: usize = 255;

/// The operations on an offset store, in order; it is not open before the first one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OffsetProgram {
    /// How the store is opened.
    pub options: OffsetOptions,
    /// What is called.
    pub steps: Vec<OffsetOp>,
}

impl OffsetProgram {
    /// Checks what the types cannot say.
    pub(in crate::scenario) fn check(&self) -> Result<(), String> {
        for part in [&self.options.client, &self.options.group] {
            let is_name = !matches!(part.as_str(), "" | "." | "..");
            if !is_name || part.contains(['/', '\0']) || part.len() > PART_BYTES_MAX {
                return Err(format!("`{part}` is no name of a client or group"));
            }
        }
        Ok(())
    }

    /// All queues that it names, in their order.
    #[must_use]
    pub fn queues(&self) -> Vec<OffsetQueue> {
        let named = self.steps.iter().flat_map(OffsetOp::queues);
        let queues: BTreeSet<OffsetQueue> = named.cloned().collect();
        queues.into_iter().collect()
    }
}
