//! The clauses of the contract by id. The text of each stands in `corpus/contract.md`.

use serde::{Deserialize, Serialize};

/// A clause id. The ids are a public interface: never renumbered, only retired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Clause {
    /// opens
    C1,
    /// stable
    C2,
    /// no panic
    C3,
    /// honest error
    C4,
    /// no lie
    C5,
    /// full disk
    C6,
    /// contained
    C7,
    /// tidy
    C8,
    /// manners
    C9,
    /// one owner
    C10,
    /// clean close
    C11,
    /// goes on
    C12,
    /// bounds
    C13,
    /// files
    C14,
    /// clock
    C15,
    /// integrity
    Q1,
    /// kill
    Q2,
    /// power
    Q3,
    /// redelivery
    Q4,
    /// depth
    Q5,
    /// peek
    Q6,
    /// empty
    Q7,
    /// reclaim
    Q8,
    /// sizes
    Q9,
    /// batch
    Q10,
    /// owed
    Q11,
    /// delete
    Q12,
    /// order
    Q13,
    /// offsets
    L1,
    /// prefix
    L2,
    /// rollback
    L3,
    /// grow
    L4,
    /// start
    L5,
    /// retention
    L6,
    /// visible
    L7,
    /// confirm
    L8,
    /// skip
    L9,
    /// meta
    L10,
    /// raw
    L11,
    /// depth
    L12,
    /// move
    L13,
    /// look
    L14,
    /// durable
    O1,
    /// atomic
    O2,
    /// monotonic
    O3,
    /// read kinds
    O4,
    /// backup
    O5,
    /// dialects
    O6,
    /// scope
    O7,
    /// converge
    R1,
    /// committed
    R2,
    /// catch up
    R3,
}

/// What `list clauses` shows of a clause.
#[derive(Debug, Clone, Copy)]
pub struct ClauseInfo {
    /// The id.
    pub clause: Clause,
    /// The id as text.
    pub id: &'static str,
    /// The clause in one word.
    pub name: &'static str,
}

