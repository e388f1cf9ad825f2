//! What `check --format json` printed, read again; shards of one run add up.

use super::failure::Failure;
use super::files::read_text;
use super::saved_totals::check_totals;
use crate::scenario::Clause;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// An engine's name and a clause that it breaks.
pub(super) type Broken = (String, Clause);

/// The counts of a row of the table, by name.
const COUNTS: &[&str] = &[
    "scenarios",
    "points",
    "points_enumerated",
    "states_judged",
    "states_built",
    "states_recovered",
    "violations",
];

/// An engine, a profile and a kind of run.
pub(super) type RowName = (String, String, String);

/// One run, or several shards of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SavedRun {
    /// None where the run was cut short.
    pub(super) digest: Option<u128>,
    /// The shares of a run that it is made of, as number and count; none where it is a whole one.
    pub(super) shards: Vec<(u64, u64)>,
    /// Whether everything was decided.
    pub(super) decided: bool,
    /// What was broken.
    pub(super) broken: BTreeSet<Broken>,
    /// The counts of each row, in the order of [`COUNTS`].
    pub(super) rows: BTreeMap<RowName, Vec<u64>>,
}

impl SavedRun {
    /// Reads a file.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let text = read_text(path)?;
        Self::parse(&text).map_err(|reason| {
            let place = path.display();
            Failure::usage(format!(
                "{place} is not what `check --format json` prints: {reason}"
            ))
        })
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut broken = BTreeSet::new();
        let mut unexpected = 0_u32;
        let mut run: Option<Self> = None;
        for (number, line) in (1_u32..).zip(text.lines()) {
            let event: Value = serde_json::from_str(line)
                .map_err(|error| format!("line {number} is no JSON: {error}"))?;
            if run.is_some() {
                return Err(format!("line {number} stands behind the summary"));
            }
            match word(&event, "event") {
                Some("violation") => {
                    let is_expected = event.get("expected") == Some(&Value::Bool(true));
                    unexpected += u32::from(!is_expected);
                    let clause = word(&event, "clause").and_then(|id| id.parse().ok());
                    let found = word(&event, "engine").zip(clause);
                    let (engine, clause) =
                        found.ok_or_else(|| format!("line {number} names no engine and clause"))?;
                    broken.insert((engine.to_owned(), clause));
                }
                Some("summary") => {
                    check_totals(&event, &broken, unexpected > 0)?;
                    run = Some(Self::of_summary(&event)?);
                }
                Some("progress") => {}
                _ => return Err(format!("line {number} is no event of a check")),
            }
        }
        let mut run = run.ok_or("there is no summary in it")?;
        run.broken = broken;
        Ok(run)
    }

    fn of_summary(event: &Value) -> Result<Self, String> {
        let digest = match event.get("digest") {
            Some(Value::Null) => None,
            Some(Value::String(text)) => {
                let digest = u128::from_str_radix(text, 16);
                Some(digest.map_err(|_| "its digest is no hexadecimal number")?)
            }
            _ => return Err("its summary has no digest".to_owned()),
        };
        let mut rows = BTreeMap::new();
        for row in event
            .get("rows")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            let name = |key| word(row, key).map(str::to_owned);
            let name = name("engine").zip(name("profile")).zip(name("run"));
            let ((engine, profile), run) = name.ok_or("a row has no name")?;
            let count = |name: &&str| row.get(*name).and_then(Value::as_u64);
            let counts: Option<Vec<u64>> = COUNTS.iter().map(count).collect();
            let counts = counts.ok_or("a row has no counts")?;
            rows.insert((engine, profile, run), counts);
        }
        let shard = match word(event, "shard") {
            Some(told) => {
                let parts = told.split_once('/');
                let parts = parts.and_then(|(k, n)| k.parse().ok().zip(n.parse().ok()));
                Some(parts.ok_or("its shard is no share of a run")?)
            }
            None => None,
        };
        Ok(Self {
            digest,
            shards: shard.into_iter().collect(),
            decided: matches!(word(event, "verdict"), Some("pass" | "fail")),
            broken: BTreeSet::new(),
            rows,
        })
    }

    /// Takes another shard of the same run in.
    pub(super) fn add(&mut self, shard: Self) {
        self.digest = self
            .digest
            .zip(shard.digest)
            .map(|(one, other)| one.wrapping_add(other));
        self.decided &= shard.decided;
        self.shards.extend(shard.shards);
        self.broken.extend(shard.broken);
        for (name, counts) in shard.rows {
            let sums = self
                .rows
                .entry(name)
                .or_insert_with(|| vec![0; counts.len()]);
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum = sum.saturating_add(count);
            }
        }
    }

    /// Whether this can be another share of the run: it has the same rows.
    pub(super) fn is_of_the_same_run(&self, other: &Self) -> bool {
        self.rows.keys().eq(other.rows.keys())
    }

    /// Whether an engine was checked.
    pub(super) fn has_checked(&self, name: &str) -> bool {
        let mut rows = self.rows.iter();
        rows.any(|((engine, _, _), counts)| engine == name && counts.first() != Some(&0))
    }

    /// What is missing or there twice if these are to be all shares of one run; nothing if they
    /// are, or if it is a whole run.
    pub(super) fn wrong_shards(&self) -> Option<String> {
        let (_, count) = *self.shards.first()?;
        if let Some((number, other)) = self.shards.iter().find(|shard| shard.1 != count) {
            return Some(format!(
                "shard {number}/{other} is none of a run in {count} shards"
            ));
        }
        let times = |number| self.shards.iter().filter(|shard| shard.0 == number).count();
        let wrong = (1..=count).find(|number| times(*number) != 1)?;
        Some(match times(wrong) {
            0 => format!("shard {wrong}/{count} is missing"),
            _ => format!("shard {wrong}/{count} is there more than once"),
        })
    }

    /// The count of this name, over all rows.
    pub(super) fn total(&self, name: &str) -> u64 {
        let place = COUNTS.iter().position(|count| *count == name);
        let place = place.unwrap_or(usize::MAX);
        let counts = self.rows.values().filter_map(|row| row.get(place));
        counts.fold(0, |sum, count| sum.saturating_add(*count))
    }
}

