//! One step of a cluster's scenario.
//!
//! Hosts go by their numbers; or by their distance from the leader that the coordinator named last,
//! so that a step keeps its sense when those before it go: [`ClusterStep::LEADER`] is the leader,
//! one less the host behind it, and so on in a circle.

use crate::scenario::CrashKind;
use serde::{Deserialize, Serialize};

/// One step. What names a host that is down, or that there is not, does nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ClusterStep {
    /// A client puts a message to the leader that the coordinator named last.
    Put {
        /// Its size in bytes.
        size: u32,
    },
    /// A client that knows no better puts a message to this host.
    PutTo {
        /// The host; it refuses if it does not think that it leads.
        host: u8,
        /// Its size in bytes.
        size: u32,
    },
    /// Time passes.
    Wait {
        /// So many milliseconds.
        ticks: u32,
    },
    /// The coordinator asks these hosts for the ends of their logs and names a leader among them,
    /// if they are a majority; they know it at once, others when a message tells them.
    Elect {
        /// The hosts that it reaches.
        among: Vec<u8>,
    },
    /// A host dies.
    Crash {
        /// The host.
        host: u8,
        /// Its process alone, or the machine.
        kind: CrashKind,
        /// After so many file calls more: in the middle of whatever it does then. 0 is at once.
        #[serde(default)]
        after_calls: u32,
        /// Which of the states that the disk profile allows a power cut leaves: 0 is the worst.
        #[serde(default)]
        choice: u32,
    },
    /// A host that is down starts again.
    Start {
        /// The host.
        host: u8,
    },
    /// A host's process is killed and starts again.
    Bounce {
        /// The host.
        host: u8,
    },
    /// What two hosts send each other is lost from now on.
    Partition {
        /// The one.
        one: u8,
        /// The other.
        other: u8,
    },
    /// What two hosts send each other waits from now on.
    Hold {
        /// The one.
        one: u8,
        /// The other.
        other: u8,
    },
    /// The link of two hosts works again; what waited arrives.
    Repair {
        /// The one.
        one: u8,
        /// The other.
        other: u8,
    },
    /// Messages between two hosts take so long from now on.
    Delay {
        /// The one.
        one: u8,
        /// The other.
        other: u8,
        /// In milliseconds.
        ticks: u32,
    },
    /// A share of the messages between two hosts is lost from now on.
    Loss {
        /// The one.
        one: u8,
        /// The other.
        other: u8,
        /// Of a hundred, how many break the link until it recovers by itself.
        percent: u8,
    },
    /// From now on calls of a host's disk fail by this plan.
    Fault {
        /// The host.
        host: u8,
        /// In the text form of `fault`, one a line.
        faults: Vec<String>,
    },
    /// A host's disk works again.
    Heal {
        /// The host.
        host: u8,
    },
    /// A host removes old segments that hold committed messages only.
    Clean {
        /// The host.
        host: u8,
        /// Also what its own consumer has not read.
        #[serde(default)]
        force: bool,
    },
    /// A host's consumer reads on and confirms what it read.
    Read {
        /// The host.
        host: u8,
        /// So many messages at most.
        count: u32,
    },
}

impl ClusterStep {
    /// Stands for the leader that the coordinator named last.
    pub const LEADER: u8 = u8::MAX;

    /// The host that a number stands for, where there are so many and this one leads. A number of
    /// no host stands for itself.
    #[must_use]
    pub fn host(number: u8, hosts: u8, leader: u8) -> u8 {
        let distance = Self::LEADER - number;
        if distance < hosts {
            let host = (u16::from(leader) + u16::from(distance)) % u16::from(hosts);
            u8::try_from(host).unwrap_or(number)
        } else {
            number
        }
    }

    /// The size of the message that it puts, if it puts one.
    #[must_use]
    pub fn size(&self) -> Option<u32> {
        match self {
            Self::Put { size } | Self::PutTo { size, .. } => Some(*size),
            Self::Wait { .. }
            | Self::Elect { .. }
            | Self::Crash { .. }
            | Self::Start { .. }
            | Self::Bounce { .. }
            | Self::Partition { .. }
            | Self::Hold { .. }
            | Self::Repair { .. }
            | Self::Delay { .. }
            | Self::Loss { .. }
            | Self::Fault { .. }
            | Self::Heal { .. }
            | Self::Clean { .. }
            | Self::Read { .. } => None,
        }
    }

    /// Whether it is a fault, or the end of one.
    #[must_use]
    pub fn is_fault(&self) -> bool {
        !matches!(
            self,
            Self::Put { .. }
                | Self::PutTo { .. }
                | Self::Wait { .. }
                | Self::Elect { .. }
                | Self::Clean { .. }
                | Self::Read { .. }
        )
    }
}
