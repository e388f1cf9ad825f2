//! `crashline offsets` and `crashline dump` on files of the real clients.
#![expect(
    clippy::disallowed_methods,
    reason = "these tests make the real directories that the command looks at"
)]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const JAVA: &str = "rocketmq-java-5.3.1/10.0.0.1@i1/g1/offsets.json";
const JAVA_PLAIN: &str = "rocketmq-java-plain/offsets.json";
const GO: &str = "rocketmq-go/offset.json";

fn fixture(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("../tests/fixtures").join(name)
}

/// Exit code, output and what was said of problems.
fn run(words: &[&str], path: &Path) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_crashline"))
        .args(words)
        .arg(path)
        .output()
        .expect("the command starts");
    let text = |bytes| String::from_utf8(bytes).expect("it is text");
    let code = output.status.code().expect("no signal");
    (code, text(output.stdout), text(output.stderr))
}

fn lines(output: &str) -> Vec<Value> {
    let lines = output.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn show_tells_what_the_description_says() {
    for name in [GO, JAVA, JAVA_PLAIN] {
        let (code, output, _) = run(&["offsets", "show", "--format", "json"], &fixture(name));
        assert_eq!(code, 0, "{name}");
        let folder = name.split('/').next().expect("it has a folder");
        let description = std::fs::read(fixture(&format!("{folder}.expected.json")));
        let description = description.expect("it can be read");
        let expected: Value = serde_json::from_slice(&description).expect("JSON");
        let key = |line: &Value, broker: &str, queue: &str| {
            let offset = line["offset"].as_i64().expect("a number");
            format!(
                "{} {} {} {offset}",
                line["topic"], line[broker], line[queue]
            )
        };
        let expected = expected["Offsets"].as_array().expect("a list");
        let mut expected: Vec<String> = expected
            .iter()
            .map(|line| key(line, "brokerName", "queueId"))
            .collect();
        let mut shown: Vec<String> = lines(&output)
            .iter()
            .map(|line| key(line, "broker", "queue"))
            .collect();
        expected.sort();
        shown.sort();
        assert_eq!(shown, expected, "{name}");
        let (_, text, _) = run(&["offsets", "show"], &fixture(name));
        assert!(
            text.contains("               2007  \"orders\" \"broker-a\" 2\n"),
            "{text}"
        );
    }
}

#[test]
fn convert_goes_there_and_back() {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let (_, java, _) = run(&["offsets", "convert", "--to", "java"], &fixture(GO));
    assert!(
        java.starts_with("{\n\t\"offsetTable\":{{\n\t\t\t\"brokerName\":\"broker-b\""),
        "{java}"
    );
    let path = folder.path().join("offsets.json");
    std::fs::write(&path, &java).expect("it can be written");
    let (_, go, _) = run(&["offsets", "convert", "--to", "go"], &path);
    let (_, direct, _) = run(&["offsets", "convert", "--to", "go"], &fixture(GO));
    assert_eq!(go, direct);
    let original = std::fs::read(fixture(GO)).expect("it can be read");
    assert_eq!(direct.len(), original.len());
    let (_, again, _) = run(&["offsets", "convert", "--to", "java"], &path);
    assert_eq!(again, java);
}

#[test]
fn a_damaged_file_is_one_sentence_with_its_place() {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let path = folder.path().join("offset.json");
    std::fs::write(&path, "{\n\"offsetTable\":null}").expect("it can be written");
    let (code, output, said) = run(&["offsets", "show"], &path);
    assert_eq!((code, output.as_str()), (1, ""));
    assert!(
        said.contains("the table is no object at line 2, column 15 (byte 16)"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn dump_shows_what_opening_would() {
    let folder = fixture(JAVA);
    let folder = folder.parent().expect("it has a folder");
    let (code, output, _) = run(&["dump"], folder);
    let shown = lines(&output);
    // Of the directory, and of all.
    let totals = 2;
    assert_eq!((code, shown.len()), (0, 7 + totals));
    assert_eq!(shown[0]["source"], "main");

    let copy = tempfile::tempdir().expect("there is a place for temporary files");
    let place = |name: &str, bytes: &[u8]| {
        std::fs::write(copy.path().join(name), bytes).expect("it can be written");
    };
    let backup = std::fs::read(folder.join("offsets.json.bak")).expect("it can be read");
    place("offsets.json", &backup[..40]);
    place("offsets.json.bak", &backup);
    let (code, output, _) = run(&["dump"], copy.path());
    let shown = lines(&output);
    assert_eq!((code, shown.len()), (1, 8 + totals), "{output}");
    assert_eq!(shown[0]["source"], "backup");
    assert_eq!(
        (&shown[1]["kind"], &shown[1]["file"]),
        (&"gap".into(), &"offsets.json".into())
    );
    assert_eq!(
        shown[1]["offset"].as_u64().zip(shown[1]["size"].as_u64()),
        Some((0, 40))
    );
    place("offsets.json.bak", b"");
    let (code, output, _) = run(&["dump"], copy.path());
    assert_eq!((code, lines(&output).len()), (1, 3 + totals));
    assert_eq!(lines(&output)[0]["source"], "lost");
    let names = std::fs::read_dir(copy.path()).expect("it is there").count();
    assert_eq!(names, 2, "nothing was made");
}
