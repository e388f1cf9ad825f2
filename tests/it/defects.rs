//! Where quirks come from: the page that a port takes along has a row for each.

use crashline::{diskqueue, offsets, seglog};

const PAGE: &str = include_str!("../../corpus/defects.md");

/// Names of quirks with their sources.
fn sources() -> Vec<(&'static str, &'static str)> {
    let mut sources = Vec::new();
    sources.extend(
        diskqueue::QUIRKS
            .iter()
            .map(|quirk| (quirk.name, quirk.source)),
    );
    sources.extend(
        seglog::QUIRKS
            .iter()
            .map(|quirk| (quirk.name, quirk.source)),
    );
    sources.extend(
        offsets::QUIRKS
            .iter()
            .map(|quirk| (quirk.name, quirk.source)),
    );
    sources
}

/// The first column of the page's rows: number and name, without the ticks.
fn rows() -> Vec<String> {
    let rows = PAGE
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    let rows = rows.filter(|row| row.contains('`'));
    rows.map(|row| row.replace('`', "")).collect()
}

#[test]
fn every_numbered_source_of_a_quirk_is_a_row_of_the_page() {
    let rows = rows();
    let numbered = |source: &&str| source.starts_with(|first: char| first.is_ascii_digit());
    let mut found = 0;
    for (name, source) in sources() {
        if !numbered(&source) {
            continue;
        }
        // Which other original has the same stands in brackets.
        let defect = source.split(" (").next().unwrap_or(source);
        assert!(
            rows.iter().any(|row| row == defect),
            "{name}: `{source}` has no row"
        );
        found += 1;
    }
    assert!(found > 50, "only {found} quirks have a number");
    let numbers = rows
        .iter()
        .filter_map(|row| row.split(' ').next()?.parse::<u32>().ok());
    let numbers: Vec<u32> = numbers.collect();
    assert!(
        numbers.is_sorted() && numbers.len() == rows.len(),
        "{numbers:?}"
    );
}
