//! What shows that a clause is judged: the defects that break it and are found, and the vectors
//! that test it.

use super::known::{Kind, Known};
use crate::report::{Power, PowerRow, VectorInfo, thousands};
use crate::scenario::Clause;
use serde_json::{Value, json};

/// Everything there is.
pub(super) struct Evidence<'k> {
    known: &'k Known,
    power: Power,
    vectors: Vec<VectorInfo>,
}

/// What there is for one clause.
pub(super) struct OfClause<'e> {
    quirks: Vec<&'e str>,
    mutants: Vec<&'e str>,
    vectors: Vec<&'e str>,
    /// The defect that was found soonest when all were looked for last.
    last_seen: Option<&'e PowerRow>,
}

impl<'k> Evidence<'k> {
    /// Evidence from these defects and vectors, and from what was found last.
    pub(super) fn of(known: &'k Known, vectors: Vec<VectorInfo>) -> Self {
        Self {
            known,
            power: Power::last_seen(),
            vectors,
        }
    }

    /// The evidence for a clause.
    pub(super) fn for_clause(&self, clause: Clause) -> OfClause<'_> {
        let id = clause.info().id;
        let names = |kind: Kind| {
            let quirks = self.known.quirks.iter();
            let breaking = quirks.filter(|quirk| quirk.kind == kind && quirk.clause == id);
            breaking.map(|quirk| quirk.name.as_str()).collect()
        };
        let vectors = self.vectors.iter();
        let testing = vectors.filter(|vector| vector.clauses.iter().any(|clause| clause == id));
        let seen = self.power.found.iter();
        let seen = seen.filter(|row| row.found.as_deref() == Some(id));
        OfClause {
            quirks: names(Kind::Quirk),
            mutants: names(Kind::Mutant),
            vectors: testing.map(|vector| vector.name.as_str()).collect(),
            last_seen: seen.min_by_key(|row| row.recovered),
        }
    }
}

impl OfClause<'_> {
    /// The cells of a table: what breaks it, how many vectors test it, what was seen last.
    pub(super) fn cells(&self) -> [String; 3] {
        let mut names = self.quirks.iter().chain(&self.mutants);
        let broken_by = match names.next() {
            None => "-".to_owned(),
            Some(first) => match names.count() {
                0 => (*first).to_owned(),
                more => format!("{first} and {more} more"),
            },
        };
        let seen = self.last_seen.map_or("-".to_owned(), |row| {
            let run = row.run.as_deref().unwrap_or_default();
            format!("{} images of {run}", thousands(row.recovered))
        });
        [broken_by, self.vectors.len().to_string(), seen]
    }

    /// The same for a program.
    pub(super) fn json(&self) -> Value {
        json!({
            "quirks": self.quirks,
            "mutants": self.mutants,
            "vectors": self.vectors,
            "last_seen": self.last_seen,
        })
    }

    /// Whether there is a defect that breaks it, and one was found.
    #[cfg(test)]
    pub(super) fn was_seen_broken(&self) -> bool {
        let is_broken = !(self.quirks.is_empty() && self.mutants.is_empty());
        is_broken && self.last_seen.is_some()
    }

    /// Whether a vector tests it.
    #[cfg(test)]
    pub(super) fn has_vector(&self) -> bool {
        !self.vectors.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::known::known;
    use crate::report::vectors;
    use crate::scenario::CLAUSES;

    #[test]
    fn every_clause_was_seen_broken_and_has_a_vector() {
        let known = known();
        let evidence = Evidence::of(&known, vectors());
        for info in CLAUSES {
            let of_clause = evidence.for_clause(info.clause);
            assert!(of_clause.was_seen_broken(), "{}", info.id);
            // What several hosts have to agree on is more than one of them can be asked.
            let is_of_clusters = info.id.starts_with('R');
            assert!(of_clause.has_vector() || is_of_clusters, "{}", info.id);
        }
    }

    #[test]
    fn what_was_seen_last_is_what_there_is() {
        let known = known();
        let power = Power::last_seen();
        let seen: Vec<&str> = power.found.iter().map(|row| row.name.as_str()).collect();
        let there: Vec<&str> = known
            .quirks_by_default()
            .map(|quirk| quirk.name.as_str())
            .collect();
        assert_eq!(seen, there);
    }
}
