//! Holds what is left after a step against what must be left.

use super::align::align;
use super::damage::Cost;
use super::item::{Gone, Item, Why};
use crate::scenario::Clause;
use crate::trace::file::Operation;

/// What is known when a step is judged.
#[derive(Debug)]
pub(super) struct Expected<'a> {
    pub(super) operation: &'a Operation,
    /// What must be left, in order.
    pub(super) wanted: &'a [Item],
    /// What went before it, in the order in which it went.
    pub(super) gone: &'a [Gone],
    /// So many of the newest reads may come again after a kill.
    pub(super) may_come_again: u64,
    /// A sync owed by the count made the others durable.
    pub(super) durable_by_count: bool,
    /// Messages that earlier or present damage explains.
    pub(super) altered: &'a [Vec<u8>],
    /// What damage in this step may cost.
    pub(super) cost: &'a Cost,
    /// The clause for a message that is lost in the middle and at the end, in a step that neither
    /// opens nor damages; `None` where that follows from the operation.
    pub(super) lost_clause: Option<Clause>,
    /// The operation was refused, as it had to be.
    pub(super) refused: bool,
}

/// Where what is left comes from, and what is broken by that.
#[derive(Debug, Default)]
pub(super) struct Change {
    /// For each message that is left.
    pub(super) sources: Vec<Source>,
    /// Places in `wanted` of messages that are lost, allowed or not.
    pub(super) missing: Vec<usize>,
    /// What the messages that nobody put break.
    pub(super) invented: Verdict,
    /// What the messages that come again break.
    pub(super) again: Verdict,
    /// What the lost messages break.
    pub(super) lost: Verdict,
}

/// Where a message that is left comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// It is one of the wanted.
    Wanted(usize),
    /// It is one of those that were gone.
    Gone(usize),
    /// From nowhere.
    Nowhere,
}

/// A clause and what shows that it is broken.
pub(super) type Verdict = Option<(Clause, String)>;

/// Judges what is `found` to be left.
pub(super) fn judge_delivery(expected: &Expected<'_>, found: &[Vec<u8>]) -> Change {
    let sources = sources(expected, found);
    let missing: Vec<usize> = (0..expected.wanted.len())
        .filter(|at| !sources.contains(&Source::Wanted(*at)))
        .collect();
    Change {
        invented: judge_invented(expected, &sources, found),
        again: judge_again(expected, &sources),
        lost: judge_missing(expected, &missing, &sources),
        sources,
        missing,
    }
}

fn sources(expected: &Expected<'_>, found: &[Vec<u8>]) -> Vec<Source> {
    let Expected { wanted, gone, .. } = *expected;
    if found.iter().eq(wanted.iter().map(|item| &item.bytes)) {
        return (0..wanted.len()).map(Source::Wanted).collect();
    }
    let gone_bytes = gone.iter().map(|gone| gone.item.bytes.as_slice());
    let wanted_bytes = wanted.iter().map(|item| item.bytes.as_slice());
    let all: Vec<&[u8]> = gone_bytes.chain(wanted_bytes).collect();
    let found: Vec<&[u8]> = found.iter().map(Vec::as_slice).collect();
    let mut sources: Vec<Source> = align(&found, &all, gone.len())
        .into_iter()
        .map(|place| match place {
            Some(at) if at < gone.len() => Source::Gone(at),
            Some(at) => Source::Wanted(at - gone.len()),
            None => Source::Nowhere,
        })
        .collect();
    // One that was thought lost may be back in any place.
    for (index, bytes) in found.iter().enumerate() {
        let back = gone.iter().enumerate().find(|(at, gone)| {
            gone.why.is_lost() && gone.item.bytes == *bytes && !sources.contains(&Source::Gone(*at))
        });
        if let (Some(source @ Source::Nowhere), Some((at, _))) = (sources.get_mut(index), back) {
            *source = Source::Gone(at);
        }
    }
    sources
}

