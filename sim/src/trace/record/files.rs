//! Judges the directory: what must not be there any more, and what must not be put aside.

use super::item::Item;
use super::segments::{Kind, kind, records, segments};
use crate::scenario::Clause;
use crate::trace::disk::Files;
use std::collections::BTreeSet;

/// Two directories, one step apart, and what is known of them.
#[derive(Debug)]
pub(super) struct Look<'a> {
    pub(super) queue: &'a str,
    pub(super) before: &'a Files,
    pub(super) after: &'a Files,
    /// Segments that damage has touched.
    pub(super) damaged: &'a BTreeSet<i64>,
    /// Names under which damaged bytes are kept.
    pub(super) kept: &'a BTreeSet<String>,
    /// The file that damage touched in this step.
    pub(super) touched: Option<&'a str>,
}

type Found = Vec<(Clause, String)>;

impl Look<'_> {
    /// Segments that were put aside, and quarantined bytes that went away, in this step.
    pub(super) fn put_aside(&self) -> Found {
        let mut found = Found::new();
        for (name, bytes) in self.after {
            if let Kind::Bad(number) = kind(self.queue, name)
                && self.before.get(name) != Some(bytes)
                && self.touched != Some(name)
                && !self.damaged.contains(&number)
            {
                let evidence = format!("a segment without damage was put aside as `{name}`");
                found.push((Clause::Q8, evidence));
            }
        }
        for (name, bytes) in self.before {
            if self.kept.contains(name)
                && self.after.get(name) != Some(bytes)
                && self.touched != Some(name)
            {
                let evidence = format!("the damaged bytes kept as `{name}` are gone");
                found.push((Clause::C7, evidence));
            }
        }
        found
    }

    /// Names under which damaged bytes are kept since this step.
    pub(super) fn newly_kept(&self) -> impl Iterator<Item = &String> {
        self.after
            .keys()
            .filter(|name| match kind(self.queue, name) {
                Kind::Bad(number) => {
                    self.damaged.contains(&number) && !self.before.contains_key(*name)
                }
                Kind::Segment(_) | Kind::Meta | Kind::Temporary | Kind::Other => false,
            })
    }

    /// After an open: finished segments of which nothing is to come, and unfinished files. `left`
    /// is what is still to be delivered; `is_done` tells whether a message was read or dropped.
    /// A name in `told` is not told again.
    pub(super) fn left_behind(
        &self,
        left: &[Item],
        is_done: &dyn Fn(&[u8]) -> bool,
        told: &mut BTreeSet<String>,
    ) -> Found {
        let mut found = Found::new();
        let segments = segments(self.queue, self.after);
        let last = segments.last().map(|(number, _)| *number);
        for (number, bytes) in segments {
            let records = records(number, bytes);
            let whole = records.last().map(|record| record.end) == Some(bytes.len() as u64);
            let over = records.iter().all(|record| {
                is_done(record.body) && !left.iter().any(|one| one.bytes == record.body)
            });
            let finished = Some(number) != last && !self.damaged.contains(&number);
            if finished && whole && over && told.insert(format!("{number}")) {
                let evidence =
                    format!("segment {number} is still there, although all in it was read");
                found.push((Clause::Q8, evidence));
            }
        }
        for name in self.after.keys() {
            if kind(self.queue, name) == Kind::Temporary && told.insert(name.clone()) {
                found.push((Clause::C8, format!("`{name}` was left behind")));
            }
        }
        found
    }
}
