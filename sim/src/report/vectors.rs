//! The index of the corpus' vectors, embedded.

use serde::Deserialize;

/// `corpus/vectors/index.json`.
const INDEX: &str = include_str!("../../../corpus/vectors/index.json");

/// A vector as the index has it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VectorInfo {
    /// The id, and the path below `corpus/vectors` without its ending.
    pub name: String,
    /// What a port must be able to do to run it.
    pub stage: String,
    /// The engine whose format it is in.
    pub engine: String,
    /// The clauses that it tests.
    pub clauses: Vec<String>,
    /// What it shows, in a sentence.
    pub about: String,
}

/// All vectors, sorted by name.
///
/// # Panics
/// Never: a test reads the index.
#[must_use]
pub fn vectors() -> Vec<VectorInfo> {
    serde_json::from_str(INDEX).expect("the index is well formed")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Clause;

    #[test]
    fn the_index_is_sorted_and_names_clauses_that_exist() {
        let vectors = vectors();
        assert!(vectors.is_sorted_by(|one, next| one.name < next.name));
        let mut clauses = vectors.iter().flat_map(|vector| &vector.clauses);
        assert!(clauses.all(|clause| clause.parse::<Clause>().is_ok()));
    }
}
