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
}

impl Row {
    /// Whether the value is what it should be.
    pub(super) fn is_met(&self) -> bool {
        self.goal.is_none_or(|goal| goal.is_met(self.value))
    }

    fn line(&self) -> String {
        let Self {
            name, value, unit, ..
        } = self;
        let goal = match self.goal {
            Some(Goal::AtLeast(least)) => format!("at least {:>9}", rounded(least)),
            Some(Goal::AtMost(most)) => format!("at most  {:>9}", rounded(most)),
            None => return format!("{name:<44} {:>10} {unit}", rounded(*value)),
        };
        let met = if self.is_met() { "met" } else { "not met" };
        format!("{name:<44} {:>10} {unit:<9} {goal}  {met}", rounded(*value))
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "goal": self.goal.map(Goal::value),
            "met": self.goal.map(|goal| goal.is_met(self.value)),
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
            output.line("one thread; median of the rounds")?;
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
        };
        assert!(
            row.line()
                .ends_with("1.25 times     at most       1.20  not met")
        );
        assert_eq!(row.json()["met"], false);
        row.goal = None;
        assert!(row.line().ends_with("1.25 times"));
        assert!(row.json()["met"].is_null() && row.is_met());
        assert_eq!(rounded(0.01234), "0.0123");
        assert_eq!(rounded(80_000.4), "80000");
    }
}
