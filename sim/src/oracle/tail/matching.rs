//! Which messages the delivered ones are. Those that carry a number are told by it; a sequence of
//! shorter ones is laid over the messages in every way that fits.

use crate::oracle::{Finding, Item, Messages, NEVER, Run, What};
use crate::scenario::Clause;

/// More readings than this are not told apart.
const READINGS_MAX: usize = 256;

/// After so many comparisons the search gives up.
const COMPARISONS_MAX: u32 = 1_000_000;

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
    let mut search = Search {
        messages,
        items,
        found: Vec::new(),
        full: false,
        comparisons: 0,
    };
    for put in messages.puts() {
        search.lay(0, put.number, None);
    }
    let none = search.found.is_empty() && !search.full;
    Readings {
        wrong: none.then(|| why_none(messages, items)),
        undecided: search.full,
        runs: search.found,
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

/// Lays items over messages in all ways.
struct Search<'a> {
    messages: &'a Messages,
    items: &'a [Item],
    found: Vec<Run>,
    full: bool,
    comparisons: u32,
}

impl Search<'_> {
    /// Lays the items from `index` on, the first of them on `number`, and looks for all ways to
    /// go on. The depth of calls is bounded, since one way is followed in a loop.
    fn lay(&mut self, index: usize, number: u32, run: Option<Run>) {
        let (mut index, mut number, mut run) = (index, number, run);
        loop {
            let (Some(item), Some(put)) = (self.items.get(index), self.messages.get(number)) else {
                return;
            };
            let may_miss = put.may_miss_from();
            if self.messages.matches(*item, number) {
                if may_miss != NEVER
                    && let Some(before) = run
                {
                    // It may also be that this one is missing and a later one came.
                    let skipped = Run {
                        missing_from: before.missing_from.max(may_miss),
                        ..before
                    };
                    self.lay(index, number + 1, Some(skipped));
                }
                let before = run.unwrap_or(Run {
                    first: number,
                    end: number,
                    absent_from: NEVER,
                    missing_from: 0,
                });
                let after = Run {
                    end: number + 1,
                    absent_from: before.absent_from.min(put.absent_from),
                    ..before
                };
                run = Some(after);
                index += 1;
                if index == self.items.len() {
                    self.keep(after);
                    return;
                }
            } else if let Some(before) = run
                && may_miss != NEVER
            {
                run = Some(Run {
                    missing_from: before.missing_from.max(may_miss),
                    ..before
                });
            } else {
                return;
            }
            number += 1;
            self.comparisons += 1;
            self.full |= self.comparisons > COMPARISONS_MAX;
            if self.full {
                return;
            }
        }
    }

    /// Keeps a reading, in order; most of them are known already.
    fn keep(&mut self, run: Run) {
        let Err(place) = self.found.binary_search(&run) else {
            return;
        };
        if self.found.len() < READINGS_MAX {
            self.found.insert(place, run);
        } else {
            self.full = true;
        }
    }
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
