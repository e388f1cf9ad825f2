//! The text form of a scenario: JSON, one step a line, with a version. Replay files, the corpus
//! and fuzz findings are in it.
//!
//! Reading is strict: what is not understood is refused with one sentence, since a field that is
//! passed over would make a replay that replays something else.

use super::{
    Action, ClusterProgram, ClusterStep, FORMAT, LogProgram, OffsetProgram, Planted, Scenario,
};
use serde_json::{Map, Value};
use std::fmt::Write;

/// All messages of a scenario together have at most so many bytes: they are kept in memory.
const PAYLOAD_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// A scenario has at most so many steps.
const STEPS_MAX: usize = 1_000_000;

/// Fields that are left out when they say nothing.
const OPTIONAL: &[&str] = &[
    "quirks",
    "with_dir_sync",
    "faults",
    "damage",
    "planted",
    "text",
    "crashes",
    "object",
    "options",
    "missing",
    "lost",
    "fill",
    "marks",
];

impl Scenario {
    /// Writes the text form; [`Scenario::parse`] gives the scenario back.
    ///
    /// # Panics
    /// Never: a scenario is plain data.
    #[must_use]
    pub fn to_text(&self) -> String {
        let value = serde_json::to_value(self).expect("a scenario is plain data");
        let Value::Object(mut fields) = value else {
            unreachable!("a scenario is written as an object");
        };
        if self.log.is_some() || self.offsets.is_some() || self.cluster.is_some() {
            fields.remove("options");
            fields.remove("steps");
        }
        let mut text = String::from("{\n");
        for (index, (name, value)) in in_order(&fields).into_iter().enumerate() {
            let comma = if index == 0 { "" } else { ",\n" };
            write!(
                text,
                "{comma}  \"{name}\": {}",
                one_element_a_line(value, "  ")
            )
            .expect("writing to a string succeeds");
        }
        text.push_str("\n}\n");
        text
    }

    /// Reads the text form.
    ///
    /// # Errors
    /// One sentence that says what is wrong and where.
    pub fn parse(text: &str) -> Result<Self, String> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| format!("this is no JSON: {error}"))?;
        check_version(&value)?;
        check_program(&value)?;
        // From the text, not the value: so that a field given twice is seen.
        let scenario: Self =
            serde_json::from_str(text).map_err(|error| format!("this is no scenario: {error}"))?;
        let again = serde_json::to_value(&scenario).expect("a scenario is plain data");
        check_understood(&value, &again, "")?;
        scenario.check()?;
        Ok(scenario)
    }

    /// Whether it has the program of a queue.
    #[must_use]
    pub fn is_of_a_queue(&self) -> bool {
        self.log.is_none() && self.offsets.is_none() && self.cluster.is_none()
    }

    /// How many operations it has, of whatever kind they are.
    #[must_use]
    pub fn step_count(&self) -> usize {
        let of_log = self.log.as_ref().map_or(0, |log| log.steps.len());
        let of_offsets = self.offsets.as_ref().map_or(0, |store| store.steps.len());
        let of_cluster = self.cluster.as_ref().map_or(0, |one| one.steps.len());
        self.steps.len() + of_log + of_offsets + of_cluster
    }

    /// Checks what the types cannot say.
    fn check(&self) -> Result<(), String> {
        if self.engine.is_empty() || self.profile.is_empty() {
            return Err("engine and profile need a name".to_owned());
        }
        self.log.iter().try_for_each(LogProgram::check)?;
        self.offsets.iter().try_for_each(OffsetProgram::check)?;
        self.cluster.iter().try_for_each(ClusterProgram::check)?;
        let opened = self.steps.iter().filter_map(|step| {
            if let Action::Open { options } = &step.action {
                options.as_ref()
            } else {
                None
            }
        });
        for options in std::iter::once(&self.options).chain(opened) {
            if options.message_bytes_min > options.message_bytes_max {
                return Err("message_bytes_min is above message_bytes_max".to_owned());
            }
            if options.segment_bytes_max == 0 {
                return Err("segment_bytes_max must be at least 1".to_owned());
            }
        }
        self.planted.iter().try_for_each(Planted::check)?;
        if self.step_count() > STEPS_MAX {
            return Err(format!("a scenario has at most {STEPS_MAX} steps"));
        }
        let sizes = self.steps.iter().flat_map(|step| step.action.sizes());
        let sizes = sizes
            .copied()
            .chain(self.log.iter().flat_map(LogProgram::sizes))
            .chain(
                self.cluster
                    .iter()
                    .flat_map(|cluster| cluster.steps.iter().filter_map(ClusterStep::size)),
            );
        let payload_bytes: u64 = sizes.map(u64::from).sum();
        if payload_bytes > PAYLOAD_BYTES_MAX {
            return Err(format!(
                "the messages of a scenario have at most {PAYLOAD_BYTES_MAX} bytes together"
            ));
        }
        Ok(())
    }
}

