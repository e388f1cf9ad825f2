//! The page `corpus/findings.md`: for each original what it kept, and every way in which it breaks
//! the contract.

use super::key::Key;
use super::option_words::option_words;
use super::reports::known_as;
use super::shortest::Finding;
use super::trial::Trial;
use crate::explore::{Entry, Found};
use crate::report::thousands;
use crate::scenario::{CrashChoice, CrashKind};
use std::fmt::Write;

/// The page, and the replay files that it names, each with its path beside the page.
#[must_use]
pub fn page(trials: &[Trial]) -> (String, Vec<(String, String)>) {
    let mut text = String::from(HEAD);
    let mut files = Vec::new();
    for trial in trials {
        chapter(trial, &mut text);
        for finding in &trial.findings {
            let found = &finding.found;
            let name = file_name(&trial.survey.engine, &finding.key);
            files.push((name, found.scenario.to_text()));
        }
    }
    // Names that clients chose may have any letters.
    let plain = text.chars().map(|letter| match letter.is_ascii() {
        true => letter.to_string(),
        false => letter.escape_unicode().to_string(),
    });
    (plain.collect(), files)
}

const HEAD: &str = "\
# Findings

What the originals keep of the contract and what they break. Made by `crashline findings`; every
finding can be seen again with the command beside it.

A finding stands for all violations of one clause, in one kind of run, at one operation: the one
that was in flight or had ended last when the crash came or the wrong answer was given. What a
kill alone shows is not listed again for power cuts and failed calls; *also* counts these. *Disk*
is the mildest profile that shows it; `+` means that the directory syncs, which no original
makes, were supplied, so that this one omission does not hide the rest. What an original does
later than it acknowledges belongs to the operation before.
";

fn chapter(trial: &Trial, text: &mut String) {
    let engine = &trial.survey.engine;
    let mut line = |words: String| {
        text.push_str(&words);
        text.push('\n');
    };
    let recovered = trial
        .survey
        .rows
        .iter()
        .map(|row| row.states_recovered)
        .sum();
    let scenarios = trial.survey.rows.iter().map(|row| row.scenarios).sum();
    line(format!("\n## {engine}: {}\n", trial.title));
    line(format!(
        "{} scenarios, {} images recovered, {} findings.\n",
        thousands(scenarios),
        thousands(recovered),
        trial.findings.len()
    ));
    line("### Kept\n\n| clause | states judged |\n|---|---|".to_owned());
    let is_broken = |clause| {
        trial
            .findings
            .iter()
            .any(|finding| finding.key.clause == clause)
    };
    for (clause, judged) in &trial.survey.judged {
        if *judged > 0 && !is_broken(*clause) {
            let info = clause.info();
            line(format!(
                "| {} {} | {} |",
                info.id,
                info.name,
                thousands(*judged)
            ));
        }
    }
    line("\n### Broken\n".to_owned());
    for finding in &trial.findings {
        line(entry(trial, finding));
    }
    if !trial.named.is_empty() {
        line("### Hidden by shorter ones\n".to_owned());
    }
    for (named, found) in &trial.named {
        let info = named.clause.info();
        line(format!("#### {} {}: {}\n", info.id, info.name, named.name));
        line(format!("{}.\n", named.text));
        line(match found {
            Some(found) => format!("- {}\n- {}", found.evidence, story(found)),
            None => "- it is no longer there".to_owned(),
        });
        line(format!("- known as: {}", named.place));
        line(format!(
            "- `crashline replay corpus/regressions/{}.json --clause {}`\n",
            named.name, info.id
        ));
    }
}

fn entry(trial: &Trial, finding: &Finding) -> String {
    let engine = &trial.survey.engine;
    let Finding { key, count, found } = finding;
    let info = key.clause.info();
    let mut text = format!(
        "#### {} {} {}: {}\n\n",
        info.id,
        info.name,
        key.way.words(),
        key.operation
    );
    let disk = match found.scenario.with_dir_sync {
        true => format!("{} +", found.profile),
        false => found.profile.clone(),
    };
    let mut line = |words: String| writeln!(text, "- {words}").expect("a string takes it");
    line(found.evidence.clone());
    line(story(found));
    line(format!(
        "disk: {disk}; seen in {} scenarios",
        thousands(*count)
    ));
    let also = trial.also(finding);
    if !also.is_empty() {
        let also: Vec<String> = also
            .iter()
            .map(|(way, count)| format!("{} ({})", way.words(), thousands(*count)))
            .collect();
        line(format!("also {}", also.join(", ")));
    }
    line(format!(
        "known as: {}",
        known_as(engine, key, &found.evidence).unwrap_or("none known")
    ));
    let name = file_name(engine, key);
    let clause = match found.scenario.crashes.is_empty() {
        true => format!(" --clause {}", info.id),
        false => String::new(),
    };
    line(format!("`crashline replay corpus/{name}{clause}`"));
    text
}

fn file_name(engine: &str, key: &Key) -> String {
    let Key {
        clause,
        way,
        operation,
    } = key;
    format!("findings/{engine}/{clause}-{}-{operation}.json", way.word())
}

/// The reproducer in a line: options that matter, operations, and what happened to them.
fn story(found: &Found) -> String {
    let scenario = &found.scenario;
    let mut words = option_words(scenario);
    words.extend(scenario.faults.iter().map(|fault| format!("`{fault}`")));
    let mut is_damaged = false;
    for entry in &found.timeline.entries {
        match entry {
            // What comes then is the recovery, whose end the evidence tells.
            Entry::Begin { .. } if is_damaged => break,
            Entry::Begin { call, .. } if call == "settle" => {}
            Entry::Begin { call, .. } => words.push(call.clone()),
            Entry::Damage(damage) => {
                is_damaged = true;
                words.push(format!("`{damage}`"));
            }
            Entry::Crash { choice, .. } => {
                words.push(crash(choice));
                break;
            }
            Entry::Call { .. } | Entry::End { .. } | Entry::Note(_) | Entry::Violation { .. } => {}
        }
    }
    words.join("; ")
}

fn crash(choice: &CrashChoice) -> String {
    match (choice.kind, choice.lost.len()) {
        (CrashKind::Kill, _) => format!("**kill** after effect {}", choice.point),
        (CrashKind::PowerCut, 0) => {
            format!(
                "**power cut** after effect {}, nothing is lost",
                choice.point
            )
        }
        (CrashKind::PowerCut, lost) => {
            format!(
                "**power cut** after effect {}, {lost} effects are lost",
                choice.point
            )
        }
    }
}