pub(super) fn word<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(digest: &str, judged: u64, clause: &str) -> String {
        let counts: Vec<String> = COUNTS
            .iter()
            .map(|name| format!("\"{name}\":{judged}"))
            .collect();
        format!(
            "{{\"event\":\"progress\"}}\n\
             {{\"event\":\"violation\",\"engine\":\"e\",\"clause\":\"{clause}\"}}\n\
             {{\"event\":\"summary\",\"verdict\":\"fail\",\"digest\":\"{digest}\",\"rows\":\
             [{{\"engine\":\"e\",\"profile\":\"p\",\"run\":\"crashes\",{}}}]}}\n",
            counts.join(",")
        )
    }

    #[test]
    fn shards_add_up() {
        let mut run = SavedRun::parse(&text("ff", 3, "Q1")).unwrap();
        run.add(SavedRun::parse(&text("1", 4, "C3")).unwrap());
        assert_eq!(run.digest, Some(0x100));
        assert_eq!(run.total("states_judged"), 7);
        assert_eq!(run.broken.len(), 2);
        assert!(run.decided);
    }

    #[test]
    fn shards_are_counted() {
        let of_shard = |shard: &str| {
            let event = format!("\"event\":\"summary\",\"shard\":\"{shard}\"");
            let text = text("ff", 3, "Q1").replace("\"event\":\"summary\"", &event);
            SavedRun::parse(&text).unwrap()
        };
        let told = |shards: &[&str]| {
            let mut run = of_shard(shards[0]);
            for shard in &shards[1..] {
                run.add(of_shard(shard));
            }
            run.wrong_shards()
        };
        assert_eq!(told(&["2/3", "1/3", "3/3"]), None);
        assert_eq!(told(&["1/3", "2/3"]).unwrap(), "shard 3/3 is missing");
        let twice = told(&["1/3", "2/3", "3/3", "1/3"]).unwrap();
        assert_eq!(twice, "shard 1/3 is there more than once");
        let other = told(&["1/3", "2/2"]).unwrap();
        assert_eq!(other, "shard 2/2 is none of a run in 3 shards");
        let whole = SavedRun::parse(&text("ff", 3, "Q1")).unwrap();
        assert_eq!(whole.wrong_shards(), None);
    }

    #[test]
    fn what_is_no_run_is_refused_with_a_reason() {
        let good = text("1", 1, "Q1");
        let with = |field: &str| good.replace("\"digest\"", &format!("{field},\"digest\""));
        let clause = |id: &str, violations: u32| {
            let row = format!("\"engine\":\"e\",\"clause\":\"{id}\"");
            format!("\"clauses\":[{{{row},\"violations\":{violations}}}]")
        };
        for right in [&good, &with(&clause("Q1", 1)), &with("\"violations\":1")] {
            assert!(SavedRun::parse(right).is_ok());
        }
        for (wrong, reason) in [
            ("", "no summary"),
            ("{}", "line 1 is no event"),
            ("x", "line 1 is no JSON"),
            (&text("xyz", 1, "Q1"), "hexadecimal"),
            (&text("1", 1, "Q99"), "line 2 names no engine and clause"),
            (&good.repeat(2), "line 4 stands behind the summary"),
            (&format!("{good}more"), "line 4 is no JSON"),
            (&good.replace("\"fail\"", "\"pass\""), "passes what breaks"),
            (&with("\"violations\":2"), "`violations` is not what"),
            (&with(&clause("Q1", 0)), "differ in whether e breaks Q1"),
            (&with(&clause("C3", 1)), "differ in whether e breaks C3"),
        ] {
            let told = SavedRun::parse(wrong).unwrap_err();
            assert!(told.contains(reason), "{told}");
        }
    }
}
