//! The hosts and the steps of a cluster's scenario.

use super::ClusterStep;
use crate::scenario::NUMBERED_BYTES_MIN;
use serde::{Deserialize, Serialize};

/// Fewest and most hosts: a majority must be able to lose one.
const HOSTS: (u8, u8) = (2, 7);

/// Latest time that a step may wait for, in milliseconds: a run has an end.
const TICKS_MAX: u32 = 10_000;

/// What all hosts have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClusterOptions {
    /// How many hosts there are.
    pub hosts: u8,
    /// A segment of a host's log is finished by the write that brings it to this many bytes.
    pub segment_bytes_max: u64,
    /// So many messages at most go to a follower at once.
    pub batch_messages_max: u32,
}

impl Default for ClusterOptions {
    fn default() -> Self {
        Self {
            hosts: 3,
            segment_bytes_max: 1 << 20,
            batch_messages_max: 4,
        }
    }
}

/// A cluster and what is done with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClusterProgram {
    /// What all hosts have in common.
    pub options: ClusterOptions,
    /// In order. After the last one all faults end, and the logs must become alike.
    pub steps: Vec<ClusterStep>,
}

impl ClusterProgram {
    /// Checks what the types cannot say.
    ///
    /// # Errors
    /// What is wrong, in one sentence.
    pub fn check(&self) -> Result<(), String> {
        let options = &self.options;
        if !(HOSTS.0..=HOSTS.1).contains(&options.hosts) {
            return Err(format!("a cluster has {} to {} hosts", HOSTS.0, HOSTS.1));
        }
        if options.segment_bytes_max == 0 || options.batch_messages_max == 0 {
            return Err("segments and batches hold something".to_owned());
        }
        let mut sizes = self.steps.iter().filter_map(ClusterStep::size);
        if sizes.any(|size| (size as usize) < NUMBERED_BYTES_MIN) {
            let words = "a message of a cluster has at least";
            return Err(format!("{words} {NUMBERED_BYTES_MIN} bytes: its number"));
        }
        let mut waits = self.steps.iter().filter_map(|step| {
            if let ClusterStep::Wait { ticks } | ClusterStep::Delay { ticks, .. } = step {
                return Some(*ticks);
            }
            None
        });
        if waits.any(|ticks| ticks > TICKS_MAX) {
            return Err(format!("a step waits for at most {TICKS_MAX} milliseconds"));
        }
        Ok(())
    }
}
