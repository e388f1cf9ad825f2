//! The contract's page, embedded: `explain` prints a clause from the very text that ports read.
//!
//! Format: a clause is a heading `### ID name`; its text reaches to the next heading. A clause
//! belongs to the section `## ...` before it.

use crate::scenario::Clause;

/// `corpus/contract.md`.
const PAGE: &str = include_str!("../../../corpus/contract.md");

/// What the contract says of one clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClauseText {
    /// The section that holds the clause, such as `FIFO queue`.
    pub section: &'static str,
    /// Paragraphs, each on one line, without markup of lines.
    pub paragraphs: Vec<String>,
}

/// The text of a clause.
///
/// # Panics
/// Never: a test holds the page to the table of clauses.
#[must_use]
pub fn clause_text(clause: Clause) -> ClauseText {
    let heading = heading_of(clause);
    let mut section = "";
    let mut lines = PAGE.lines();
    for line in lines.by_ref() {
        if let Some(title) = line.strip_prefix("## ") {
            section = title;
        }
        if line == heading {
            break;
        }
    }
    let paragraphs = paragraphs_until_heading(lines);
    assert!(!paragraphs.is_empty(), "the contract explains {clause}");
    ClauseText {
        section,
        paragraphs,
    }
}

fn heading_of(clause: Clause) -> String {
    format!("### {clause} {}", clause.info().name)
}

fn paragraphs_until_heading<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut paragraphs = Vec::new();
    let mut current = String::new();
    for line in lines.take_while(|line| !line.starts_with('#')) {
        if line.is_empty() {
            paragraphs.push(std::mem::take(&mut current));
        } else {
            if !current.is_empty() {
                current.push(' ');
            }
            current.push_str(line);
        }
    }
    paragraphs.push(current);
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::CLAUSES;

    #[test]
    fn page_and_table_have_the_same_clauses_in_the_same_order() {
        let on_the_page: Vec<&str> = PAGE
            .lines()
            .filter_map(|line| line.strip_prefix("### "))
            .collect();
        let in_the_table: Vec<String> = CLAUSES
            .iter()
            .map(|info| format!("{} {}", info.id, info.name))
            .collect();
        assert_eq!(on_the_page, in_the_table);
    }

    #[test]
    fn every_clause_has_a_text_in_a_section() {
        for info in CLAUSES {
            let text = clause_text(info.clause);
            assert!(!text.section.is_empty(), "{}", info.id);
            assert!(text.paragraphs.iter().all(|one| one.ends_with('.')));
        }
    }

    #[test]
    fn a_clause_of_two_paragraphs_keeps_both_and_takes_no_more() {
        let text = clause_text(Clause::C7);
        assert_eq!(text.section, "Common clauses");
        assert_eq!(text.paragraphs.len(), 2);
        assert!(text.paragraphs[1].starts_with("A changed body"));
    }
}
