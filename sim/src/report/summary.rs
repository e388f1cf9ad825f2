//! A failure as a block of text, and the last line of a check.

use super::layout::{hanging, thousands};
use super::{Ink, Paint, timeline};
use crate::explore::{CheckReport, Found, Row, Verdict};

/// The verdict in a word, as the JSON summary has it.
#[must_use]
pub fn verdict_word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "fail",
        Verdict::Unknown(_) | Verdict::Nothing => "unknown",
    }
}

/// A violation for a person: what broke, the story, and how it is shown again.
#[must_use]
pub fn failure(found: &Found, replay_file: Option<&str>, paint: Paint) -> String {
    let info = found.clause.info();
    let title = format!(
        "==== {} on {} breaks {} {} ",
        found.engine, found.profile, info.id, info.name
    );
    let title = paint.ink(Ink::Bad, &format!("{title:=<100}"));
    let story = timeline(&found.timeline, paint);
    let again = shown_again(found, replay_file, |command| {
        paint.ink(Ink::Strong, command)
    });
    format!("{title}\n{story}{again}\n")
}

/// How a violation is shown again: the command, or, where no replay file could be written, the
/// scenario itself, so that it is not lost.
pub(super) fn shown_again(
    found: &Found,
    replay_file: Option<&str>,
    ink: impl FnOnce(&str) -> String,
) -> String {
    match replay_file {
        Some(file) => format!("replay: {}", ink(&replay_command(found, file))),
        None => format!(
            "no replay file could be written; this is what it would hold:\n{}",
            found.scenario.to_text().trim_end()
        ),
    }
}

/// The command that shows a violation again. Without a crash to name it by, it is named by its
/// clause, since the run may break others too.
#[must_use]
pub fn replay_command(found: &Found, replay_file: &str) -> String {
    let clause = match found.scenario.crashes.is_empty() {
        true => format!(" --clause {}", found.clause),
        false => String::new(),
    };
    format!("crashline replay {}{clause}", for_a_shell(replay_file))
}

/// A path as it may be typed, whatever is in it.
fn for_a_shell(path: &str) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "/._-+=@%:,".contains(sign);
    let path = match path.starts_with('-') {
        true => format!("./{path}"),
        false => path.to_owned(),
    };
    match path.chars().all(is_plain) {
        true => path,
        false => format!("'{}'", path.replace('\'', "'\\''")),
    }
}

/// How what is broken stands to what is expected, where anything is.
fn expected(report: &CheckReport) -> String {
    if report.expected.is_empty() {
        return String::new();
    }
    let new = report.found.iter().filter(|found| !report.expects(found));
    let (new, found) = (new.count(), report.found.len());
    let kept = report.expected.len() + new - found;
    match (new, kept) {
        (0, 0) => " as the baseline expects".to_owned(),
        (0, _) => format!(" ({kept} of the baseline no longer)"),
        (_, 0) => format!(" ({new} clauses that the baseline does not have)"),
        _ => format!(" ({new} clauses that the baseline does not have, {kept} of it no longer)"),
    }
}

/// The last lines of a check: the digest, where there is one, then the verdict and the counts.
#[must_use]
pub fn result_line(report: &CheckReport, paint: Paint) -> Vec<String> {
    let total = |count: fn(&Row) -> u64| thousands(report.rows.iter().map(count).sum());
    let mut lines = Vec::new();
    if let Some(digest) = report.digest {
        lines.push(format!("digest {digest:032x}"));
    }
    let (ink, word, reason) = match &report.verdict {
        Verdict::Pass => (Ink::Good, "PASS", expected(report)),
        Verdict::Fail => (Ink::Bad, "FAIL", expected(report)),
        Verdict::Unknown(reason) => (Ink::Alarm, "UNKNOWN", format!(" ({reason})")),
        Verdict::Nothing => (Ink::Alarm, "NOTHING TO CHECK", String::new()),
    };
    let counts = format!(
        "{} states judged, {} images built, {} recovered, {} broken{reason}",
        total(|row| row.states_judged),
        total(|row| row.states_built),
        total(|row| row.states_recovered),
        total(|row| row.violations),
    );
    let first = format!("{word}: ");
    for (index, line) in hanging(&first, &counts).into_iter().enumerate() {
        let line = match line.strip_prefix(word) {
            Some(rest) if index == 0 => format!("{}{rest}", paint.ink(ink, word)),
            _ => line,
        };
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_can_be_typed_whatever_is_in_it() {
        assert_eq!(for_a_shell("out/a-Q3-1.json"), "out/a-Q3-1.json");
        assert_eq!(for_a_shell("-x/a.json"), "./-x/a.json");
        assert_eq!(for_a_shell("a b'c/d"), "'a b'\\''c/d'");
    }
}
