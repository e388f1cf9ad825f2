//! One direction of knowledge: a module of `sim` names only lower layers, and judges share
//! nothing with what they judge.

use super::tree::{SourceFile, has_word};

/// The layers of `sim/src`, lowest first; modules of one layer do not name each other.
const LAYERS: &[&[&str]] = &[
    &["scenario"],
    &["generate", "simfs"],
    &["crash", "fault", "model"],
    &["oracle", "subject", "originals"],
    &["orders", "replication"],
    &["explore"],
    &["shrink", "report", "trace", "vectors"],
    &["findings"],
    &["cli"],
];

/// What a layer may name of its own layer all the same, and why.
const WITHIN_A_LAYER: &[(&str, &str)] = &[
    // The twins stand on the same trait as the engines.
    ("originals", "subject"),
];

/// Words that only those who know of queues use.
const QUEUE_WORDS: &[&str] = &["queue", "diskqueue", "seglog", "offsets", "toylog"];

/// A module names only lower layers.
pub(super) fn modules_name_only_lower_layers(file: &SourceFile) -> Vec<String> {
    let Some(own) = module_of(&file.path) else {
        return Vec::new();
    };
    let Some(own_layer) = layer_of(own) else {
        return vec![format!("module `{own}` has no layer; give it one")];
    };
    let mut complaints = Vec::new();
    for (number, code) in file.code() {
        for other in named_modules(code) {
            let lower = layer_of(other).is_some_and(|layer| layer < own_layer);
            let allowed = WITHIN_A_LAYER.contains(&(own, other));
            if other != own && !lower && !allowed {
                complaints.push(format!("line {number}: `{own}` names `{other}`"));
            }
        }
    }
    complaints
}

/// A helper shared with what is judged would share its defects.
pub(super) fn model_and_oracle_share_nothing_with_engines(file: &SourceFile) -> Vec<String> {
    let Some(own @ ("model" | "oracle")) = module_of(&file.path) else {
        return Vec::new();
    };
    let code = file.code();
    code.filter(|(_, code)| has_word(code, "crashline"))
        .map(|(number, _)| format!("line {number}: `{own}` names the engines' crate"))
        .collect()
}

/// The simulated disk could test any program that uses files.
pub(super) fn the_disk_knows_nothing_of_queues(file: &SourceFile) -> Vec<String> {
    let Some(own @ ("simfs" | "crash" | "fault")) = module_of(&file.path) else {
        return Vec::new();
    };
    let mut complaints = Vec::new();
    for (number, code) in file.code() {
        let code = code.to_ascii_lowercase();
        let known = QUEUE_WORDS.iter().find(|word| has_word(&code, word));
        complaints.extend(known.map(|word| format!("line {number}: `{own}` knows of `{word}`")));
    }
    complaints
}

/// The module of `sim/src` that a file belongs to; none for the crate's root.
fn module_of(path: &str) -> Option<&str> {
    let inside = path.strip_prefix("sim/src/")?;
    let module = inside.split('/').next()?;
    let module = module.strip_suffix(".rs").unwrap_or(module);
    (!matches!(module, "lib" | "main")).then_some(module)
}

fn layer_of(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// The modules that a line names behind `crate::`, one or a list in braces.
fn named_modules(code: &str) -> Vec<&str> {
    let mut modules = Vec::new();
    for (start, found) in code.match_indices("crate::") {
        let rest = code.get(start + found.len()..).unwrap_or_default();
        let list = rest.strip_prefix('{').unwrap_or(rest);
        let several = list.len() < rest.len();
        for part in list.split(',').take(if several { usize::MAX } else { 1 }) {
            let name = part
                .trim()
                .split(|one: char| !one.is_alphanumeric() && one != '_')
                .next();
            modules.extend(name.filter(|name| layer_of(name).is_some()));
        }
    }
    modules
}

#[test]
fn naming_a_higher_layer_is_seen() {
    let example = SourceFile::example("sim/src/simfs/core.rs", "use crate::explore::Row;\n");
    assert_eq!(
        modules_name_only_lower_layers(&example),
        ["line 1: `simfs` names `explore`"]
    );
    let list = SourceFile::example(
        "sim/src/oracle/a.rs",
        "use crate::{scenario::A, subject::B};",
    );
    assert_eq!(
        modules_name_only_lower_layers(&list),
        ["line 1: `oracle` names `subject`"]
    );
}

#[test]
fn naming_a_lower_layer_or_itself_is_fine() {
    let text = "use crate::scenario::Clause;\nuse crate::cli::Exit;\nuse crate::explore::Row;\n";
    let example = SourceFile::example("sim/src/cli/check.rs", text);
    assert!(modules_name_only_lower_layers(&example).is_empty());
}

#[test]
fn a_module_without_a_layer_is_seen() {
    let example = SourceFile::example("sim/src/helpers.rs", "");
    assert_eq!(modules_name_only_lower_layers(&example).len(), 1);
}

#[test]
fn a_judge_that_names_an_engine_is_seen() {
    let text = "//! Like crashline::diskqueue.\nuse crashline::diskqueue::frame;\n";
    let example = SourceFile::example("sim/src/model/fifo.rs", text);
    let complaints = model_and_oracle_share_nothing_with_engines(&example);
    assert_eq!(complaints, ["line 2: `model` names the engines' crate"]);
}

#[test]
fn a_disk_that_knows_queues_is_seen() {
    let example = SourceFile::example("sim/src/crash/walk.rs", "let name = \"q.diskqueue.dat\";\n");
    assert_eq!(the_disk_knows_nothing_of_queues(&example).len(), 1);
}
