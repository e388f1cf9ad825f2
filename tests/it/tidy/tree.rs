//! The files of the repository as the rules see them.
#![expect(
    clippy::disallowed_methods,
    reason = "the repository's own source is read with the standard library"
)]

use std::path::Path;

/// The endings of files that are read.
const ENDINGS: &[&str] = &[".rs", ".md", ".toml", "/run"];
/// Folders that are not the project's text.
const SKIPPED: &[&str] = &[
    "target",
    ".git",
    "fixtures",
    "vectors",
    "snapshots",
    "seeds",
    "traces",
];

/// A text file and its path from the root, with `/`.
#[derive(Debug, Clone)]
pub(super) struct SourceFile {
    pub(super) path: String,
    pub(super) text: String,
}

impl SourceFile {
    /// A file made up to try a rule.
    pub(super) fn example(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    /// Whether it is Rust.
    pub(super) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Whether it is a test as a whole.
    pub(super) fn is_test(&self) -> bool {
        let is_beside = self.path.starts_with("tests/") || self.path.starts_with("sim/tests/");
        is_beside || self.path.contains("/tests/") || self.path.ends_with("/tests.rs")
    }

    /// Numbered lines, from 1, without comments, up to the unit tests at the end.
    pub(super) fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate();
        lines
            .take_while(|(_, line)| *line != "#[cfg(test)]")
            .map(|(index, line)| (index + 1, line.split("//").next().unwrap_or_default()))
    }
}

/// Whether `code` has `word`, not as a part of a longer word.
pub(super) fn has_word(code: &str, word: &str) -> bool {
    let part_of_word = |one: char| one.is_alphanumeric() || one == '_';
    code.match_indices(word).any(|(start, found)| {
        let before = code.get(..start).and_then(|text| text.chars().last());
        let after = code
            .get(start + found.len()..)
            .and_then(|text| text.chars().next());
        !before.is_some_and(part_of_word) && !after.is_some_and(part_of_word)
    })
}

/// All text files of the repository, sorted by path.
pub(super) fn files() -> Vec<SourceFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    collect(root, "", &mut files);
    files.sort_by(|one, next| one.path.cmp(&next.path));
    files
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<SourceFile>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let entry = entry.expect("the folder can be read");
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        let kind = entry.file_type().expect("the kind is known");
        if kind.is_dir() {
            if !SKIPPED.contains(&name.as_str()) {
                collect(&entry.path(), &format!("{path}/"), files);
            }
        } else if ENDINGS.iter().any(|ending| path.ends_with(ending)) {
            let text = std::fs::read_to_string(entry.path()).expect("the file is text");
            files.push(SourceFile { path, text });
        }
    }
}

#[test]
fn a_word_is_not_found_inside_a_longer_one() {
    assert!(has_word("use std::fs;", "std::fs"));
    assert!(has_word("crate::model::x", "model"));
    assert!(!has_word("remodel models", "model"));
}

#[test]
fn comments_and_unit_tests_are_no_code() {
    let file = SourceFile::example("src/x.rs", "one // two\n#[cfg(test)]\nmod tests {}\n");
    assert_eq!(file.code().collect::<Vec<_>>(), [(1, "one ")]);
}
