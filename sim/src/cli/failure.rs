//! Why a command could not do what it was asked: one sentence and an exit code.

use super::Exit;
use crate::explore::CheckError;

/// The end of a command that has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    /// The exit code.
    pub(super) exit: Exit,
    /// One clear sentence, without the command's name before it.
    pub(super) sentence: String,
}

impl Failure {
    /// The caller asked for something that cannot be done.
    pub(super) fn usage(sentence: impl Into<String>) -> Self {
        Self {
            exit: Exit::Usage,
            sentence: sentence.into(),
        }
    }

    /// The command itself is at fault.
    pub(super) fn internal(sentence: impl Into<String>) -> Self {
        Self {
            exit: Exit::Internal,
            sentence: sentence.into(),
        }
    }

    /// There is no `name` among what `list` shows; the nearest of `known` is offered.
    pub(super) fn unknown_name(what: &str, list: &str, name: &str, known: &[&str]) -> Self {
        let nearest = known
            .iter()
            .map(|one| (distance(one, name), *one))
            .min()
            .filter(|(distance, _)| *distance <= 2 + name.chars().count() / 4);
        let hint = nearest.map_or(String::new(), |(_, one)| {
            format!(" (did you mean `{one}`?)")
        });
        Self::usage(format!(
            "there is no {what} `{name}`{hint}; `crashline list {list}` shows all"
        ))
    }
}

impl From<CheckError> for Failure {
    fn from(error: CheckError) -> Self {
        let exit = match error {
            CheckError::Usage(_) => Exit::Usage,
            CheckError::Defect(_) => Exit::Internal,
        };
        Self {
            exit,
            sentence: error.to_string(),
        }
    }
}

/// How many characters must be added, dropped or changed to turn one text into the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for (row, left) in one.chars().enumerate() {
        let mut current = vec![row + 1];
        for ((right, diagonal), up) in other.iter().zip(&above).zip(above.iter().skip(1)) {
            let before = current.last().copied().unwrap_or(row);
            let changed = diagonal + usize::from(left != *right);
            current.push(changed.min(before + 1).min(up + 1));
        }
        above = current;
    }
    above.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_single_changes() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("same", "same"), 0);
    }

    #[test]
    fn an_unknown_name_gets_the_nearest_known_one_and_nothing_far_off() {
        let known = ["posix-min", "xfs"];
        let near = Failure::unknown_name("profile", "profiles", "posixmin", &known);
        assert!(near.sentence.contains("did you mean `posix-min`?"));
        let far = Failure::unknown_name("profile", "profiles", "elephantine", &known);
        assert!(!far.sentence.contains("did you mean"));
        assert_eq!(far.exit, Exit::Usage);
    }
}
