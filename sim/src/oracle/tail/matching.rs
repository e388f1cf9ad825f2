//! Which messages the delivered ones are. Those that carry a number are told by it; a sequence of
//! shorter ones is laid over the messages in every way that fits.

use crate::oracle::{Finding, Item, Messages, NEVER, Put, Run, What};
use crate::scenario::Clause;
use std::cmp::Reverse;

/// More readings than this are not told apart.
const READINGS_MAX: usize = 1024;

/// The readings of delivered items.
#[derive(Debug)]
pub(super) struct Readings {
    /// All of them.
    pub runs: Vec<Run>,
    /// What is wrong, where there is none.
    pub wrong: Option<Finding>,
    /// There are too many to tell.
    pub undecided: bool,
}

/// All readings of delivered items.
pub(super) fn read(messages: &Messages, items: &[Item]) -> Readings {
    if items.iter().all(|item| matches!(item, Item::Number(_))) {
        let (run, wrong) = match numbered(messages, items) {
            Ok(run) => (run, None),
            Err(finding) => (None, Some(finding)),
        };
        return Readings {
            runs: run.into_iter().collect(),
            wrong,
            undecided: false,
        };
    }
    let (runs, undecided) = lay(messages, items);
    let none = runs.is_empty() && !undecided;
    Readings {
        wrong: none.then(|| why_none(messages, items)),
        undecided,
        runs,
    }
}

/// Every item carries its number, and numbers grow.
fn numbered(messages: &Messages, items: &[Item]) -> Result<Option<Run>, Finding> {
    let mut run: Option<Run> = None;
    for item in items {
        let Item::Number(number) = *item else {
            continue;
        };
        let Some(put) = messages.get(number) else {
            continue;
        };
        let (first, next, absent, missing) = run.map_or((number, number, NEVER, 0), |run| {
            (run.first, run.end, run.absent_from, run.missing_from)
        });
        let missing = missing.max(gap(messages, next, number)?);
        run = Some(Run {
            first,
            end: number + 1,
            absent_from: absent.min(put.absent_from),
            missing_from: missing,
        });
    }
    Ok(run)
}

/// The position from which on all messages from `from` to before `to` may be missing.
fn gap(messages: &Messages, from: u32, to: u32) -> Result<u32, Finding> {
    let mut since = 0;
    for put in messages.range(from, to) {
        // What is left of a batch is its beginning, whatever became of it.
        let batch = messages.get(to).is_some_and(|next| next.step == put.step);
        if put.may_miss_from() == NEVER || batch {
            let (clause, what) = if batch {
                (Clause::Q10, What::BatchHole(put.number))
            } else {
                (Clause::Q3, What::Hole(put.number))
            };
            return Err(Finding { clause, what });
        }
        since = since.max(put.may_miss_from());
    }
    Ok(since)
}

/// Lays the items over the messages in all ways, item by item: the readings of those so far that
/// differ in what judging asks for. Also tells whether there were too many.
fn lay(messages: &Messages, items: &[Item]) -> (Vec<Run>, bool) {
    let Some((first, rest)) = items.split_first() else {
        return (Vec::new(), false);
    };
    // Where too few messages are left for the items that follow nothing needs to be tried.
    let room = |left: usize| {
        messages
            .count()
            .saturating_sub(u32::try_from(left).unwrap_or(NEVER))
    };
    let mut left = rest.len();
    let mut runs: Vec<Run> = messages
        .range(0, room(left))
        .iter()
        .filter(|put| messages.matches(*first, put.number))
        .map(|put| Run {
            first: put.number,
            end: put.number + 1,
            absent_from: put.absent_from,
            missing_from: 0,
        })
        .collect();
    let mut has_too_many = keep_what_differs(&mut runs);
    for item in rest {
        left -= 1;
        let mut longer = Vec::with_capacity(runs.len());
        for run in &runs {
            let puts = messages.range(run.end, room(left));
            lay_one(messages, puts, *item, *run, &mut longer);
        }
        has_too_many |= keep_what_differs(&mut longer);
        runs = longer;
    }
    runs.sort_unstable();
    (runs, has_too_many)
}

/// Lays one more item behind a reading, on every message up to the first that cannot be missing.
fn lay_one(messages: &Messages, puts: &[Put], item: Item, run: Run, longer: &mut Vec<Run>) {
    let mut missing_from = run.missing_from;
    for put in puts {
        if messages.matches(item, put.number) {
            longer.push(Run {
                end: put.number + 1,
                absent_from: run.absent_from.min(put.absent_from),
                missing_from,
                ..run
            });
        }
        if put.may_miss_from() == NEVER {
            return;
        }
        missing_from = missing_from.max(put.may_miss_from());
    }
}

