//! The power of the gate, as last seen: for every quirk and mutant what a check finds first.
//!
//! Format of `corpus/power.json`: an object; `version`, `seed` and `budget` say which checks were
//! made, `found` is an array with one object a line for each quirk and mutant.

use serde::{Deserialize, Serialize};

/// `corpus/power.json`.
const TEXT: &str = include_str!("../../../corpus/power.json");

/// What a check found first with one defect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerRow {
    /// The quirk's or mutant's name.
    pub name: String,
    /// `quirk` or `mutant`.
    pub kind: String,
    /// The engine that has it.
    pub engine: String,
    /// The clause that it breaks.
    pub clause: String,
    /// The clause of the first finding; none if nothing was found.
    pub found: Option<String>,
    /// The disk profile of the first finding.
    pub profile: Option<String>,
    /// The kind of run of the first finding: `crashes`, `errors` or `damage`.
    pub run: Option<String>,
    /// Scenarios of this profile and kind of run until then.
    pub scenarios: u64,
    /// Images recovered in them.
    pub recovered: u64,
}

/// All of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Power {
    /// The version that found them.
    pub version: String,
    /// The seed of the checks.
    pub seed: u64,
    /// The budget of each check, in recovered images.
    pub budget: u64,
    /// A row for each quirk and mutant.
    pub found: Vec<PowerRow>,
}

impl PowerRow {
    /// Whether it was found, and first under the clause that it breaks.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.found.as_ref() == Some(&self.clause)
    }
}

impl Power {
    /// What was seen last.
    ///
    /// # Panics
    /// Never: a test reads the file.
    #[must_use]
    pub fn last_seen() -> Self {
        serde_json::from_str(TEXT).expect("the corpus says what was seen last")
    }

    /// Reads the text of the file.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// The text of the file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let rows: Vec<String> = self
            .found
            .iter()
            .map(|row| serde_json::to_string(row).map_or(String::new(), |row| format!("    {row}")))
            .collect();
        let head = format!(
            "  \"version\": \"{}\",\n  \"seed\": {},\n  \"budget\": {},\n",
            self.version, self.seed, self.budget
        );
        let rows = rows.join(",\n");
        format!("{{\n{head}  \"found\": [\n{rows}\n  ]\n}}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_as_it_is_written() {
        assert_eq!(Power::last_seen().to_text(), TEXT);
    }

    #[test]
    fn everything_was_found_under_its_clause() {
        for row in Power::last_seen().found {
            assert!(row.is_right(), "{row:?}");
        }
    }
}
