//! Both dialects: what is encoded comes back, places of errors are right, and no bytes make the
//! parser panic, or believe what a note does not vouch for.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::support::{fixtures, queue, table};
use crashline::offsets::format::{Document, Layout, Noted, encode, parse};
use crashline::offsets::{Dialect, MessageQueue, Table};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

const FORMS: [(Dialect, Layout); 4] = [
    (Dialect::Go, Layout::Plain),
    (Dialect::Go, Layout::Indented),
    (Dialect::Java, Layout::Plain),
    (Dialect::Java, Layout::Indented),
];

fn any_table() -> impl Strategy<Value = Table> {
    let offset = prop_oneof![
        Just(0),
        Just(-1),
        Just(i64::MAX),
        Just(i64::MIN),
        any::<i64>()
    ];
    let text = prop_oneof!["[a-c]{0,2}", any::<String>()];
    let key = (text.clone(), text, any::<i32>())
        .prop_map(|(topic, broker, queue_id)| MessageQueue::new(topic, broker, queue_id));
    btree_map(key, offset, 0..8)
}

proptest! {
    #[test]
    fn what_is_encoded_comes_back(table in any_table()) {
        for (dialect, layout) in FORMS {
            for noted in [Noted::Yes, Noted::No] {
                let bytes = encode(&table, dialect, layout, noted);
                let expected = Document {
                    table: table.clone(),
                    dialect: (!table.is_empty()).then_some(dialect),
                    noted: noted == Noted::Yes,
                };
                prop_assert_eq!(parse(&bytes), Ok(expected));
            }
        }
    }

    #[test]
    fn a_file_of_the_go_client_is_json(table in any_table()) {
        let bytes = encode(&table, Dialect::Go, Layout::Plain, Noted::Yes);
        let file: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        let entries = file["offsetTable"].as_object().unwrap();
        prop_assert_eq!(entries.len(), table.len());
        for (key, offset) in entries {
            let key: serde_json::Value = serde_json::from_str(key).unwrap();
            let id = i32::try_from(key["queueId"].as_i64().unwrap()).unwrap();
            let (topic, broker) = (key["topic"].as_str().unwrap(), key["brokerName"].as_str());
            let queue = MessageQueue::new(topic, broker.unwrap(), id);
            prop_assert_eq!(table.get(&queue).copied(), offset.as_i64());
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in vec(any::<u8>(), 0..200)) {
        drop(parse(&bytes));
    }

    #[test]
    fn no_text_of_its_signs_makes_it_panic(
        text in r#"\{("offsetTable":)?[{}:,"\\u0-9a-f\[\] -]{0,60}\}?"#
    ) {
        drop(parse(text.as_bytes()));
    }

    #[test]
    fn no_flip_is_believed_that_a_note_sees(table in any_table(), at in any::<usize>()) {
        for (dialect, layout) in FORMS {
            let mut bytes = encode(&table, dialect, layout, Noted::Yes);
            let bit = at % (bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
            prop_assert!(parse(&bytes).is_err(), "bit {}", bit);
        }
    }
}

#[test]
fn every_fixture_is_read_and_written_back() {
    for fixture in fixtures() {
        let title = &fixture.title;
        let document = parse(&fixture.bytes).unwrap();
        assert_eq!(document.table, fixture.table, "{title}");
        assert_eq!(document.dialect, Some(fixture.dialect), "{title}");
        assert!(!document.noted, "{title}");
        let layout = match fixture.bytes.contains(&b'\n') {
            true => Layout::Indented,
            false => Layout::Plain,
        };
        let written = encode(&fixture.table, fixture.dialect, layout, Noted::No);
        let entries = |bytes: &[u8]| entries_of(bytes, fixture.dialect);
        assert_eq!(entries(&written), entries(&fixture.bytes), "{title}");
    }
}

/// What stands around the entries, and the entries in one order: the originals' is random.
fn entries_of(bytes: &[u8], dialect: Dialect) -> (String, Vec<String>) {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let (head, rest) = text.split_at(text.find(":{").unwrap() + 2);
    let end = rest.rfind(|one: char| one.is_ascii_digit()).unwrap() + 1;
    let (entries, tail) = rest.split_at(end);
    let border = match dialect {
        Dialect::Go => ",\"{",
        Dialect::Java => ",{",
    };
    let mut entries: Vec<String> = entries
        .split(border)
        .map(|entry| entry.trim_start_matches(['"', '{']).to_owned())
        .collect();
    entries.sort();
    (format!("{head}...{tail}"), entries)
}

#[test]
fn every_damage_of_a_fixture_is_an_error_or_another_file() {
    for fixture in fixtures() {
        let title = &fixture.title;
        for size in 0..fixture.bytes.len() {
            assert!(
                parse(&fixture.bytes[..size]).is_err(),
                "{title} cut at {size}"
            );
            let mut bytes = fixture.bytes.clone();
            bytes[size..].fill(0);
            assert!(parse(&bytes).is_err(), "{title} zeroed from {size}");
            for bit in 0..8 {
                let mut bytes = fixture.bytes.clone();
                bytes[size] ^= 1 << bit;
                // Without a note a changed name or digit cannot be seen; no queue may be lost.
                if let Ok(document) = parse(&bytes) {
                    let count = document.table.len();
                    assert_eq!(count, fixture.table.len(), "{title} bit {bit} of {size}");
                }
            }
        }
    }
}

#[test]
fn every_damage_of_a_noted_fixture_is_an_error() {
    for fixture in fixtures() {
        let title = &fixture.title;
        let layout = Layout::Indented;
        let bytes = encode(&fixture.table, fixture.dialect, layout, Noted::Yes);
        assert_eq!(parse(&bytes).unwrap().table, fixture.table, "{title}");
        for at in 0..bytes.len() {
            assert!(parse(&bytes[..at]).is_err(), "{title} cut at {at}");
            for change in [0, 0xff, bytes[at] ^ 1, bytes[at] ^ 0x20] {
                let mut damaged = bytes.clone();
                damaged[at] = change;
                assert!(
                    change == bytes[at] || parse(&damaged).is_err(),
                    "{title} {at}"
                );
            }
        }
    }
}

#[test]
fn these_are_the_bytes_of_a_file() {
    let table = table(&[(1, 7), (0, 3)]);
    let go = |noted| encode(&table, Dialect::Go, Layout::Plain, noted);
    let bare = concat!(
        r#"{"offsetTable":{"{\"topic\":\"orders\",\"brokerName\":\"broker-a\",\"queueId\":0}":3,"#,
        r#""{\"topic\":\"orders\",\"brokerName\":\"broker-a\",\"queueId\":1}":7}}"#,
    );
    assert_eq!(go(Noted::No), bare.as_bytes());
    let before = format!("{},\"note\":\"crashline 1 ", &bare[..bare.len() - 1]);
    let sum = crc32c(before.as_bytes());
    assert_eq!(go(Noted::Yes), format!("{before}{sum:08x}\"}}").as_bytes());
    let empty = encode(&Table::new(), Dialect::Java, Layout::Indented, Noted::No);
    assert_eq!(empty, b"{\n\t\"offsetTable\":{}\n}");
}

/// Bit by bit, so that the engine's own sum is checked by another one.
fn crc32c(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 {
                sum >> 1 ^ 0x82f6_3b78
            } else {
                sum >> 1
            };
        }
    }
    !sum
}