/// Drops every reading that is allowed only where another one of the same messages is as well,
/// and those beyond the limit: then it says so.
fn keep_what_differs(runs: &mut Vec<Run>) -> bool {
    runs.sort_unstable_by_key(|run| {
        let widest_first = (run.missing_from, Reverse(run.absent_from));
        (run.first, run.end, widest_first)
    });
    let mut widest: Option<Run> = None;
    runs.retain(|run| {
        let is_new = widest.is_none_or(|wide| {
            (wide.first, wide.end) != (run.first, run.end) || wide.absent_from < run.absent_from
        });
        if is_new {
            widest = Some(*run);
        }
        is_new
    });
    let has_too_many = runs.len() > READINGS_MAX;
    runs.truncate(READINGS_MAX);
    has_too_many
}

/// Why no reading fits.
fn why_none(messages: &Messages, items: &[Item]) -> Finding {
    for item in items {
        let known = messages
            .puts()
            .iter()
            .any(|put| messages.matches(*item, put.number));
        if let (false, Item::Short { size, .. }) = (known, *item) {
            return Finding {
                clause: Clause::Q1,
                what: What::Invented(u64::from(size)),
            };
        }
    }
    let first = items.iter().find_map(|item| match item {
        Item::Number(number) => Some(*number),
        Item::Short { .. } | Item::Garbled(_) | Item::Invented => None,
    });
    // Each is one of those put, but together they are no run of puts.
    Finding {
        clause: Clause::Q3,
        what: What::Hole(first.unwrap_or(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some messages without bytes, of which the mask says which may be missing, and since when.
    fn empty_messages(count: u32, mask: u32) -> Messages {
        let mut messages = Messages::default();
        for number in 0..count {
            messages.add(0, number);
            if mask >> number & 1 == 1
                && let Some(put) = messages.get_mut(number)
            {
                put.optional_from = 2 * number + 1;
                if number % 3 == 1 {
                    put.absent_from = 2 * number + 2;
                }
            }
        }
        messages
    }

    /// All choices of `wanted` messages between which only such are left out that may be missing.
    fn one_by_one(messages: &Messages, wanted: usize) -> Vec<Run> {
        let mut runs = Vec::new();
        for chosen in 1u32..1 << messages.count() {
            let (first, end) = (chosen.trailing_zeros(), 32 - chosen.leading_zeros());
            let is_chosen = |number: u32| chosen >> number & 1 == 1;
            let left_out = (first..end).filter(|number| !is_chosen(*number));
            let missing = left_out
                .filter_map(|number| messages.get(number))
                .map(|put| put.may_miss_from())
                .max()
                .unwrap_or(0);
            let absent = (first..end)
                .filter(|number| is_chosen(*number))
                .filter_map(|number| messages.get(number))
                .map(|put| put.absent_from)
                .min();
            if chosen.count_ones() as usize == wanted && missing != NEVER {
                runs.push(Run {
                    first,
                    end,
                    absent_from: absent.unwrap_or(NEVER),
                    missing_from: missing,
                });
            }
        }
        assert!(!keep_what_differs(&mut runs), "there are few");
        runs.sort_unstable();
        runs
    }

    #[test]
    fn all_readings_are_found() {
        for count in 1..7 {
            for mask in 0..1 << count {
                let messages = empty_messages(count, mask);
                for wanted in 1..=count as usize {
                    let items = vec![Item::Short { size: 0, head: 0 }; wanted];
                    let readings = read(&messages, &items);
                    assert_eq!(readings.runs, one_by_one(&messages, wanted), "{mask:b}");
                    assert!(!readings.undecided);
                }
            }
        }
    }

    #[test]
    fn many_messages_that_look_alike_and_may_be_missing_are_read_in_no_time() {
        let mut messages = empty_messages(0, 0);
        for number in 0..300 {
            messages.add(0, number);
            if let Some(put) = messages.get_mut(number) {
                put.optional_from = 0;
            }
        }
        let items = vec![Item::Short { size: 0, head: 0 }; 290];
        let readings = read(&messages, &items);
        assert!(!readings.undecided);
        assert_eq!(
            readings.runs.len(),
            66,
            "eleven places to begin, and to end"
        );
    }
}
