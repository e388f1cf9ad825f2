//! `crashline dump` on real directories: what it shows, what it says of damage, and that it
//! changes nothing.
#![expect(
    clippy::disallowed_methods,
    reason = "these tests make the real directories that the command looks at"
)]

use super::support::{contents, copy, dump, fixture, of_kind};
use serde_json::{Value, json};

#[test]
fn every_fixture_shows_what_it_holds_and_is_left_alone() {
    for name in [
        "nsqio-clean-all-read",
        "nsqio-clean-rolled",
        "nsqio-empty-messages",
        "nsqio-killed-meta-several-behind",
        "nsqio-killed-no-meta",
        "nsqio-killed-stale-meta",
    ] {
        let expected = std::fs::read(fixture(&format!("{name}.expected.json")));
        let expected: Value =
            serde_json::from_slice(&expected.expect("it is there")).expect("JSON");
        let wanted = expected["Unread"].as_array().cloned().unwrap_or_default();
        let before = contents(&fixture(name));
        for assumed in ["kill", "power-cut"] {
            let (code, lines, said) = dump(&fixture(name), &["--assume", assumed]);
            assert_eq!((code, said.as_str()), (0, ""), "{name}");
            let messages = of_kind(&lines, "message");
            let bodies: Vec<Value> = messages
                .iter()
                .map(|line| line["data_b64"].clone())
                .collect();
            assert!(bodies.ends_with(&wanted), "{name}");
            let queues = of_kind(&lines, "queue");
            assert_eq!(queues.len(), 1);
            assert_eq!(queues[0]["queue"], expected["Name"]);
            assert_eq!(queues[0]["depth"], messages.len());
        }
        assert_eq!(contents(&fixture(name)), before, "nothing changed");
    }
}

#[test]
fn every_log_shows_its_places_its_readers_and_its_messages() {
    for name in [
        "youzan-new-queue-start",
        "youzan-reset-across-segments",
        "youzan-retention",
        "youzan-rollback",
        "youzan-rolled-confirmed",
    ] {
        let expected = std::fs::read(fixture(&format!("{name}.expected.json")));
        let expected: Value =
            serde_json::from_slice(&expected.expect("it is there")).expect("JSON");
        let before = contents(&fixture(name));
        let (code, lines, said) = dump(&fixture(name), &[]);
        assert_eq!((code, said.as_str()), (0, ""), "{name}");
        assert!(of_kind(&lines, "queue").is_empty(), "it is no queue");
        let logs = of_kind(&lines, "log");
        assert_eq!(logs.len(), 1);
        assert_eq!(logs[0]["log"], expected["Writer"]);
        for (told, wanted) in [("start", "QueueStart"), ("end", "ReadEnd")] {
            assert_eq!(logs[0][told]["offset"], expected[wanted]["VirtualOffset"]);
            assert_eq!(logs[0][told]["count"], expected[wanted]["Count"]);
        }
        let readers = of_kind(&lines, "reader");
        assert_eq!(readers.len(), 1, "{name}");
        assert_eq!(readers[0]["reader"], expected["Reader"]);
        let confirmed = &readers[0]["confirmed"];
        assert_eq!(confirmed["offset"], expected["Confirmed"]["VirtualOffset"]);
        let messages = of_kind(&lines, "message");
        let told: Vec<[Value; 3]> = messages
            .iter()
            .map(|line| ["offset", "count", "data_b64"].map(|key| line[key].clone()))
            .collect();
        let wanted = expected["Messages"].as_array().cloned().unwrap_or_default();
        let wanted: Vec<[Value; 3]> = wanted
            .iter()
            .map(|line| ["VirtualOffset", "CountAfter", "Data"].map(|key| line[key].clone()))
            .collect();
        assert_eq!(told, wanted, "{name}");
        assert_eq!(contents(&fixture(name)), before, "nothing changed");
    }
}

