//! `compare`: two saved checks side by side.

use super::Exit;
use super::args::{CompareArguments, Format};
use super::failure::Failure;
use super::output::Output;
use super::saved_run::{Broken, SavedRun};
use crate::report::thousands;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Runs the command.
pub(super) fn compare(arguments: &CompareArguments, output: &mut Output) -> Result<Exit, Failure> {
    let old = SavedRun::read(&arguments.old)?;
    if let Some((number, count)) = old.shards.first() {
        let path = arguments.old.display();
        let words = format!("{path} is shard {number}/{count}, and a shard is no run");
        return Err(Failure::usage(words));
    }
    let mut shards = arguments.new.iter().map(|path| SavedRun::read(path));
    let mut new = shards
        .next()
        .unwrap_or_else(|| Err(Failure::usage("there is nothing to compare with")))?;
    for (shard, path) in shards.zip(arguments.new.iter().skip(1)) {
        let shard = shard?;
        if !new.is_of_the_same_run(&shard) {
            let path = path.display();
            return Err(Failure::usage(format!(
                "{path} is no shard of the same run"
            )));
        }
        new.add(shard);
    }
    if let Some(wrong) = new.wrong_shards() {
        let words = format!("{wrong}: the new run is not whole");
        return Err(Failure::usage(words));
    }
    let difference = Difference::between(&old, &new);
    match arguments.format {
        Format::Text => output.lines(&difference.lines())?,
        Format::Json => output.event(&difference.event())?,
    }
    let alike = difference.same_run || !arguments.exact;
    Ok(if !difference.newly.is_empty() || !alike {
        Exit::Violation
    } else if new.decided && difference.not_checked.is_empty() {
        Exit::Pass
    } else {
        Exit::Unknown
    })
}

struct Difference<'r> {
    newly: BTreeSet<&'r Broken>,
    still: BTreeSet<&'r Broken>,
    no_longer: BTreeSet<&'r Broken>,
    /// What was broken, of engines that were not checked now.
    not_checked: BTreeSet<&'r Broken>,
    /// What was counted, before and now.
    counts: Vec<(&'static str, u64, u64)>,
    /// One digest and the same counts.
    same_run: bool,
}

impl<'r> Difference<'r> {
    fn between(old: &'r SavedRun, new: &'r SavedRun) -> Self {
        let counted = [
            ("scenarios", "scenarios"),
            ("judged", "states_judged"),
            ("built", "states_built"),
            ("recovered", "states_recovered"),
            ("broken", "violations"),
        ];
        let gone: Vec<&Broken> = old.broken.difference(&new.broken).collect();
        let was_checked = |broken: &&Broken| new.has_checked(&broken.0);
        let counts = counted.map(|(word, name)| (word, old.total(name), new.total(name)));
        Self {
            newly: new.broken.difference(&old.broken).collect(),
            still: new.broken.intersection(&old.broken).collect(),
            no_longer: gone.iter().copied().filter(was_checked).collect(),
            not_checked: gone
                .iter()
                .copied()
                .filter(|one| !was_checked(one))
                .collect(),
            counts: counts.to_vec(),
            same_run: old.digest.is_some() && old.digest == new.digest && old.rows == new.rows,
        }
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (word, broken) in [
            ("newly broken", &self.newly),
            ("still broken", &self.still),
            ("no longer broken", &self.no_longer),
            ("not checked now", &self.not_checked),
        ] {
            let named = broken.iter().map(|(engine, clause)| {
                let info = clause.info();
                format!("{word}: {engine} {} {}", info.id, info.name)
            });
            lines.extend(named);
        }
        lines.push(format!("{:<12}{:>16}{:>16}", "", "old", "new"));
        for (word, old, new) in &self.counts {
            lines.push(format!(
                "{word:<12}{:>16}{:>16}",
                thousands(*old),
                thousands(*new)
            ));
        }
        lines.push(if self.same_run {
            "the same run: one digest, the same counts".to_owned()
        } else {
            "different runs".to_owned()
        });
        lines
    }

    fn event(&self) -> Value {
        let named = |broken: &BTreeSet<&Broken>| -> Vec<Value> {
            let broken = broken.iter();
            broken
                .map(|(engine, clause)| json!({ "engine": engine, "clause": clause.info().id }))
                .collect()
        };
        let counts = self.counts.iter();
        let counts: Vec<Value> = counts
            .map(|(name, old, new)| json!({ "name": name, "old": old, "new": new }))
            .collect();
        json!({
            "event": "comparison",
            "newly_broken": named(&self.newly),
            "still_broken": named(&self.still),
            "no_longer_broken": named(&self.no_longer),
            "not_checked": named(&self.not_checked),
            "counts": counts,
            "same_run": self.same_run,
        })
    }
}
