//! The lock: every id that was ever given, and a fingerprint of what it asks and allows.
//!
//! Format: a line `ID FINGERPRINT` for each vector, sorted. Lines are added, never changed or
//! removed: whoever passed a vector once must be able to say so later.

use super::vector::Vector;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The first 16 hex digits of the SHA-256 of a vector without its id and without what is only
/// told (`about`, `origin`, `clauses`, `flags`, `rows`, `scenario`, `crash`).
///
/// # Panics
/// Never: a vector is plain data.
#[must_use]
pub fn fingerprint(vector: &Vector) -> String {
    let bare = Vector {
        id: String::new(),
        about: String::new(),
        origin: String::new(),
        clauses: Vec::new(),
        flags: Vec::new(),
        rows: Vec::new(),
        scenario: None,
        crash: None,
        ..vector.clone()
    };
    let text = serde_json::to_string(&bare).expect("a vector is plain data");
    let digest = Sha256::digest(text.as_bytes());
    digest
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The lines of a lock file.
pub(super) fn parse(text: &str) -> BTreeMap<String, String> {
    let pairs = text.lines().filter_map(|line| line.split_once(' '));
    pairs
        .map(|(id, fingerprint)| (id.to_owned(), fingerprint.to_owned()))
        .collect()
}

/// The text of a lock file.
pub(super) fn to_text(lock: &BTreeMap<String, String>) -> String {
    lock.iter()
        .map(|(id, fingerprint)| format!("{id} {fingerprint}\n"))
        .collect()
}

/// What changed that never may, in sentences.
pub(super) fn broken(lock: &BTreeMap<String, String>, vectors: &[Vector]) -> Vec<String> {
    let mut problems = Vec::new();
    let known: BTreeMap<&str, &Vector> = vectors.iter().map(|one| (one.id.as_str(), one)).collect();
    for (id, expected) in lock {
        match known.get(id.as_str()) {
            None => problems.push(format!("{id} is gone, and ids never go")),
            Some(vector) if fingerprint(vector) != *expected => {
                problems.push(format!(
                    "{id} asks something else than it did: give it another id"
                ));
            }
            Some(_) => {}
        }
    }
    problems
}