#[test]
fn a_cut_segment_of_a_log_is_a_gap() {
    let folder = copy("youzan-rollback");
    let path = folder.path().join("topic-0.diskqueue.000001.dat");
    let bytes = std::fs::read(&path).expect("it is there");
    std::fs::write(&path, &bytes[..bytes.len() - 3]).expect("it is cut");
    let (code, lines, _) = dump(folder.path(), &[]);
    assert_eq!(code, 1);
    assert!(!of_kind(&lines, "gap").is_empty());
    let messages = of_kind(&lines, "message");
    assert!(messages.len() >= 43, "later segments are shown");
}

#[test]
fn a_damaged_meta_of_a_reader_is_told_and_the_name_of_a_log_may_hold_anything() {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    for (name, bytes) in contents(&fixture("youzan-rollback")) {
        let name = name.replace("topic-0", "a%s..:");
        std::fs::write(folder.path().join(name), bytes).expect("it can be written");
    }
    let (code, lines, _) = dump(folder.path(), &[]);
    assert_eq!(code, 0);
    let readers = of_kind(&lines, "reader");
    assert_eq!(readers.len(), 1);
    assert_eq!(readers[0]["reader"], "a%s..:_chan");
    assert_eq!(readers[0]["confirmed"]["offset"], 216);
    let meta = "a%s..:_chan.diskqueue.meta.v2.reader.dat";
    std::fs::write(folder.path().join(meta), [0; 40]).expect("it can be written");
    let (code, lines, _) = dump(folder.path(), &[]);
    assert_eq!(code, 1);
    assert_eq!(of_kind(&lines, "gap")[0]["file"], meta);
    let reader = of_kind(&lines, "reader")[0];
    assert_eq!(
        (&reader["row"], &reader["damaged"]),
        (&json!("P10"), &json!(true))
    );
}

#[test]
fn a_cut_segment_is_a_gap_and_later_segments_are_shown() {
    let folder = copy("nsqio-clean-rolled");
    let path = folder.path().join("orders.diskqueue.000001.dat");
    let bytes = std::fs::read(&path).expect("it is there");
    std::fs::write(&path, &bytes[..bytes.len() - 3]).expect("it is cut");
    let before = contents(folder.path());
    let (code, lines, _) = dump(folder.path(), &[]);
    assert_eq!(code, 1);
    let gaps = of_kind(&lines, "gap");
    assert!(
        gaps.iter()
            .any(|gap| gap["file"] == "orders.diskqueue.000001.dat")
    );
    let messages = of_kind(&lines, "message");
    assert!(messages.iter().any(|line| line["segment"] == 2));
    assert_eq!(contents(folder.path()), before, "nothing changed");
}

#[test]
fn a_damaged_meta_is_told_and_costs_no_message() {
    let folder = copy("nsqio-clean-rolled");
    let path = folder.path().join("orders.diskqueue.meta.dat");
    std::fs::write(&path, "4\u{0}").expect("it is damaged");
    let (code, lines, _) = dump(folder.path(), &[]);
    assert_eq!(code, 1);
    assert!(of_kind(&lines, "message").len() >= 43);
}

#[test]
fn what_is_no_directory_of_a_queue_is_refused_in_one_sentence() {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    std::fs::write(folder.path().join("notes.txt"), "hello").expect("it is written");
    let places = [
        folder.path().join("notes.txt"),
        folder.path().join("nowhere"),
    ];
    for place in places {
        let (code, lines, said) = dump(&place, &[]);
        assert_eq!((code, lines.len()), (2, 0), "{}", place.display());
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn a_link_in_the_directory_is_not_followed() {
    let folder = copy("nsqio-clean-rolled");
    let link = folder.path().join("other.diskqueue.000000.dat");
    std::os::unix::fs::symlink("/etc/hostname", link).expect("links can be made");
    let (code, lines, _) = dump(folder.path(), &[]);
    assert_eq!(code, 1);
    let errors = of_kind(&lines, "error");
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0]["why"], "it is a link, not a file");
    assert!(
        of_kind(&lines, "queue")
            .iter()
            .all(|line| line["queue"] == "orders")
    );
}

