//! Comparing what was recorded with what was given, and saying how they differ.

use serde::Serialize;

/// Compares the first value that was recorded with the first one that `whose` gives; the second
/// ones are shown where they differ.
pub(super) fn same<T: PartialEq, V: Serialize>(
    what: &str,
    (recorded, recorded_shown): (&T, &V),
    (whose, given, given_shown): (&str, &T, &V),
) -> Result<(), String> {
    if recorded == given {
        return Ok(());
    }
    let (recorded, given) = (text(recorded_shown), text(given_shown));
    Err(format!(
        "{what}: {recorded} was recorded, {whose} has {given}"
    ))
}

/// A value as it stands in a trace.
pub(super) fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| error.to_string())
}
