//! One concept, one small file: documentation first, short files, short functions, short lines.

use super::tree::SourceFile;

const FILE_LINES_MAX: usize = 300;
const TEST_FILE_LINES_MAX: usize = 500;
const FUNCTION_LINES_MAX: usize = 70;
const COLUMNS_MAX: usize = 100;

/// Every Rust file says first what it is for.
pub(super) fn documented_first(file: &SourceFile) -> Vec<String> {
    if !file.is_rust() || file.text.starts_with("//! ") {
        return Vec::new();
    }
    vec!["does not start with `//! ` and what it is for".to_owned()]
}

/// A file that grows is two files.
pub(super) fn files_are_short(file: &SourceFile) -> Vec<String> {
    let lines_max = if file.is_test() {
        TEST_FILE_LINES_MAX
    } else {
        FILE_LINES_MAX
    };
    let lines = file.text.lines().count();
    if !file.is_rust() || lines <= lines_max {
        return Vec::new();
    }
    vec![format!("has {lines} lines, at most {lines_max} are good")]
}

/// A function that does not fit a screen is two functions. Measured by its indentation, which
/// `cargo fmt` keeps.
pub(super) fn functions_are_short(file: &SourceFile) -> Vec<String> {
    if !file.is_rust() {
        return Vec::new();
    }
    let lines: Vec<&str> = file.text.lines().collect();
    let mut complaints = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else {
            continue;
        };
        let indent = line.len() - line.trim_start().len();
        let end = format!("{}}}", " ".repeat(indent));
        let body = lines.iter().skip(start);
        let length = body.take_while(|line| **line != end).count() + 1;
        if !line.ends_with('}') && !line.ends_with(';') && length > FUNCTION_LINES_MAX {
            complaints.push(format!(
                "function `{name}` has {length} lines, at most {FUNCTION_LINES_MAX} are good"
            ));
        }
    }
    complaints
}

/// The name of the function that starts on this line.
fn function_name(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    for word in [
        "pub ",
        "pub(crate) ",
        "pub(super) ",
        "const ",
        "async ",
        "extern \"C\" ",
    ] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    rest.strip_prefix("fn ")?.split(['(', '<']).next()
}

/// Lines fit side by side on a screen; only a link may be longer.
pub(super) fn lines_are_short(file: &SourceFile) -> Vec<String> {
    if !file.is_rust() {
        return Vec::new();
    }
    let lines = file.text.lines().enumerate();
    lines
        .filter(|(_, line)| line.chars().count() > COLUMNS_MAX && !line.contains("://"))
        .map(|(index, _)| format!("line {} is wider than {COLUMNS_MAX}", index + 1))
        .collect()
}

/// Files under a `src` folder that no `mod` declares: they are not compiled and not tested.
pub(super) fn orphans(files: &[SourceFile]) -> Vec<String> {
    let sources = files
        .iter()
        .filter(|file| file.is_rust())
        .filter(|file| file.path.starts_with("src/") || file.path.starts_with("sim/src/"));
    sources
        .filter_map(|file| {
            let (name, parents) = declared_by(&file.path)?;
            let declaration = format!("mod {name};");
            let declared = files
                .iter()
                .filter(|parent| parents.contains(&parent.path))
                .any(|parent| parent.text.contains(&declaration));
            (!declared).then(|| format!("no `{declaration}` for {}", file.path))
        })
        .collect()
}

/// The module's name, and the files that may declare it; none for the root of a crate.
fn declared_by(path: &str) -> Option<(&str, Vec<String>)> {
    let own = path
        .strip_suffix("/mod.rs")
        .or_else(|| path.strip_suffix(".rs"))?;
    let (folder, name) = own.rsplit_once('/')?;
    if matches!(name, "lib" | "main") {
        return None;
    }
    let parents = ["lib.rs", "main.rs", "mod.rs"].map(|file| format!("{folder}/{file}"));
    let mut parents = parents.to_vec();
    parents.push(format!("{folder}.rs"));
    Some((name, parents))
}

#[test]
fn a_file_without_documentation_is_seen() {
    let example = SourceFile::example("src/x.rs", "use std::io;\n");
    assert_eq!(documented_first(&example).len(), 1);
}

#[test]
fn a_long_file_is_seen_and_a_test_may_be_longer() {
    let text = "//! x\n".repeat(301);
    assert_eq!(
        files_are_short(&SourceFile::example("src/x.rs", &text)).len(),
        1
    );
    assert_eq!(
        files_are_short(&SourceFile::example("tests/it/x.rs", &text)).len(),
        0
    );
}

#[test]
fn a_long_function_is_seen() {
    let long = format!(
        "    pub(crate) fn f<T>() {{\n{}    }}\n",
        "        g();\n".repeat(69)
    );
    let short = format!("fn f() {{\n{}}}\n", "    g();\n".repeat(68));
    let complaints = functions_are_short(&SourceFile::example("src/x.rs", &long));
    assert_eq!(
        complaints,
        ["function `f` has 71 lines, at most 70 are good"]
    );
    assert!(functions_are_short(&SourceFile::example("src/x.rs", &short)).is_empty());
}

#[test]
fn a_wide_line_is_seen() {
    let example = SourceFile::example("src/x.rs", &"x".repeat(101));
    assert_eq!(lines_are_short(&example), ["line 1 is wider than 100"]);
}
