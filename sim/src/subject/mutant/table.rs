//! The mutants by name: what each breaks, and what it does.

use super::{
    batch_counts_more, cleans_too_much, close_without_sync, forgets_after_a_look, numbers_wrap,
    panics_on_damage, peeks_behind, readable_by_all, refuses_after_crash, skips_after_crash,
    stays_full, time_goes_forward,
};
use crate::scenario::Clause;
use crate::subject::{OpenRequest, Opened, Subject};

/// What `list quirks` shows of a mutant.
#[derive(Debug, Clone, Copy)]
pub struct MutantInfo {
    /// The name that switches it on.
    pub name: &'static str,
    /// The clause that it breaks.
    pub clause: Clause,
    /// What it does.
    pub text: &'static str,
    /// Opens the engine, broken.
    pub(in crate::subject) open: Open,
}

/// Opens an engine in a broken way; the engine itself is the second argument.
pub(in crate::subject) type Open = fn(&OpenRequest<'_>, &dyn Subject) -> Opened;

const fn info(name: &'static str, clause: Clause, text: &'static str, open: Open) -> MutantInfo {
    MutantInfo {
        name,
        clause,
        text,
        open,
    }
}

/// All mutants, in the order of their clauses.
pub const MUTANTS: &[MutantInfo] = &[
    info(
        "mutant-refuses-after-crash",
        Clause::C1,
        "opening fails where bytes stand behind the durable point",
        refuses_after_crash::open,
    ),
    info(
        "mutant-forgets-after-a-look",
        Clause::C2,
        "a queue that was opened and only asked for its depth opens with a message less",
        forgets_after_a_look::open,
    ),
    info(
        "mutant-panics-on-damage",
        Clause::C3,
        "a read that meets damage panics",
        panics_on_damage::open,
    ),
    info(
        "mutant-stays-full",
        Clause::C6,
        "once the disk was full, puts are refused until the queue is opened again",
        stays_full::open,
    ),
    info(
        "mutant-cleans-too-much",
        Clause::C9,
        "opening removes the files of queues whose names start with this one's",
        cleans_too_much::open,
    ),
    info(
        "mutant-close-without-sync",
        Clause::C11,
        "closing drops the queue and syncs nothing",
        close_without_sync::open,
    ),
    info(
        "mutant-numbers-wrap",
        Clause::C13,
        "a put that finds no number for its segment is acknowledged",
        numbers_wrap::open,
    ),
    info(
        "mutant-readable-by-all",
        Clause::C14,
        "files are made with mode 0644",
        readable_by_all::open,
    ),
    info(
        "mutant-time-goes-forward",
        Clause::C15,
        "a tick whose time lies before that of an earlier one is an error",
        time_goes_forward::open,
    ),
    info(
        "mutant-skips-after-crash",
        Clause::Q4,
        "the message that stands at the read position after a crash is taken for read",
        skips_after_crash::open,
    ),
    info(
        "mutant-peeks-behind",
        Clause::Q6,
        "peek shows the message that was read last",
        peeks_behind::open,
    ),
    info(
        "mutant-batch-counts-more",
        Clause::Q10,
        "the error of a batch tells one message more than were put",
        batch_counts_more::open,
    ),
];

/// The first mutant among these quirks, and the other quirks.
pub(in crate::subject) fn split_mutant(
    quirks: &[String],
) -> Option<(&'static MutantInfo, Vec<String>)> {
    let (index, mutant) = quirks.iter().enumerate().find_map(|(index, name)| {
        let mutant = MUTANTS.iter().find(|mutant| mutant.name == *name)?;
        Some((index, mutant))
    })?;
    let mut others = quirks.to_vec();
    others.remove(index);
    Some((mutant, others))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_that_it_is_a_mutant_and_are_told_from_quirks() {
        for mutant in MUTANTS {
            assert!(mutant.name.starts_with("mutant-"), "{}", mutant.name);
        }
        let quirks = ["no-lock", MUTANTS[1].name, "no-data-sync"].map(str::to_owned);
        let (mutant, others) = split_mutant(&quirks).unwrap();
        assert_eq!(mutant.name, MUTANTS[1].name);
        assert_eq!(others, ["no-lock", "no-data-sync"]);
        assert!(split_mutant(&others).is_none());
    }
}
