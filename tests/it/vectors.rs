//! The corpus is what it says: every vector is in the index, says the same there, and what must
//! be delivered stands in its files.
#![expect(clippy::indexing_slicing, reason = "a wrong index is a failed test")]
#![expect(
    clippy::disallowed_methods,
    reason = "the corpus is read as a port would read it"
)]

use base64::{Engine, prelude::BASE64_STANDARD};
use crashline::diskqueue::{DiskQueue, Options};
use crashline_sim::simfs::{SimFs, TreeEntry};
use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/vectors")
}

fn read_json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).expect("the file can be read");
    serde_json::from_str(&text).expect("the file is JSON")
}

/// Every vector by its path below the folder, without its ending, sorted.
fn all() -> Vec<(String, Value)> {
    let mut found = Vec::new();
    let mut folders = vec![folder()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            let name = path.strip_prefix(folder()).expect("it is inside");
            let name = name.with_extension("").to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if name != "index" {
                found.push((name, read_json(&path)));
            }
        }
    }
    found.sort_by(|one, next| one.0.cmp(&next.0));
    found
}

fn bytes(value: &Value) -> Vec<u8> {
    let text = value.as_str().expect("bytes are base64 text");
    BASE64_STANDARD.decode(text).expect("the base64 is right")
}

#[test]
fn the_index_lists_every_vector_and_says_what_it_says() {
    let index = read_json(&folder().join("index.json"));
    let index = index.as_array().expect("the index is an array");
    let vectors = all();
    assert!(!vectors.is_empty());
    let names: Vec<&str> = vectors.iter().map(|(name, _)| name.as_str()).collect();
    let listed: Vec<&str> = index
        .iter()
        .filter_map(|entry| entry["name"].as_str())
        .collect();
    assert_eq!(listed, names);
    for ((name, vector), entry) in vectors.iter().zip(index) {
        assert_eq!(vector["id"], entry["name"], "{name}");
        for key in ["stage", "engine", "clauses", "about"] {
            assert_eq!(vector[key], entry[key], "{name}: {key}");
        }
    }
}

/// The bodies of all whole records in the segments of a vector, in the order of the files.
fn records(vector: &Value) -> Vec<Vec<u8>> {
    let mut bodies = Vec::new();
    for file in vector["files"].as_array().expect("there are files") {
        let name = file["name"].as_str().expect("a file has a name");
        if name.ends_with(".meta.dat") {
            continue;
        }
        let segment = bytes(&file["data_b64"]);
        let mut rest = segment.as_slice();
        while let Some((length, tail)) = rest.split_first_chunk::<4>() {
            let length = u32::from_be_bytes(*length) as usize;
            let Some((body, tail)) = tail.split_at_checked(length) else {
                break;
            };
            bodies.push(body.to_vec());
            rest = tail;
        }
    }
    bodies
}

#[test]
fn what_a_read_vector_wants_delivered_is_the_end_of_its_records() {
    for (name, vector) in all() {
        if vector["stage"] != "read" {
            continue;
        }
        let wanted = vector["allowed"]["deliver_b64"].as_array();
        let wanted: Vec<Vec<u8>> = wanted.expect("a list").iter().map(bytes).collect();
        let records = records(&vector);
        assert!(records.ends_with(&wanted), "{name}");
        if let Some(depth) = vector["allowed"]["depth"].as_u64() {
            assert_eq!(depth, wanted.len() as u64, "{name}");
        }
    }
}

/// The directory of a vector, on a simulated disk.
fn disk(vector: &Value) -> SimFs {
    let data = PathBuf::from("/data");
    let mut tree = vec![(data.clone(), TreeEntry::Directory)];
    for file in vector["files"].as_array().expect("there are files") {
        let name = file["name"].as_str().expect("a file has a name");
        let entry = TreeEntry::File(bytes(&file["data_b64"]));
        tree.push((data.join(name), entry));
    }
    SimFs::from_tree(&tree).expect("the tree can be made")
}

fn options(vector: &Value) -> Options {
    let number = |key: &str| vector["options"][key].as_u64().expect("a number");
    let size = |key: &str| u32::try_from(number(key)).expect("a size");
    Options {
        segment_bytes_max: number("segment_bytes_max"),
        message_bytes_min: size("message_bytes_min"),
        message_bytes_max: size("message_bytes_max"),
        sync_every: number("sync_every"),
        sync_timeout_ms: number("sync_timeout_ms"),
        ..Options::default()
    }
}

#[test]
fn our_engine_passes_every_read_vector() {
    for (name, vector) in all() {
        if vector["stage"] != "read" {
            continue;
        }
        let queue = vector["queue"].as_str().expect("a name");
        let fs = Arc::new(disk(&vector));
        let opened = DiskQueue::open(fs, Path::new("/data"), OsStr::new(queue), options(&vector));
        let opened = opened.expect("it opens");
        assert!(opened.losses.is_empty(), "{name}: {:?}", opened.losses);
        let mut queue = opened.queue;
        let depth = queue.depth().expect("it is open");
        let mut delivered = Vec::new();
        while let Some(message) = queue.read().expect("nothing is damaged") {
            delivered.push(message);
        }
        let allowed = &vector["allowed"];
        let wanted = allowed["deliver_b64"].as_array().expect("a list");
        let wanted: Vec<Vec<u8>> = wanted.iter().map(bytes).collect();
        let again_max = allowed["again_before_max"].as_u64().expect("a number");
        let again = delivered.len().saturating_sub(wanted.len()) as u64;
        assert!(again <= again_max, "{name}: {again} came again");
        assert!(delivered.ends_with(&wanted), "{name}");
        assert!(records(&vector).ends_with(&delivered), "{name}");
        assert_eq!(depth, delivered.len() as u64, "{name}");
        if let Some(expected) = allowed["depth"].as_u64() {
            assert_eq!(depth, expected, "{name}");
        }
    }
}
