//! The vectors of recovery: a dump of their files delivers what recovery must.
#![expect(
    clippy::disallowed_methods,
    reason = "these tests make the real directories that the command looks at"
)]

use super::support::{dump, of_kind};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// What a vector wants to be delivered.
fn wanted(vector: &Value) -> Option<Vec<Value>> {
    let allowed = &vector["allowed"];
    if let Some(bodies) = allowed["deliver_b64"].as_array() {
        return Some(bodies.clone());
    }
    let messages = allowed["messages"].as_array()?;
    let bodies = messages.iter().map(|one| one["message_b64"].clone());
    Some(bodies.collect())
}

/// Makes the files of a vector; whether all of them have names that are text.
fn lay_out(vector: &Value, folder: &Path) -> bool {
    let files = vector["files"].as_array().cloned().unwrap_or_default();
    files.iter().all(|file| {
        let Some(name) = file["name"].as_str() else {
            return false;
        };
        let path = folder.join(name);
        match file["data_b64"].as_str() {
            Some(text) => {
                let bytes = BASE64_STANDARD.decode(text).expect("it is base64");
                fs::write(path, bytes).expect("it can be written");
            }
            None => fs::create_dir(path).expect("it can be made"),
        }
        true
    })
}

#[test]
fn a_dump_delivers_what_the_vectors_of_recovery_want() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/vectors");
    let mut compared = 0;
    let mut wrong = Vec::new();
    for engine in ["diskqueue", "seglog"] {
        for entry in fs::read_dir(corpus.join(engine).join("recover")).expect("it is there") {
            let text = fs::read(entry.expect("an entry").path()).expect("it can be read");
            let vector: Value = serde_json::from_slice(&text).expect("JSON");
            let folder = tempfile::tempdir().expect("there is a place for temporary files");
            let Some(wanted) = wanted(&vector).filter(|_| lay_out(&vector, folder.path())) else {
                continue;
            };
            // Which of the two a vector means its boot tells, which a dump does not ask for.
            let is_told = ["kill", "power-cut"].iter().any(|assumed| {
                let lines = dump(folder.path(), &["--assume", assumed]).1;
                let mut messages = of_kind(&lines, "message");
                // There may be other queues in the directory.
                messages.retain(|line| {
                    let owner = line.get("queue").or(line.get("log"));
                    owner == Some(&vector["queue"])
                });
                messages.iter().map(|line| &line["data_b64"]).eq(&wanted)
            });
            compared += 1;
            if !is_told {
                wrong.push(vector["id"].to_string());
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(compared > 100, "{compared} were compared");
}