#[test]
fn a_file_of_a_queue_without_a_name_hides_no_other() {
    let folder = copy("nsqio-clean-rolled");
    let whole = dump(folder.path(), &[]);
    for name in [
        ".diskqueue.meta.dat",
        ".diskqueue.000000.dat",
        ".diskqueue.meta.writer.dat",
    ] {
        std::fs::write(folder.path().join(name), "x").expect("it can be written");
        let (code, mut lines, said) = dump(folder.path(), &[]);
        let others = of_kind(&lines, "other").len();
        lines.retain(|line| line["kind"] != "other");
        assert_eq!((code, lines, said), whole, "{name}");
        assert!(others > 0, "{name}");
    }
}

#[test]
fn a_segment_that_is_missing_is_told_from_one_that_is_damaged() {
    let folder = copy("youzan-rollback");
    let name = "topic-0.diskqueue.000001.dat";
    std::fs::remove_file(folder.path().join(name)).expect("it is there");
    let (code, lines, _) = dump(folder.path(), &[]);
    assert_eq!(code, 1);
    let gaps = of_kind(&lines, "gap");
    assert!(!gaps.is_empty());
    for gap in gaps {
        assert_eq!(gap["file"], name);
        assert_eq!(gap["why"], "missing");
    }
}

/// A directory may be larger than memory, and so may a file that is no good.
#[test]
fn a_file_of_a_terabyte_is_looked_at_like_any_other() {
    let folder = copy("youzan-rollback");
    let whole = dump(folder.path(), &[]);
    let grow = |name: &str| {
        let file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(folder.path().join(name))
            .expect("it can be made");
        file.set_len(1 << 40).expect("holes take no space");
    };
    grow("topic-0.diskqueue.000000.dat.bad");
    grow("topic-0.diskqueue.000000.sums");
    let (code, mut lines, said) = dump(folder.path(), &[]);
    assert_eq!(of_kind(&lines, "kept")[0]["size"], 1_u64 << 40);
    lines.retain(|line| line["kind"] != "kept");
    assert_eq!((code, lines, said), whole);
    grow("topic-0.diskqueue.meta.writer.dat");
    let (code, lines, said) = dump(folder.path(), &[]);
    assert_eq!((code, said.as_str()), (1, ""));
    assert_eq!(
        of_kind(&lines, "message").len(),
        of_kind(&whole.1, "message").len()
    );
    grow("offsets.json");
    let (code, lines, _) = dump(folder.path(), &[]);
    assert_eq!(code, 1);
    let errors = of_kind(&lines, "error");
    assert_eq!(errors[0]["why"], "it is larger than 268435456 bytes");
    assert_eq!(errors[0]["size"], 1_u64 << 40);
    assert_eq!(of_kind(&lines, "offsets")[0]["source"], "lost");
    let whole = r#"{"offsetTable":{}}"#;
    std::fs::write(folder.path().join("offsets.json.bak"), whole).expect("it can be written");
    let (_, lines, _) = dump(folder.path(), &[]);
    assert_eq!(of_kind(&lines, "offsets")[0]["source"], "backup");
}

#[test]
fn a_directory_of_a_client_shows_its_groups() {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let group = folder.path().join("client/group");
    std::fs::create_dir_all(&group).expect("it can be made");
    std::fs::write(group.join("offsets.json"), r#"{"offsetTable":{}}"#).expect("it is written");
    let (code, lines, said) = dump(folder.path(), &[]);
    assert_eq!((code, said.as_str()), (0, ""));
    assert_eq!(of_kind(&lines, "offsets")[0]["directory"], "client/group");
    let total = lines.last().expect("a line");
    assert_eq!(
        (&total["found"], &total["directories"]),
        (&json!(1), &json!(3))
    );
}
