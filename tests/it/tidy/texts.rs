//! Plain texts: ASCII, one title a page, nothing unfinished, nothing of the machine they were
//! written on.

use super::tree::{SourceFile, has_word};

/// Any terminal and any editor shows ASCII as it is.
pub(super) fn ascii_only(file: &SourceFile) -> Vec<String> {
    let lines = file.text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.is_ascii())
        .map(|(index, _)| format!("line {} is not ASCII", index + 1))
        .collect()
}

/// A page has one title.
pub(super) fn one_title(file: &SourceFile) -> Vec<String> {
    if !file.path.ends_with(".md") {
        return Vec::new();
    }
    let mut titles = 0;
    let mut inside_block = false;
    for line in file.text.lines() {
        inside_block ^= line.starts_with("```");
        titles += usize::from(!inside_block && line.starts_with("# "));
    }
    if titles == 1 {
        return Vec::new();
    }
    vec![format!("has {titles} titles (`# `) instead of one")]
}

/// What is here is finished; what is not is an issue elsewhere.
pub(super) fn nothing_unfinished(file: &SourceFile) -> Vec<String> {
    // In halves, so that this file does not trip its own rule.
    let words = [
        ("TO", "DO"),
        ("FIX", "ME"),
        ("XX", "X"),
        ("HA", "CK"),
        ("for ", "now"),
    ];
    numbered_words(file, &words, "unfinished work")
}

/// A text reads the same on every machine.
pub(super) fn no_machine_paths(file: &SourceFile) -> Vec<String> {
    let words = [
        ("/ho", "me/"),
        ("/ro", "ot/"),
        ("/Us", "ers/"),
        ("/wo", "rk/"),
        ("/tm", "p/h/"),
    ];
    let lines = file.text.lines().enumerate();
    lines
        .flat_map(|(index, line)| words.iter().map(move |word| (index, line, word)))
        .filter(|(_, line, (head, tail))| line.contains(&format!("{head}{tail}")))
        .map(|(index, _, (head, tail))| format!("line {} names `{head}{tail}`", index + 1))
        .collect()
}

fn numbered_words(file: &SourceFile, words: &[(&str, &str)], what: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        for (head, tail) in words {
            let word = format!("{head}{tail}");
            if has_word(line, &word) {
                complaints.push(format!("line {}: `{word}` is {what}", index + 1));
            }
        }
    }
    complaints
}

#[test]
fn a_letter_beyond_ascii_is_seen() {
    let example = SourceFile::example("src/x.rs", "//! caf\u{e9}\n");
    assert_eq!(ascii_only(&example), ["line 1 is not ASCII"]);
}

#[test]
fn a_second_title_is_seen_and_a_comment_in_a_block_is_none() {
    let page = SourceFile::example("x.md", "# One\n```sh\n# comment\n```\n");
    assert!(one_title(&page).is_empty());
    let page = SourceFile::example("x.md", "# One\n# Two\n");
    assert_eq!(one_title(&page).len(), 1);
    assert_eq!(one_title(&SourceFile::example("x.md", "text\n")).len(), 1);
}

#[test]
fn unfinished_work_is_seen() {
    let line = format!("// {}{}: later\n", "TO", "DO");
    assert_eq!(
        nothing_unfinished(&SourceFile::example("src/x.rs", &line)).len(),
        1
    );
    assert!(nothing_unfinished(&SourceFile::example("src/x.rs", "// done\n")).is_empty());
}

#[test]
fn a_path_of_somebodys_machine_is_seen() {
    let line = format!("see {}{}me/notes\n", "/ho", "me/");
    assert_eq!(
        no_machine_paths(&SourceFile::example("x.md", &line)).len(),
        1
    );
}