fn check_version(value: &Value) -> Result<(), String> {
    match value.get("format").and_then(Value::as_u64) {
        Some(format) if format == u64::from(FORMAT) => Ok(()),
        Some(format) => Err(format!(
            "this scenario has format {format}, and only format {FORMAT} is understood"
        )),
        None => Err("this is no scenario: the number `format` is missing".to_owned()),
    }
}

/// What is done stands in one place: at the top for a queue, else in a field of its own.
fn check_program(value: &Value) -> Result<(), String> {
    let other: Vec<&str> = ["log", "offsets", "cluster"]
        .into_iter()
        .filter(|name| value.get(name).is_some())
        .collect();
    if other.len() > 1 {
        return Err(format!(
            "this scenario has `{}` side by side",
            other.join("` and `")
        ));
    }
    for name in ["options", "steps"] {
        match (other.first(), value.get(name).is_some()) {
            (None, false) => {
                return Err(format!("this is no scenario: missing field `{name}`"));
            }
            (Some(other), true) => {
                return Err(format!(
                    "this scenario has `{name}` for a queue beside `{other}`"
                ));
            }
            (Some(_), false) | (None, true) => {}
        }
    }
    Ok(())
}

/// Everything that was written must come back: else it was passed over.
fn check_understood(written: &Value, understood: &Value, at: &str) -> Result<(), String> {
    match (written, understood) {
        (Value::Object(written), Value::Object(understood)) => {
            for (name, value) in written {
                match understood.get(name) {
                    Some(other) => check_understood(value, other, &format!("{at}/{name}"))?,
                    None if OPTIONAL.contains(&name.as_str()) => {}
                    None => return Err(format!("there is no field `{name}` in `{at}/`")),
                }
            }
            Ok(())
        }
        (Value::Array(written), Value::Array(understood)) => written
            .iter()
            .zip(understood)
            .enumerate()
            .try_for_each(|(index, (one, other))| {
                check_understood(one, other, &format!("{at}/{index}"))
            }),
        _ => Ok(()),
    }
}

/// The fields in the order in which a person reads them.
fn in_order(fields: &Map<String, Value>) -> Vec<(&str, &Value)> {
    const ORDER: &[&str] = &[
        "format",
        "engine",
        "profile",
        "run",
        "seed",
        "options",
        "quirks",
        "with_dir_sync",
        "planted",
        "steps",
        "log",
        "offsets",
        "cluster",
        "faults",
        "damage",
        "crashes",
    ];
    let place = |name: &str| ORDER.iter().position(|known| *known == name);
    let mut ordered: Vec<(&str, &Value)> = fields
        .iter()
        .map(|(name, value)| (name.as_str(), value))
        .collect();
    ordered.sort_by_key(|(name, _)| place(name).unwrap_or(ORDER.len()));
    ordered
}

/// Lists with an element a line; what holds a list of steps, with a field a line.
fn one_element_a_line(value: &Value, indent: &str) -> String {
    let deeper = format!("{indent}  ");
    if let Some(fields) = value.as_object().filter(|one| one.contains_key("steps")) {
        let lines: Vec<String> = fields
            .iter()
            .map(|(name, value)| {
                format!("{deeper}\"{name}\": {}", one_element_a_line(value, &deeper))
            })
            .collect();
        return format!("{{\n{}\n{indent}}}", lines.join(",\n"));
    }
    let Some(elements) = value.as_array().filter(|elements| !elements.is_empty()) else {
        return value.to_string();
    };
    let lines: Vec<String> = elements
        .iter()
        .map(|element| format!("{deeper}{element}"))
        .collect();
    format!("[\n{}\n{indent}]", lines.join(",\n"))
}

#[cfg(test)]
mod tests;
