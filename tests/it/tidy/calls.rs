//! Banned calls that no lint sees: the ways around the filesystem trait, the clock, chance.

use super::tree::{SourceFile, has_word};

/// What makes a run depend on more than its inputs.
const WORLD: &[&str] = &[
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "std::thread",
    "Instant",
    "SystemTime",
    "RandomState",
    "std::sync::Mutex",
    "std::sync::Condvar",
];

/// The files that are doors to the world, and what each is the door to.
const DOORS: &[(&str, &[&str])] = &[
    ("src/fs/real.rs", &["std::fs"]),
    ("src/shared/primitives.rs", &["std::thread", "Instant"]),
];

/// What a run of `sim` must not ask either; its threads are few and named, and change no result.
const MACHINE: &[&str] = &["std::env", "Instant", "SystemTime", "RandomState"];

/// The engines know no clock, no chance, no threads, and files only through `Fs`; the shared handle
/// knows time and threads only through its primitives.
pub(super) fn engines_reach_the_world_only_through_the_trait(file: &SourceFile) -> Vec<String> {
    if !file.is_rust() || !file.path.starts_with("src/") {
        return Vec::new();
    }
    let door = DOORS.iter().find(|(path, _)| *path == file.path);
    let open = door.map_or(&[][..], |(_, words)| words);
    let words = WORLD.iter().copied();
    let closed: Vec<&str> = words.filter(|word| !open.contains(word)).collect();
    named(file, &closed)
}

/// Only the command line reads the environment, the clock or the machine's randomness.
pub(super) fn only_the_command_line_asks_the_machine(file: &SourceFile) -> Vec<String> {
    if !file.path.starts_with("sim/src/") || file.path.starts_with("sim/src/cli/") {
        return Vec::new();
    }
    named(file, MACHINE)
}

fn named(file: &SourceFile, words: &[&str]) -> Vec<String> {
    let mut complaints = Vec::new();
    for (number, code) in file.code() {
        let found = words.iter().filter(|word| has_word(code, word));
        complaints.extend(found.map(|word| format!("line {number} names `{word}`")));
    }
    complaints
}

#[test]
fn an_engine_that_goes_around_the_trait_is_seen() {
    let text = "//! x\nuse std::fs;\n// std::thread in a comment is fine\n";
    let example = SourceFile::example("src/diskqueue/open.rs", text);
    let complaints = engines_reach_the_world_only_through_the_trait(&example);
    assert_eq!(complaints, ["line 2 names `std::fs`"]);
    let door = SourceFile::example("src/fs/real.rs", text);
    assert!(engines_reach_the_world_only_through_the_trait(&door).is_empty());
    let other_door = SourceFile::example("src/shared/primitives.rs", text);
    let complaints = engines_reach_the_world_only_through_the_trait(&other_door);
    assert_eq!(complaints, ["line 2 names `std::fs`"]);
}

#[test]
fn a_run_that_asks_the_clock_is_seen() {
    let text = "let now = Instant::now();\n";
    let example = SourceFile::example("sim/src/explore/run.rs", text);
    assert_eq!(only_the_command_line_asks_the_machine(&example).len(), 1);
    let command = SourceFile::example("sim/src/cli/clock.rs", text);
    assert!(only_the_command_line_asks_the_machine(&command).is_empty());
}
