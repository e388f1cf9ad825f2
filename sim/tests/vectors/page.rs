//! The tables of decisions in the page of the segmented log: each row has a vector that shows it,
//! and the same tables stand in the documentation of the code that decides.
//!
//! A row is a line of a table whose first cell is a letter and a number, such as `M3`.

use crashline::fs::{RealFs, list_names, read_file};
use crashline_sim::vectors::Vector;
use libtest_mimic::{Failed, Trial};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const PAGE: &str = "corpus/formats/seglog.md";
const CODE: &str = "src/seglog";

/// One trial for each thing that must agree with the page.
pub(crate) fn trials(vectors: &Arc<Vec<Vector>>) -> Vec<Trial> {
    let vectors = Arc::clone(vectors);
    vec![
        Trial::test("page::every_row_has_a_vector", move || {
            every_row_has_a_vector(&vectors).map_err(Failed::from)
        }),
        Trial::test("page::the_code_has_the_same_rows", || {
            the_code_has_the_same_rows().map_err(Failed::from)
        }),
    ]
}

fn every_row_has_a_vector(vectors: &[Vector]) -> Result<(), String> {
    let rows = rows_of(&read(&root().join(PAGE))?, "")?;
    let shown: BTreeSet<String> = vectors.iter().flat_map(|one| one.rows.clone()).collect();
    compare("the page", &rows, "the vectors", &shown)
}

fn the_code_has_the_same_rows() -> Result<(), String> {
    let rows = rows_of(&read(&root().join(PAGE))?, "")?;
    let mut told = BTreeSet::new();
    let folder = root().join(CODE);
    for name in list_names(&RealFs, &folder).map_err(|error| error.to_string())? {
        let found = rows_of(&read(&folder.join(name))?, "//")?;
        if let Some(row) = found.iter().find(|row| told.contains(*row)) {
            return Err(format!("row {row} stands in the code twice"));
        }
        told.extend(found);
    }
    compare("the page", &rows, "the code", &told)
}

fn compare(
    one: &str,
    rows: &BTreeSet<String>,
    other: &str,
    shown: &BTreeSet<String>,
) -> Result<(), String> {
    if rows.len() < 40 {
        return Err(format!("{one} has {} rows only", rows.len()));
    }
    let missing: Vec<&String> = rows.difference(shown).collect();
    let unknown: Vec<&String> = shown.difference(rows).collect();
    match missing.is_empty() && unknown.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "only {one} has {missing:?}, only {other} has {unknown:?}"
        )),
    }
}

/// The rows of the tables that stand behind this mark of a comment.
fn rows_of(text: &str, comment: &str) -> Result<BTreeSet<String>, String> {
    let mut rows = BTreeSet::new();
    for line in text.lines() {
        let line = line.trim_start();
        let Some(line) = line.strip_prefix(comment) else {
            continue;
        };
        let line = line.trim_start_matches(['/', '!']).trim_start();
        let Some(cell) = line
            .strip_prefix('|')
            .and_then(|rest| rest.split('|').next())
        else {
            continue;
        };
        let cell = cell.trim();
        let digits = cell.strip_prefix(|first: char| first.is_ascii_uppercase());
        let is_row = digits.is_some_and(|digits| {
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        });
        if is_row && !rows.insert(cell.to_owned()) {
            return Err(format!("row {cell} stands there twice"));
        }
    }
    Ok(rows)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> Result<String, String> {
    let wrong = |error: String| format!("{}: {error}", path.display());
    let bytes = read_file(&RealFs, path, usize::MAX).map_err(|error| wrong(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| wrong(error.to_string()))
}