#[test]
fn escapes_are_those_of_each_client() {
    let queue = MessageQueue::new("<\u{1}\u{8}\u{7f}\u{2028}\"\\", "\n", -1);
    let table = Table::from([(queue, 1)]);
    let text =
        |dialect| String::from_utf8(encode(&table, dialect, Layout::Plain, Noted::No)).unwrap();
    let java = concat!(
        r#"{"offsetTable":{{"brokerName":"\n","queueId":-1,"#,
        r#""topic":"<\u0001\b\u007F\u2028\"\\"}:1}}"#,
    );
    assert_eq!(text(Dialect::Java), java);
    let go = concat!(
        r#"{"offsetTable":{"{\"topic\":\"\\u003c\\u0001\\u0008"#,
        "\u{7f}",
        r#"\\u2028\\\"\\\\\",\"brokerName\":\"\\n\",\"queueId\":-1}":1}}"#,
    );
    assert_eq!(text(Dialect::Go), go);
}

#[test]
fn white_space_order_and_other_fields_do_not_matter() {
    let text = r#" { "version" : [ 1, {"a": null}, "]" ], "offsetTable" :
        { {"queueId":0 , "topic":"\u006frders", "brokerName":"broker-a"} : 3 ,
        "{ \"queueId\": 1, \"topic\":\"orders\", \"brokerName\":\"broker-a\"}":-0 } }
        "#;
    let document = parse(text.as_bytes()).unwrap();
    assert_eq!(document.table, table(&[(0, 3), (1, 0)]));
    assert_eq!(document.dialect, Some(Dialect::Java));
    let pair = r#"{"offsetTable":{{"topic":"\ud83d\ude00","brokerName":"","queueId":0}:1}}"#;
    let document = parse(pair.as_bytes()).unwrap();
    assert!(
        document
            .table
            .contains_key(&MessageQueue::new("\u{1f600}", "", 0))
    );
}

