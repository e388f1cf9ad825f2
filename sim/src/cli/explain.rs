//! `explain`: what a clause of the contract says, or what a name of one of the lists means.

use super::Exit;
use super::args::ExplainArguments;
use super::failure::Failure;
use super::known::{Known, known};
use super::output::Output;
use crate::fault::KINDS;
use crate::report::{Ink, WIDTH, clause_text, vectors, wrapped};
use crate::scenario::{CLAUSES, Clause};

/// A title, what kind of thing it is, and paragraphs.
struct Explained {
    title: String,
    kind: String,
    paragraphs: Vec<String>,
}

/// Runs the command.
pub(super) fn explain(arguments: &ExplainArguments, output: &mut Output) -> Result<Exit, Failure> {
    let known = known();
    let id = arguments.id.as_str();
    let explained = clause(id)
        .or_else(|| quirk(id, &known))
        .or_else(|| profile(id, &known))
        .or_else(|| engine(id, &known))
        .or_else(|| fault(id))
        .or_else(|| vector(id));
    let Some(explained) = explained else {
        let ids: Vec<&str> = CLAUSES.iter().map(|info| info.id).collect();
        return Err(Failure::unknown_name("clause", "clauses", id, &ids));
    };
    let title = output.paint.ink(Ink::Strong, &explained.title);
    output.line(&format!("{title} ({})", explained.kind))?;
    for paragraph in &explained.paragraphs {
        output.line("")?;
        output.lines(&wrapped(paragraph, WIDTH))?;
    }
    Ok(Exit::Pass)
}

fn clause(id: &str) -> Option<Explained> {
    let clause: Clause = id.parse().ok()?;
    let text = clause_text(clause);
    let info = clause.info();
    Some(Explained {
        title: format!("{} {}", info.id, info.name),
        kind: text.section.to_owned(),
        paragraphs: text.paragraphs,
    })
}

fn quirk(id: &str, known: &Known) -> Option<Explained> {
    let quirk = known.quirks.iter().find(|quirk| quirk.name == id)?;
    let clause = clause(&quirk.clause)?;
    let mut paragraphs = vec![
        format!("With this defect, {}.", quirk.text),
        format!("Where it comes from: {}.", quirk.source),
        format!("It breaks {}:", clause.title),
    ];
    paragraphs.extend(clause.paragraphs);
    Some(Explained {
        title: quirk.name.clone(),
        kind: format!("{} of {}", quirk.kind.word(), quirk.engine),
        paragraphs,
    })
}

fn profile(id: &str, known: &Known) -> Option<Explained> {
    let profile = known.profiles.iter().find(|profile| profile.name == id)?;
    let asked = format!("What an engine is held to on it: {}.", profile.asked);
    Some(Explained {
        title: profile.name.clone(),
        kind: "disk profile".to_owned(),
        paragraphs: vec![profile.text.clone(), asked],
    })
}

fn engine(id: &str, known: &Known) -> Option<Explained> {
    let engine = known.engines.iter().find(|engine| engine.name == id)?;
    Some(Explained {
        title: engine.name.clone(),
        kind: "engine".to_owned(),
        paragraphs: vec![engine.text.clone()],
    })
}

fn fault(id: &str) -> Option<Explained> {
    let kind = KINDS.iter().find(|kind| kind.name == id)?;
    Some(Explained {
        title: kind.name.to_owned(),
        kind: "fault".to_owned(),
        paragraphs: vec![
            format!("What happens: {}.", kind.text),
            format!("A line that asks for it: {}", kind.example),
        ],
    })
}

fn vector(id: &str) -> Option<Explained> {
    let vector = vectors().into_iter().find(|vector| vector.name == id)?;
    let tests = format!("It tests {}.", vector.clauses.join(", "));
    Some(Explained {
        title: vector.name,
        kind: format!("vector of {}, stage {}", vector.engine, vector.stage),
        paragraphs: vec![vector.about, tests],
    })
}