fn judge_invented(expected: &Expected<'_>, sources: &[Source], found: &[Vec<u8>]) -> Verdict {
    let (_, bytes) = sources
        .iter()
        .zip(found)
        .find(|(source, bytes)| **source == Source::Nowhere && !expected.altered.contains(bytes))?;
    let evidence = format!(
        "`{}` is to be delivered, which was not put, or not in this place",
        bytes.escape_ascii()
    );
    (!expected.cost.may_invent).then_some((Clause::Q1, evidence))
}

fn judge_again(expected: &Expected<'_>, sources: &[Source]) -> Verdict {
    let again: Vec<usize> = sources
        .iter()
        .filter_map(|source| match source {
            Source::Gone(at) => Some(*at),
            Source::Wanted(_) | Source::Nowhere => None,
        })
        .collect();
    let told = |at: usize| {
        let bytes = expected.gone.get(at).map(|gone| gone.item.bytes.as_slice());
        bytes.unwrap_or_default().escape_ascii().to_string()
    };
    let why = |at: &usize| expected.gone.get(*at).map(|gone| gone.why);
    if let Some(at) = again.iter().find(|at| why(at) == Some(Why::Dropped)) {
        let evidence = format!("`{}` is to come again, although it was dropped", told(*at));
        return Some((Clause::Q7, evidence));
    }
    let first = *again.iter().find(|at| why(at) == Some(Why::Read))?;
    let evidence = format!("`{}` is to come again, although it was read", told(first));
    if *expected.operation == Operation::KillAndOpen {
        let newer = expected.gone.get(first..).unwrap_or_default();
        let reads = newer.iter().filter(|gone| gone.why == Why::Read).count() as u64;
        let clause = if expected.durable_by_count {
            Clause::Q11
        } else {
            Clause::Q4
        };
        if reads > expected.may_come_again {
            return Some((clause, format!("{evidence} and that was durable")));
        }
        let come = again.iter().filter(|at| why(at) == Some(Why::Read)).count() as u64;
        let hole = format!("`{}` is to come again, but not all after it", told(first));
        return (come < reads).then_some((Clause::Q3, hole));
    }
    if expected.cost.may_repeat {
        return None;
    }
    let opens = matches!(
        expected.operation,
        Operation::Reopen(_) | Operation::CloseDamageOpen(_)
    );
    Some((if opens { Clause::C11 } else { Clause::Q1 }, evidence))
}

fn judge_missing(expected: &Expected<'_>, missing: &[usize], sources: &[Source]) -> Verdict {
    let need_not = |at: usize| {
        expected.cost.may_vanish.get(at).copied() == Some(true)
            || expected
                .wanted
                .get(at)
                .is_some_and(|item| item.mark.is_some())
    };
    let lost: Vec<usize> = missing
        .iter()
        .copied()
        .filter(|at| !need_not(*at))
        .collect();
    let first = *lost.first()?;
    let last = *lost.last()?;
    let bytes = expected.wanted.get(first).map(|item| item.bytes.as_slice());
    let evidence = format!(
        "{} of {} messages are lost, the first is `{}`",
        lost.len(),
        expected.wanted.len(),
        bytes.unwrap_or_default().escape_ascii()
    );
    let before = sources.iter().any(|source| match source {
        Source::Wanted(at) => *at < first,
        Source::Gone(_) => true,
        Source::Nowhere => false,
    });
    let after = sources
        .iter()
        .any(|source| matches!(source, Source::Wanted(at) if *at > last));
    let clause = match expected.operation {
        Operation::CloseDamageOpen(_) => Clause::C7,
        Operation::KillAndOpen if !after => Clause::Q2,
        Operation::KillAndOpen if before => Clause::Q3,
        Operation::KillAndOpen => Clause::Q4,
        _ if expected.refused => Clause::Q9,
        Operation::Reopen(_) => expected.lost_clause.unwrap_or(Clause::C11),
        Operation::Open | Operation::Put(_) | Operation::Read | Operation::Empty => {
            let running = if after { Clause::Q1 } else { Clause::C12 };
            expected.lost_clause.unwrap_or(running)
        }
    };
    Some((clause, evidence))
}
