//! `list`: what there is, as a table or as one JSON array of objects with a `name`.

use super::Exit;
use super::args::{Format, ListArguments, Listed};
use super::failure::Failure;
use super::output::Output;
use crate::report::{clause_text, columns, vectors};
use crate::scenario::CLAUSES;
use serde_json::{Value, json};

/// A table and the same as JSON.
struct Listing {
    headings: Vec<&'static str>,
    rows: Vec<Vec<String>>,
    values: Vec<Value>,
}

/// Runs the command.
pub(super) fn list(arguments: &ListArguments, output: &mut Output) -> Result<Exit, Failure> {
    let listing = match arguments.what {
        Listed::Clauses => clauses(),
        Listed::Vectors => corpus(),
    };
    match arguments.format {
        Format::Text => output.lines(&columns(&listing.headings, &listing.rows))?,
        Format::Json => output.line(&Value::Array(listing.values).to_string())?,
    }
    Ok(Exit::Pass)
}

fn clauses() -> Listing {
    let mut rows = Vec::new();
    let mut values = Vec::new();
    for info in CLAUSES {
        let text = clause_text(info.clause);
        rows.push(vec![
            info.id.to_owned(),
            info.name.to_owned(),
            text.section.to_owned(),
        ]);
        values.push(json!({
            "name": info.id,
            "title": info.name,
            "section": text.section,
            "text": text.paragraphs.join("\n\n"),
        }));
    }
    Listing {
        headings: vec!["clause", "name", "section"],
        rows,
        values,
    }
}

fn corpus() -> Listing {
    let mut rows = Vec::new();
    let mut values = Vec::new();
    for vector in vectors() {
        values.push(json!({
            "name": vector.name,
            "stage": vector.stage,
            "engine": vector.engine,
            "clauses": vector.clauses,
            "about": vector.about,
        }));
        rows.push(vec![vector.name, vector.stage, vector.about]);
    }
    Listing {
        headings: vec!["vector", "stage", "what it shows"],
        rows,
        values,
    }
}
