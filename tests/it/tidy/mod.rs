//! The repository checks itself: what the design says of its source is true of every file.
//!
//! Each rule is a function from a file to its complaints, and has an example that trips it.

mod calls;
mod layers;
mod shape;
mod texts;
mod tree;

use tree::SourceFile;

/// A rule: what is wrong with this file, one sentence each.
type Rule = fn(&SourceFile) -> Vec<String>;

const RULES: &[Rule] = &[
    calls::engines_reach_the_world_only_through_the_trait,
    calls::only_the_command_line_asks_the_machine,
    layers::modules_name_only_lower_layers,
    layers::model_and_oracle_share_nothing_with_engines,
    layers::the_disk_knows_nothing_of_queues,
    shape::documented_first,
    shape::files_are_short,
    shape::functions_are_short,
    shape::lines_are_short,
    texts::ascii_only,
    texts::one_title,
    texts::nothing_unfinished,
    texts::no_machine_paths,
];

#[test]
fn every_file_keeps_every_rule() {
    let files = tree::files();
    assert!(files.len() > 30, "the tree was found: {}", files.len());
    let complaints: Vec<String> = files
        .iter()
        .flat_map(|file| RULES.iter().map(move |rule| (file, rule)))
        .flat_map(|(file, rule)| {
            let complaints = rule(file).into_iter();
            complaints.map(|complaint| format!("{}: {complaint}", file.path))
        })
        .collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn every_source_file_is_part_of_a_crate() {
    let complaints = shape::orphans(&tree::files());
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn a_file_that_nobody_declares_is_an_orphan() {
    let files = [
        SourceFile::example("src/lib.rs", "pub mod fs;"),
        SourceFile::example("src/fs/mod.rs", "mod api;"),
        SourceFile::example("src/fs/api.rs", ""),
        SourceFile::example("src/fs/left_over.rs", ""),
    ];
    assert_eq!(
        shape::orphans(&files),
        ["no `mod left_over;` for src/fs/left_over.rs"]
    );
}
