//! Every JSON file of the corpus is as its schema says, and the schemas refuse what is unknown.

use crashline::fs::{RealFs, list_names, read_file};
use jsonschema::Validator;
use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A schema, and the files or folders that it is for.
const SCHEMAS: &[(&str, &[&str])] = &[
    ("vector", &["vectors/diskqueue"]),
    ("log-vector", &["vectors/seglog"]),
    ("store-vector", &["vectors/offsets"]),
    ("index", &["vectors/index.json"]),
    ("flags", &["vectors/flags.json"]),
    ("scenario", &["regressions", "findings", "quirks"]),
    ("litmus", &["litmus"]),
    ("power", &["power.json"]),
];

/// One trial for each schema.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials: Vec<Trial> = SCHEMAS
        .iter()
        .map(|(name, places)| {
            Trial::test(format!("schema::{name}"), || {
                holds(name, places).map_err(Failed::from)
            })
        })
        .collect();
    trials.push(Trial::test("schema::what_is_unknown_is_refused", || {
        unknown_is_refused().map_err(Failed::from)
    }));
    trials.push(Trial::test("schema::events", || {
        events_hold().map_err(Failed::from)
    }));
    trials.push(Trial::test("schema::every_json_file_has_one", || {
        every_file_has_one().map_err(Failed::from)
    }));
    trials
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus")
}

fn read_json(path: &Path) -> Result<Value, String> {
    let bytes = read_file(&RealFs, path, usize::MAX).map_err(|error| error.to_string())?;
    serde_json::from_slice(&bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// All JSON files at or below a place.
fn json_files(place: &Path) -> Result<Vec<PathBuf>, String> {
    if place.extension().is_some_and(|ending| ending == "json") {
        return Ok(vec![place.to_owned()]);
    }
    let Ok(names) = list_names(&RealFs, place) else {
        return Ok(Vec::new());
    };
    let mut files = Vec::new();
    for name in names {
        files.extend(json_files(&place.join(name))?);
    }
    Ok(files)
}

fn validator(name: &str) -> Result<Validator, String> {
    let schema = read_json(&corpus().join(format!("schema/{name}.json")))?;
    jsonschema::meta::validate(&schema).map_err(|error| format!("schema {name}: {error}"))?;
    jsonschema::validator_for(&schema).map_err(|error| format!("schema {name}: {error}"))
}

fn holds(name: &str, places: &[&str]) -> Result<(), String> {
    let validator = validator(name)?;
    let mut checked = 0;
    for place in places {
        for path in json_files(&corpus().join(place))? {
            let value = read_json(&path)?;
            if let Some(error) = validator.iter_errors(&value).next() {
                let at = error.instance_path.to_string();
                return Err(format!("{}: {at}: {error}", path.display()));
            }
            checked += 1;
        }
    }
    if checked == 0 {
        return Err(format!("no file is held to schema {name}"));
    }
    Ok(())
}

/// What checks print for programs: of one that passes, of one that fails, of a share of one, and of
/// one in which there is nothing to check.
fn events_hold() -> Result<(), String> {
    let validator = validator("events")?;
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let cases = "check --format json --engine toylog --profile strict-prefix --cases 9";
    for more in [
        "--seed 2",
        "--quirk toy-sync-does-nothing",
        "--shard 2/3",
        "--engine diskqueue --cases 40",
        "--time-limit 1s",
        "--cases 0",
    ] {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let output = Command::new(env!("CARGO_BIN_EXE_crashline"))
            .args(format!("{cases} {more}").split_whitespace())
            .current_dir(folder.path())
            .output()
            .map_err(|error| error.to_string())?;
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let event: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
            if let Some(error) = validator.iter_errors(&event).next() {
                return Err(format!("{more}: {error} in {line}"));
            }
            let mut pointers = Vec::new();
            objects(&event, "", &mut pointers);
            for pointer in pointers {
                refuses_one_more(&validator, &event, &pointer)?;
            }
            let kind = event.get("event").and_then(Value::as_str);
            seen.extend(kind.map(str::to_owned));
        }
    }
    match seen.len() {
        3 => Ok(()),
        _ => Err(format!("only {seen:?} were seen")),
    }
}

fn refuses_one_more(validator: &Validator, value: &Value, pointer: &str) -> Result<(), String> {
    let mut changed = value.clone();
    let object = changed
        .pointer_mut(pointer)
        .and_then(Value::as_object_mut)
        .ok_or("the pointer was just found")?;
    object.insert("unknown field".to_owned(), json!([1]));
    match validator.is_valid(&changed) {
        true => Err(format!("a field more at `{pointer}`")),
        false => Ok(()),
    }
}

/// Puts one more field into every object of every file, one after the other.
fn unknown_is_refused() -> Result<(), String> {
    for (name, places) in SCHEMAS {
        let validator = validator(name)?;
        let files = json_files(&corpus().join(places.first().ok_or("a schema is for something")?))?;
        // Some of every kind: they stand in the order of their stages.
        let apart = (files.len() / 12).max(1);
        for path in files.iter().step_by(apart) {
            let value = read_json(path)?;
            let mut pointers = Vec::new();
            objects(&value, "", &mut pointers);
            for pointer in pointers {
                refuses_one_more(&validator, &value, &pointer)
                    .map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
    }
    Ok(())
}

fn objects(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            found.push(pointer.to_owned());
            for (name, value) in fields {
                objects(value, &format!("{pointer}/{name}"), found);
            }
        }
        Value::Array(elements) => {
            for (index, value) in elements.iter().enumerate() {
                objects(value, &format!("{pointer}/{index}"), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn every_file_has_one() -> Result<(), String> {
    let places = SCHEMAS.iter().flat_map(|(_, places)| *places);
    let places: Vec<PathBuf> = places.map(|place| corpus().join(place)).collect();
    for path in json_files(&corpus())? {
        let is_schema = path.starts_with(corpus().join("schema"));
        if !is_schema && !places.iter().any(|place| path.starts_with(place)) {
            return Err(format!("{} has no schema", path.display()));
        }
    }
    Ok(())
}