#[test]
fn errors_name_their_place() {
    let key = r#"{"topic":"t","brokerName":"b","queueId":0}"#;
    let in_table = |entries: &str| format!("{{\n\"offsetTable\":{{{entries}}}}}");
    let deep = "[".repeat(100_000);
    for (text, expected) in [
        (String::new(), "an object is missing at line 1, column 1"),
        ("{}".to_owned(), "there is no table at line 1, column 3"),
        (
            in_table("") + "}",
            "bytes follow the object at line 2, column 18",
        ),
        (
            "{\"offsetTable\":null}".to_owned(),
            "the table is no object at line 1, column 16",
        ),
        (
            in_table("\"x\":1"),
            "a key is no object at line 2, column 16",
        ),
        (
            in_table(&format!("{key}:1.5")),
            "a number is not whole at line 2, column 59",
        ),
        (
            in_table(&format!("{key}:07")),
            "a number begins with a zero at line 2, column 59",
        ),
        (
            in_table(&format!("{key}:1,{key}:2")),
            "a queue appears twice at line 2, column 61",
        ),
        (
            in_table("{\"topic\":\"t\"}:1"),
            "a key lacks a field at line 2, column 29",
        ),
        (
            in_table("{\"bad\":7}:1"),
            "a key has an unknown field at line 2, column 17",
        ),
        (
            format!("{{\"x\":{deep}}}"),
            "a value is nested too deep at line 1, column 70",
        ),
        (
            in_table(&format!("{key}:9223372036854775808")),
            "a number does not fit 64 bits at line 2, column 59",
        ),
        (
            in_table("{\"topic\":\"\\ud800\"}:1"),
            "an escape stands for no character at line 2, column 26",
        ),
    ] {
        let error = parse(text.as_bytes()).unwrap_err().to_string();
        let place = format!("{expected} (byte ");
        assert!(error.starts_with(&place), "{error}, not {expected}");
    }
    assert!(parse(b"{\"offsetTable\":{},\"x\":\"\xff\"}").is_err());
}

#[test]
fn a_long_file_takes_its_bytes_times_a_little() {
    let table: Table = (0..20_000)
        .map(|number| (queue(number), i64::from(number)))
        .collect();
    let bytes = encode(&table, Dialect::Go, Layout::Plain, Noted::Yes);
    assert_eq!(parse(&bytes).unwrap().table.len(), 20_000);
    // Nothing of this ends: what is nested or escaped is gone through once.
    for piece in [
        "{\"",
        "{",
        "\\\\",
        "\"{\\\"",
        "[[[]],",
        "{\"offsetTable\":{{",
    ] {
        assert!(parse(piece.repeat(200_000).as_bytes()).is_err());
    }
}
