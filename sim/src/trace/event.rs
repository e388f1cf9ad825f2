//! The answers on one file as one JSON object, and as what a table shows.

use super::answer::Answers;
use super::engine::EngineAnswer;
use super::error::TraceError;
use super::record::Broken;
use serde_json::{Value, json};

/// What became of one file.
pub type FileAnswer = Result<Answers, TraceError>;

/// The event of one file, its key `event` being `trace`. What is not known is `unknown`.
#[must_use]
pub fn event(file: &str, answer: &FileAnswer) -> Value {
    let unknown = || json!("unknown");
    let answers = match answer {
        Ok(answers) => answers,
        Err(error) => {
            return json!({
                "event": "trace", "file": file, "error": error.to_string(),
                "twin": unknown(), "broken": unknown(), "engine": unknown(),
            });
        }
    };
    let broken = answers.broken.as_deref();
    let mut event = json!({
        "event": "trace",
        "file": file,
        "twin": "same",
        "broken": broken.map_or_else(unknown, broken_value),
        "engine": answers.engine.as_ref().map_or_else(unknown, engine_value),
    });
    if let (Err(difference), Some(event)) = (&answers.twin, event.as_object_mut()) {
        event.insert("twin".to_owned(), json!(difference.step));
        event.insert("difference".to_owned(), json!(difference.text));
    }
    if let (Some(step), Some(event)) = (answers.broken_until, event.as_object_mut()) {
        event.insert("broken_until".to_owned(), json!(step));
    }
    event
}

fn broken_value(broken: &[Broken]) -> Value {
    let one = |broken: &Broken| {
        json!({
            "clause": broken.clause, "step": broken.step, "evidence": broken.evidence,
        })
    };
    broken.iter().map(one).collect()
}

fn engine_value(engine: &EngineAnswer) -> Value {
    let divergences: Value = engine
        .divergences
        .iter()
        .map(|one| json!({"step": one.step, "clause": one.clause, "text": one.text}))
        .collect();
    let mut value = json!({
        "same_until": engine.same_until,
        "divergences": divergences,
        "violations": broken_value(&engine.violations),
    });
    if let (Some((step, text)), Some(value)) = (&engine.difference, value.as_object_mut()) {
        value.insert("difference".to_owned(), json!({"step": step, "text": text}));
    }
    value
}

/// The three answers in a few words each.
#[must_use]
pub fn in_words(answers: &Answers) -> [String; 3] {
    let twin = match &answers.twin {
        Ok(()) => format!("same in {} steps", answers.step_count),
        Err(difference) => format!("differs at step {}", difference.step),
    };
    let unknown = || "unknown".to_owned();
    let mut broken = match answers.broken.as_deref() {
        None => unknown(),
        Some([]) => "keeps the contract".to_owned(),
        Some(broken) => format!("breaks {}", by_clause(broken)),
    };
    if let Some(step) = answers.broken_until {
        broken.push_str(&format!(", unknown behind {step}"));
    }
    let engine = answers.engine.as_ref().map_or_else(unknown, engine_words);
    [twin, broken, engine]
}

/// Clauses with the steps that broke them: `Q5 at 3, 8; Q8 at 5`.
fn by_clause(broken: &[Broken]) -> String {
    let mut clauses: Vec<_> = broken.iter().map(|one| one.clause).collect();
    clauses.sort_unstable();
    clauses.dedup();
    let told = clauses.into_iter().map(|clause| {
        let steps: Vec<String> = broken
            .iter()
            .filter(|one| one.clause == clause)
            .map(|one| one.step.to_string())
            .collect();
        format!("{clause} at {}", steps.join(", "))
    });
    told.collect::<Vec<_>>().join("; ")
}

fn engine_words(engine: &EngineAnswer) -> String {
    let mut words = format!("same until {}", engine.same_until);
    for one in &engine.divergences {
        words.push_str(&format!(", then free by {}", one.clause));
    }
    if let Some((step, _)) = &engine.difference {
        words.push_str(&format!(", differs at step {step}"));
    }
    if !engine.violations.is_empty() {
        words.push_str(&format!(", breaks {}", by_clause(&engine.violations)));
    }
    words
}

/// What a person needs to know beyond the few words: one sentence for each difference and each
/// violation of ours.
#[must_use]
pub fn details(answers: &Answers) -> Vec<String> {
    let mut details = Vec::new();
    if let Err(difference) = &answers.twin {
        details.push(format!(
            "twin, step {}: {}",
            difference.step, difference.text
        ));
    }
    if let Some(engine) = &answers.engine {
        if let Some((step, text)) = &engine.difference {
            details.push(format!("engine, step {step}: {text}"));
        }
        for one in &engine.violations {
            details.push(format!(
                "engine, step {}: {} {}",
                one.step, one.clause, one.evidence
            ));
        }
    }
    details
}
