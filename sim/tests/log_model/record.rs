//! The records of the segmented log's original, judged by the reference model: the original does
//! what the model allows, but for the rules below, each of which breaks a clause.

use crashline::fs::{RealFs, list_names};
use crashline_sim::scenario::Clause;
use crashline_sim::trace::{LogCall, LogTrace, judge_log};
use std::path::Path;

/// A way in which the original breaks the contract: in which operation, which clause, how it
/// shows, and why.
struct Rule {
    op: &'static str,
    clause: Clause,
    evidence: &'static str,
    why: &'static str,
}

const fn rule(op: &'static str, clause: Clause, evidence: &'static str, why: &'static str) -> Rule {
    Rule {
        op,
        clause,
        evidence,
        why,
    }
}

const FAILS: &str = "it fails where it must not";
const WRONG: &str = "it does what it must not";
const LOG: &str = "the log starts or ends elsewhere";
const DEPTH: &str = "reader _ tells a wrong depth, or waits wrongly";
const READER: &str = "reader _ stands elsewhere";

/// What the original does against the contract, as far as the records show it.
const RULES: &[Rule] = &[
    rule(
        "reopen",
        Clause::L12,
        DEPTH,
        "opened on a backlog it says that it waits",
    ),
    rule(
        "rollback",
        Clause::C4,
        LOG,
        "a refused one flushes and moves the read end",
    ),
    rule(
        "rollback",
        Clause::L3,
        FAILS,
        "it cannot take back across a roll",
    ),
    rule("reset_write_end", Clause::L3, WRONG, "it takes any count"),
    rule("try_fix_write_end", Clause::L4, WRONG, "it takes any count"),
    rule(
        "clean_old_data",
        Clause::L6,
        FAILS,
        "before the first roll it looks for a sidecar",
    ),
    rule("clean_old_data", Clause::L6, WRONG, "it asks no reader"),
    rule(
        "empty",
        Clause::L8,
        READER,
        "a reader stays below the start",
    ),
    rule(
        "reset_write_with_queue_start",
        Clause::L8,
        READER,
        "a reader stays where it was",
    ),
    rule(
        "skip_read_to_offset",
        Clause::L9,
        WRONG,
        "it lands within a message",
    ),
    rule(
        "reset_read_to_offset",
        Clause::L9,
        WRONG,
        "it lands within a message",
    ),
    rule("seek_to", Clause::L9, WRONG, "it takes any count"),
    rule("reset_seek_to", Clause::L9, WRONG, "it takes any count"),
    rule(
        "try_read_one",
        Clause::C12,
        "it delivers nothing",
        "its segment is gone",
    ),
    rule(
        "try_read_one",
        Clause::C12,
        "messages are passed",
        "it skips a segment that is gone",
    ),
];

/// The name of a step's operation.
fn name_of(call: &LogCall) -> String {
    let LogCall::Operation(op, _) = call else {
        return "reopen".to_owned();
    };
    let text = serde_json::to_string(op).expect("it is plain data");
    let (_, behind) = text.rsplit_once("\"op\":\"").expect("it is told by name");
    behind.chars().take_while(|one| *one != '"').collect()
}

#[test]
fn what_the_original_does_against_the_model_breaks_a_clause_that_is_known() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/traces/youzan");
    let mut used = vec![false; RULES.len()];
    let mut unknown = Vec::new();
    let (mut judged, mut whole) = (0, 0);
    for name in list_names(&RealFs, &folder).expect("the traces are in the tree") {
        let trace = LogTrace::load(&RealFs, &folder.join(&name)).expect("the trace is sound");
        let judgement = judge_log(&trace);
        judged += judgement.judged;
        whole += usize::from(judgement.judged == trace.steps.len());
        for one in &judgement.broken {
            let op = name_of(&trace.steps[one.step - 1].call);
            let evidence = one.evidence.replace("reader a", "reader _");
            let evidence = evidence.replace("reader b", "reader _");
            let found = RULES.iter().position(|rule| {
                (rule.op, rule.clause, rule.evidence) == (&op, one.clause, &evidence)
            });
            match found {
                Some(rule) => used[rule] = true,
                None => unknown.push(format!("{name:?} {op} {one:?}")),
            }
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
    for (rule, is_used) in RULES.iter().zip(used) {
        assert!(is_used, "{} {}: {}", rule.op, rule.clause, rule.why);
    }
    assert!(
        judged >= JUDGED && whole >= WHOLE,
        "{judged} steps, {whole} traces"
    );
}

/// So many steps were judged when this was written, and so many traces to their end.
const JUDGED: usize = 5261;
const WHOLE: usize = 60;