/// All clauses, in the order of the contract.
pub const ALL: &[ClauseInfo] = &[
    ClauseInfo {
        clause: Clause::C1,
        id: "C1",
        name: "opens",
    },
    ClauseInfo {
        clause: Clause::C2,
        id: "C2",
        name: "stable",
    },
    ClauseInfo {
        clause: Clause::C3,
        id: "C3",
        name: "no panic",
    },
    ClauseInfo {
        clause: Clause::C4,
        id: "C4",
        name: "honest error",
    },
    ClauseInfo {
        clause: Clause::C5,
        id: "C5",
        name: "no lie",
    },
    ClauseInfo {
        clause: Clause::C6,
        id: "C6",
        name: "full disk",
    },
    ClauseInfo {
        clause: Clause::C7,
        id: "C7",
        name: "contained",
    },
    ClauseInfo {
        clause: Clause::C8,
        id: "C8",
        name: "tidy",
    },
    ClauseInfo {
        clause: Clause::C9,
        id: "C9",
        name: "manners",
    },
    ClauseInfo {
        clause: Clause::C10,
        id: "C10",
        name: "one owner",
    },
    ClauseInfo {
        clause: Clause::C11,
        id: "C11",
        name: "clean close",
    },
    ClauseInfo {
        clause: Clause::C12,
        id: "C12",
        name: "goes on",
    },
    ClauseInfo {
        clause: Clause::C13,
        id: "C13",
        name: "bounds",
    },
    ClauseInfo {
        clause: Clause::C14,
        id: "C14",
        name: "files",
    },
    ClauseInfo {
        clause: Clause::C15,
        id: "C15",
        name: "clock",
    },
    ClauseInfo {
        clause: Clause::Q1,
        id: "Q1",
        name: "integrity",
    },
    ClauseInfo {
        clause: Clause::Q2,
        id: "Q2",
        name: "kill",
    },
    ClauseInfo {
        clause: Clause::Q3,
        id: "Q3",
        name: "power",
    },
    ClauseInfo {
        clause: Clause::Q4,
        id: "Q4",
        name: "redelivery",
    },
    ClauseInfo {
        clause: Clause::Q5,
        id: "Q5",
        name: "depth",
    },
    ClauseInfo {
        clause: Clause::Q6,
        id: "Q6",
        name: "peek",
    },
    ClauseInfo {
        clause: Clause::Q7,
        id: "Q7",
        name: "empty",
    },
    ClauseInfo {
        clause: Clause::Q8,
        id: "Q8",
        name: "reclaim",
    },
    ClauseInfo {
        clause: Clause::Q9,
        id: "Q9",
        name: "sizes",
    },
    ClauseInfo {
        clause: Clause::Q10,
        id: "Q10",
        name: "batch",
    },
    ClauseInfo {
        clause: Clause::Q11,
        id: "Q11",
        name: "owed",
    },
    ClauseInfo {
        clause: Clause::Q12,
        id: "Q12",
        name: "delete",
    },
    ClauseInfo {
        clause: Clause::Q13,
        id: "Q13",
        name: "order",
    },
    ClauseInfo {
        clause: Clause::L1,
        id: "L1",
        name: "offsets",
    },
    ClauseInfo {
        clause: Clause::L2,
        id: "L2",
        name: "prefix",
    },
    ClauseInfo {
        clause: Clause::L3,
        id: "L3",
        name: "rollback",
    },
    ClauseInfo {
        clause: Clause::L4,
        id: "L4",
        name: "grow",
    },
    ClauseInfo {
        clause: Clause::L5,
        id: "L5",
        name: "start",
    },
    ClauseInfo {
        clause: Clause::L6,
        id: "L6",
        name: "retention",
    },
    ClauseInfo {
        clause: Clause::L7,
        id: "L7",
        name: "visible",
    },
    ClauseInfo {
        clause: Clause::L8,
        id: "L8",
        name: "confirm",
    },
    ClauseInfo {
        clause: Clause::L9,
        id: "L9",
        name: "skip",
    },
    ClauseInfo {
        clause: Clause::L10,
        id: "L10",
        name: "meta",
    },
    ClauseInfo {
        clause: Clause::L11,
        id: "L11",
        name: "raw",
    },
    ClauseInfo {
        clause: Clause::L12,
        id: "L12",
        name: "depth",
    },
    ClauseInfo {
        clause: Clause::L13,
        id: "L13",
        name: "move",
    },
    ClauseInfo {
        clause: Clause::L14,
        id: "L14",
        name: "look",
    },
    ClauseInfo {
        clause: Clause::O1,
        id: "O1",
        name: "durable",
    },
    ClauseInfo {
        clause: Clause::O2,
        id: "O2",
        name: "atomic",
    },
    ClauseInfo {
        clause: Clause::O3,
        id: "O3",
        name: "monotonic",
    },
    ClauseInfo {
        clause: Clause::O4,
        id: "O4",
        name: "read kinds",
    },
    ClauseInfo {
        clause: Clause::O5,
        id: "O5",
        name: "backup",
    },
    ClauseInfo {
        clause: Clause::O6,
        id: "O6",
        name: "dialects",
    },
    ClauseInfo {
        clause: Clause::O7,
        id: "O7",
        name: "scope",
    },
    ClauseInfo {
        clause: Clause::R1,
        id: "R1",
        name: "converge",
    },
    ClauseInfo {
        clause: Clause::R2,
        id: "R2",
        name: "committed",
    },
    ClauseInfo {
        clause: Clause::R3,
        id: "R3",
        name: "catch up",
    },
];

impl Clause {
    /// What is known of this clause.
    ///
    /// # Panics
    /// Never: the table is complete.
    #[must_use]
    pub fn info(self) -> &'static ClauseInfo {
        ALL.iter()
            .find(|info| info.clause == self)
            .expect("the table of clauses is complete")
    }
}

impl std::fmt::Display for Clause {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.info().id)
    }
}

impl std::str::FromStr for Clause {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        ALL.iter()
            .find(|info| info.id.eq_ignore_ascii_case(text))
            .map(|info| info.clause)
            .ok_or_else(|| format!("there is no clause `{text}`"))
    }
}
