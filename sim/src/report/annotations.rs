//! Violations as the workflow commands that GitHub shows as annotations.
//! Source: "Workflow commands for GitHub Actions", error messages.

use super::summary::shown_again;
use crate::explore::{CheckReport, Verdict};

/// A line for each violation, an error unless it is expected, and for what could not be decided.
/// `replay_files` has the file of each violation, in order, if there is one.
#[must_use]
pub fn annotations(report: &CheckReport, replay_files: &[Option<String>]) -> Vec<String> {
    let broken = report.found.iter().zip(replay_files).map(|(found, file)| {
        let info = found.clause.info();
        let title = format!("{} breaks {} {}", found.engine, info.id, info.name);
        let text = format!(
            "{} (on {}; {})",
            found.evidence,
            found.profile,
            shown_again(found, file.as_deref(), str::to_owned)
        );
        let level = match report.expects(found) {
            true => "notice",
            false => "error",
        };
        format!("::{level} title={}::{}", property(&title), message(&text))
    });
    let undecided = match &report.verdict {
        Verdict::Unknown(reason) => Some(reason.as_str()),
        Verdict::Nothing => Some("there was nothing to check"),
        Verdict::Pass | Verdict::Fail => None,
    };
    let undecided = undecided.map(|reason| format!("::error title=unknown::{}", message(reason)));
    broken.chain(undecided).collect()
}

/// A message stands on one line.
fn message(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A property also ends at a colon or comma.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_ends_the_line_or_the_title() {
        assert_eq!(message("50 %\nmore"), "50 %25%0Amore");
        assert_eq!(property("a: b, c"), "a%3A b%2C c");
    }
}
