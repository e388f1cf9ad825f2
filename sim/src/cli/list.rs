//! `list`: what there is, as a table or as one JSON array of objects with a `name`.

use super::Exit;
use super::args::{Format, ListArguments, Listed};
use super::evidence::Evidence;
use super::failure::Failure;
use super::known::{Known, known};
use super::output::Output;
use crate::fault::KINDS;
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
        Listed::Clauses => clauses(&known()),
        Listed::Profiles => profiles(&known()),
        Listed::Quirks => quirks(&known()),
        Listed::Faults => faults(),
        Listed::Vectors => corpus(),
        Listed::Engines => engines(&known()),
    };
    match arguments.format {
        Format::Text => output.lines(&columns(&listing.headings, &listing.rows))?,
        Format::Json => output.line(&Value::Array(listing.values).to_string())?,
    }
    Ok(Exit::Pass)
}

fn clauses(known: &Known) -> Listing {
    let evidence = Evidence::of(known, vectors());
    let mut rows = Vec::new();
    let mut values = Vec::new();
    for info in CLAUSES {
        let text = clause_text(info.clause);
        let of_clause = evidence.for_clause(info.clause);
        let [broken_by, vectors, seen] = of_clause.cells();
        rows.push(vec![
            info.id.to_owned(),
            info.name.to_owned(),
            broken_by,
            vectors,
            seen,
        ]);
        values.push(json!({
            "name": info.id,
            "title": info.name,
            "section": text.section,
            "evidence": of_clause.json(),
            "text": text.paragraphs.join("\n\n"),
        }));
    }
    Listing {
        headings: vec![
            "clause",
            "name",
            "broken by",
            ">vectors",
            "last found after",
        ],
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

fn profiles(known: &Known) -> Listing {
    let mut rows = Vec::new();
    let mut values = Vec::new();
    for profile in &known.profiles {
        let part_of = match (profile.by_default, profile.honest) {
            (true, _) => "every check",
            (false, true) => "--full",
            (false, false) => "by name only",
        };
        rows.push(vec![
            profile.name.clone(),
            part_of.to_owned(),
            format!("{} Asked of an engine: {}.", profile.text, profile.asked),
        ]);
        values.push(json!({
            "name": profile.name,
            "default": profile.by_default,
            "honest": profile.honest,
            "asked": profile.asked,
            "text": profile.text,
        }));
    }
    Listing {
        headings: vec![
            "profile",
            "part of",
            "what the disk may do, and what is asked on it",
        ],
        rows,
        values,
    }
}

fn quirks(known: &Known) -> Listing {
    let mut rows = Vec::new();
    let mut values = Vec::new();
    for quirk in &known.quirks {
        rows.push(vec![
            quirk.name.clone(),
            quirk.kind.word().to_owned(),
            quirk.clause.clone(),
            quirk.engine.clone(),
            format!("{} [{}]", quirk.text, quirk.source),
        ]);
        values.push(json!({
            "name": quirk.name,
            "kind": quirk.kind.word(),
            "clause": quirk.clause,
            "engine": quirk.engine,
            "source": quirk.source,
            "text": quirk.text,
        }));
    }
    Listing {
        headings: vec!["quirk", "kind", "clause", "engine", "what it does [source]"],
        rows,
        values,
    }
}

fn engines(known: &Known) -> Listing {
    let mut rows = Vec::new();
    let mut values = Vec::new();
    for engine in &known.engines {
        let part_of = if engine.by_default {
            "every check"
        } else {
            "by name only"
        };
        rows.push(vec![
            engine.name.clone(),
            part_of.to_owned(),
            engine.text.clone(),
        ]);
        values.push(json!({
            "name": engine.name,
            "default": engine.by_default,
            "text": engine.text,
        }));
    }
    Listing {
        headings: vec!["engine", "part of", "what it is"],
        rows,
        values,
    }
}

fn faults() -> Listing {
    let mut rows = Vec::new();
    let mut values = Vec::new();
    for kind in KINDS {
        let told = format!("{}; `{}`", kind.text, kind.example);
        rows.push(vec![kind.name.to_owned(), told]);
        values.push(json!({
            "name": kind.name,
            "text": kind.text,
            "example": kind.example,
        }));
    }
    Listing {
        headings: vec![
            "fault",
            "what happens, and a line of a plan that asks for it",
        ],
        rows,
        values,
    }
}
