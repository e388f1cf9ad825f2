//! What is no file of an engine, or cannot be used as one: it is told, and so is all the rest.
#![expect(
    clippy::disallowed_methods,
    reason = "these tests make the real directories that the command looks at"
)]

use super::support::{copy, dump, of_kind};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

fn make_fifo(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.expect("mkfifo starts").success());
}

/// The line of an error or of another file, by its name.
fn of_file<'a>(lines: &'a [Value], name: &str) -> &'a Value {
    let mut told = lines.iter().filter(|line| line["file"] == name);
    told.next().expect("it is told")
}

#[test]
fn what_stands_in_the_place_of_a_file_is_told_for_what_it_is() {
    let folder = copy("nsqio-clean-rolled");
    let whole = dump(folder.path(), &[]).1;
    let path = |name: &str| folder.path().join(name);
    make_fifo(&path("a.diskqueue.meta.dat"));
    fs::create_dir(path("b.diskqueue.000000.dat")).expect("it can be made");
    let socket = UnixListener::bind(path("c.diskqueue.lock")).expect("it can be made");
    std::os::unix::fs::symlink("nowhere", path("offsets.json")).expect("links can be made");
    let (code, lines, said) = dump(folder.path(), &[]);
    drop(socket);
    assert_eq!((code, said.as_str()), (1, ""));
    for (name, what) in [
        ("a.diskqueue.meta.dat", "FIFO"),
        ("b.diskqueue.000000.dat", "directory"),
        ("c.diskqueue.lock", "socket"),
        ("offsets.json", "link"),
    ] {
        let line = of_file(&lines, name);
        assert_eq!(line["kind"], "error");
        assert_eq!(line["why"], format!("it is a {what}, not a file"));
        assert!(line["hint"].is_string());
    }
    assert_eq!(of_kind(&lines, "message"), of_kind(&whole, "message"));
    assert_eq!(lines.last().expect("a line")["errors"], 4);
}

#[test]
fn a_name_that_is_not_utf_8_is_told_in_base64() {
    let from = copy("nsqio-clean-rolled");
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    for (name, bytes) in super::support::contents(from.path()) {
        let name = [b"\xff\xfe".as_slice(), &name.as_bytes()["orders".len()..]].concat();
        let path = folder.path().join(OsStr::from_bytes(&name));
        fs::write(path, bytes).expect("it can be written");
    }
    let (code, lines, _) = dump(folder.path(), &[]);
    assert_eq!(code, 0);
    let queue = of_kind(&lines, "queue")[0];
    assert_eq!(
        (&queue["queue_b64"], &queue["queue"]),
        (&json!("//4="), &Value::Null)
    );
}

#[test]
fn an_empty_directory_is_nothing_to_check() {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let (code, lines, said) = dump(folder.path(), &[]);
    assert_eq!((code, said.lines().count()), (4, 1));
    assert!(said.contains("no queue, log or offset store in"), "{said}");
    assert!(lines.iter().all(|line| line["kind"] == "total"));
    fs::write(folder.path().join("notes.txt"), "hello").expect("it is written");
    let (code, lines, _) = dump(folder.path(), &[]);
    assert_eq!(code, 4);
    let line = of_file(&lines, "notes.txt");
    assert_eq!((&line["kind"], &line["size"]), (&json!("other"), &json!(5)));
}

#[test]
fn the_total_counts_what_was_told() {
    let folder = copy("nsqio-clean-rolled");
    let lines = dump(folder.path(), &[]).1;
    let messages = of_kind(&lines, "message").len();
    let total = lines.last().expect("a line");
    assert_eq!(
        (&total["kind"], &total["found"]),
        (&json!("total"), &json!(1))
    );
    assert_eq!(
        (&total["messages"], &total["lost"]),
        (&json!(messages), &json!(0))
    );
    let path = folder.path().join("orders.diskqueue.000001.dat");
    let bytes = fs::read(&path).expect("it is there");
    fs::write(&path, &bytes[..bytes.len() - 3]).expect("it is cut");
    let lines = dump(folder.path(), &[]).1;
    let gaps = of_kind(&lines, "gap");
    assert!(gaps.iter().all(|gap| gap["hint"].is_string()));
    let total = lines.last().expect("a line");
    let lost: u64 = gaps.iter().filter_map(|gap| gap["messages"].as_u64()).sum();
    assert_eq!(total["lost"], lost);
    let unknown = gaps.iter().filter(|gap| gap["messages"].is_null()).count();
    assert_eq!(total["gaps_of_unknown_count"], unknown);
}

#[test]
fn a_log_is_told_with_its_state_and_what_stands_beside_it() {
    let folder = copy("youzan-rollback");
    fs::create_dir(folder.path().join("shared_meta")).expect("it can be made");
    let (code, lines, _) = dump(folder.path(), &[]);
    assert_eq!(code, 0);
    let notes = of_kind(&lines, "note");
    let has = |words: &str| {
        let mut texts = notes.iter().filter_map(|note| note["text"].as_str());
        texts.any(|text| text.contains(words))
    };
    assert!(
        has("an original wrote last") && has("writing is refused"),
        "{notes:?}"
    );
    assert_eq!(of_kind(&lines, "reader")[0]["row"], "P5");
}

#[test]
fn a_lock_that_is_held_is_told() {
    let folder = copy("nsqio-clean-rolled");
    let path = folder.path().join("orders.diskqueue.lock");
    let file = fs::File::create(&path).expect("it can be made");
    file.lock().expect("it can be locked");
    let lines = dump(folder.path(), &[]).1;
    // Where the table of locks is not to be seen there is nothing to tell.
    if fs::read_to_string("/proc/locks").is_ok_and(|table| !table.is_empty()) {
        let text = of_file(&lines, "orders.diskqueue.lock")["text"].to_string();
        assert!(text.contains("has it open"), "{text}");
    }
}
