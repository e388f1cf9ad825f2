//! The tables of decisions in the pages of the segmented log and of the offset store: each row has
//! a vector that shows it, and the same tables stand in the documentation of the code that decides.
//!
//! A row is a line of a table whose first cell is a letter and a number, such as `M3`.

use crashline::fs::{RealFs, list_names, read_file};
use crashline_sim::scenario::CLAUSES;
use crashline_sim::vectors::Vector;
use libtest_mimic::{Failed, Trial};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An engine whose page has tables of decisions, and how many rows these have at least.
#[derive(Clone, Copy)]
struct Page {
    engine: &'static str,
    rows_min: usize,
    /// The letter of the clauses that are its own, each of which has a vector.
    letter: char,
}

const PAGES: [Page; 2] = [
    Page {
        engine: "seglog",
        rows_min: 40,
        letter: 'L',
    },
    Page {
        engine: "offsets",
        rows_min: 20,
        letter: 'O',
    },
];

/// One trial for each thing that must agree with a page.
pub(crate) fn trials(vectors: &Arc<Vec<Vector>>) -> Vec<Trial> {
    let of_page = |page: Page| {
        let (of_rows, of_clauses) = (Arc::clone(vectors), Arc::clone(vectors));
        let named = |what: &str| format!("page::{}::{what}", page.engine);
        [
            Trial::test(named("every_row_has_a_vector"), move || {
                page.every_row_has_a_vector(&of_rows).map_err(Failed::from)
            }),
            Trial::test(named("the_code_has_the_same_rows"), move || {
                page.the_code_has_the_same_rows().map_err(Failed::from)
            }),
            Trial::test(named("every_clause_has_a_vector"), move || {
                page.every_clause_has_a_vector(&of_clauses)
                    .map_err(Failed::from)
            }),
        ]
    };
    PAGES.into_iter().flat_map(of_page).collect()
}

impl Page {
    fn rows(&self) -> Result<BTreeSet<String>, String> {
        let page = root().join(format!("corpus/formats/{}.md", self.engine));
        let rows = rows_of(&read(&page)?, "")?;
        match rows.len() < self.rows_min {
            true => Err(format!("the page has {} rows only", rows.len())),
            false => Ok(rows),
        }
    }

    fn every_row_has_a_vector(&self, vectors: &[Vector]) -> Result<(), String> {
        let of_engine = vectors.iter().filter(|one| one.engine == self.engine);
        let shown: BTreeSet<String> = of_engine.flat_map(|one| one.rows.clone()).collect();
        compare("the page", &self.rows()?, "the vectors", &shown)
    }

    fn the_code_has_the_same_rows(&self) -> Result<(), String> {
        let mut told = BTreeSet::new();
        let folder = root().join("src").join(self.engine);
        for name in list_names(&RealFs, &folder).map_err(|error| error.to_string())? {
            let found = rows_of(&read(&folder.join(name))?, "//")?;
            if let Some(row) = found.iter().find(|row| told.contains(*row)) {
                return Err(format!("row {row} stands in the code twice"));
            }
            told.extend(found);
        }
        compare("the page", &self.rows()?, "the code", &told)
    }

    fn every_clause_has_a_vector(&self, vectors: &[Vector]) -> Result<(), String> {
        let own = CLAUSES
            .iter()
            .map(|info| info.id.to_owned())
            .filter(|id| id.starts_with(self.letter))
            .collect();
        let shown = vectors
            .iter()
            .filter(|one| one.engine == self.engine)
            .flat_map(|one| one.clauses.clone())
            .filter(|id| id.starts_with(self.letter))
            .collect();
        compare("the contract", &own, "the vectors", &shown)
    }
}

fn compare(
    one: &str,
    rows: &BTreeSet<String>,
    other: &str,
    shown: &BTreeSet<String>,
) -> Result<(), String> {
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
