//! What was measured, as a table for people and as an array for programs.

use super::super::args::Format;
use super::super::failure::Failure;
use super::super::output::Output;
use super::case::Goal;
use serde_json::{Value, json};

/// One result.
#[derive(Debug)]
pub(super) struct Row {
    /// What was measured.
    pub(super) name: String,
    /// The median.
    pub(super) value: f64,
    /// Of the value.
    pub(super) unit: &'static str,
    /// What the value should be, where that was said.
    pub(super) goal: Option<Goal>,
    /// What it never falls below, where that was said.
    pub(super) floor: Option<f64>,
}

impl Row {
    /// Whether the value is what it should be.
    pub(super) fn is_met(&self) -> bool {
        self.goal.is_none_or(|goal| goal.is_met(self.value))
    }

    /// Whether the value is lower than on any machine.
    pub(super) fn is_below_floor(&self) -> bool {
        self.floor.is_some_and(|floor| self.value < floor)
    }

    fn line(&self) -> String {
        let Self {
            name, value, unit, ..
        } = self;
        let start = format!("{name:<52} {:>10} {unit}", rounded(*value));
        let met = if self.is_met() { "met" } else { "not met" };
        match (self.goal, self.floor) {
            (Some(Goal::AtLeast(least)), _) => {
                format!("{start:<73} at least {:>9}  {met}", rounded(least))
            }
            (Some(Goal::AtMost(most)), _) => {
                format!("{start:<73} at most  {:>9}  {met}", rounded(most))
            }
            (None, Some(floor)) => {
                let passed = if self.is_below_floor() { "BELOW" } else { "ok" };
                format!("{start:<73} floor    {:>9}  {passed}", rounded(floor))
            }
            (None, None) => start,
        }
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "goal": self.goal.map(Goal::value).or(self.floor),
            "met": self.is_met() && !self.is_below_floor(),
        })
    }
}

/// Three digits of a small number, all whole ones of a large one.
fn rounded(value: f64) -> String {
    match value.abs() {
        small if small < 1.0 => format!("{value:.4}"),
        small if small < 100.0 => format!("{value:.2}"),
        _ => format!("{value:.0}"),
    }
}

/// Prints all results.
pub(super) fn print(rows: &[Row], format: Format, output: &mut Output) -> Result<(), Failure> {
    match format {
        Format::Json => {
            let values = rows.iter().map(Row::json).collect();
            output.line(&Value::Array(values).to_string())
        }
        Format::Text => {
            output.line("one thread, a second of its processor time; median of the rounds")?;
            rows.iter().try_for_each(|row| output.line(&row.line()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_whether_its_goal_is_met() {
        let mut row = Row {
            name: "put".to_owned(),
            value: 1.25,
            unit: "times",
            goal: Some(Goal::AtMost(1.2)),
            floor: None,
        };
        assert!(row.line().ends_with("at most       1.20  not met"));
        assert_eq!(row.json()["met"], false);
        row.goal = None;
        assert!(row.line().ends_with("1.25 times"));
        assert!(row.json()["goal"].is_null() && row.is_met());
        row.floor = Some(1.5);
        assert!(row.line().ends_with("floor         1.50  BELOW"));
        assert_eq!(row.json()["met"], false);
        row.value = 1.5;
        assert!(row.line().ends_with("ok"));
        assert_eq!(rounded(0.01234), "0.0123");
        assert_eq!(rounded(80_000.4), "80000");
    }
}
