//! What these tests share: fixtures, copies of them, and the command.
#![expect(
    clippy::disallowed_methods,
    reason = "these tests make the real directories that the command looks at"
)]

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(super) fn fixture(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("../tests/fixtures").join(name)
}

/// A copy of a fixture that may be changed.
pub(super) fn copy(name: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    for (name, bytes) in contents(&fixture(name)) {
        std::fs::write(folder.path().join(name), bytes).expect("it can be written");
    }
    folder
}

pub(super) fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    entries
        .map(|entry| {
            let path = entry.expect("the folder can be read").path();
            let name = path.file_name().expect("it has a name");
            let bytes = std::fs::read(&path).expect("it can be read");
            (name.to_string_lossy().into_owned(), bytes)
        })
        .collect()
}

/// Exit code, lines and what was said of problems.
pub(super) fn dump(folder: &Path, flags: &[&str]) -> (i32, Vec<Value>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_crashline"))
        .arg("dump")
        .arg(folder)
        .args(flags)
        .output()
        .expect("the command starts");
    let text = String::from_utf8(output.stdout).expect("the output is text");
    let lines = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    let said = String::from_utf8(output.stderr).expect("text");
    (
        output.status.code().expect("no signal"),
        lines.collect(),
        said,
    )
}

pub(super) fn of_kind<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["kind"] == kind).collect()
}
