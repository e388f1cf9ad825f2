//! The clauses of the contract by id. The text of each stands in `corpus/contract.md`.

use serde::{Deserialize, Serialize};

/// What `list clauses` shows of a clause.
#[derive(Debug, Clone, Copy)]
pub struct ClauseInfo {
    /// The id.
    pub clause: Clause,
    /// The id as text.
    pub id: &'static str,
    /// The clause in few words.
    pub name: &'static str,
}

macro_rules! clauses {
    ($($id:ident $name:literal,)*) => {
        /// A clause id. The ids are a public interface: never renumbered, only retired.
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        pub enum Clause {
            $(#[doc = $name] $id,)*
        }

        /// All clauses, in the order of the contract.
        pub const ALL: &[ClauseInfo] = &[
            $(ClauseInfo { clause: Clause::$id, id: stringify!($id), name: $name },)*
        ];
    };
}

clauses! {
    C1 "opens",
    C2 "stable",
    C3 "no panic",
    C4 "honest error",
    C5 "no lie",
    C6 "full disk",
    C7 "contained",
    C8 "tidy",
    C9 "manners",
    C10 "one owner",
    C11 "clean close",
    C12 "goes on",
    C13 "bounds",
    C14 "files",
    C15 "clock",
    Q1 "integrity",
    Q2 "kill",
    Q3 "power",
    Q4 "redelivery",
    Q5 "depth",
    Q6 "peek",
    Q7 "empty",
    Q8 "reclaim",
    Q9 "sizes",
    Q10 "batch",
    Q11 "owed",
    Q12 "delete",
    Q13 "order",
    L1 "offsets",
    L2 "prefix",
    L3 "rollback",
    L4 "grow",
    L5 "start",
    L6 "retention",
    L7 "visible",
    L8 "confirm",
    L9 "skip",
    L10 "meta",
    L11 "raw",
    L12 "depth",
    L13 "move",
    L14 "look",
    O1 "durable",
    O2 "atomic",
    O3 "monotonic",
    O4 "read kinds",
    O5 "backup",
    O6 "dialects",
    O7 "scope",
    R1 "converge",
    R2 "committed",
    R3 "catch up",
}

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
