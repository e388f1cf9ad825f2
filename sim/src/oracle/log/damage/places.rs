//! Where writer and readers stand after the damage: only at places that were true.

use super::held::HeldPlaces;
use super::layout::Layout;
use crate::model::Place;
use crate::scenario::{Loss, ReaderState, WriterState};

/// What is wrong with where the log starts and ends, as a sentence.
pub(super) fn check_writer(
    layout: &Layout,
    writer: &WriterState,
    losses: &[Loss],
) -> Option<String> {
    let [start, end, shown] =
        [writer.queue_start, writer.write_end, writer.read_end].map(Place::from);
    if start.offset > end.offset || start.count > end.count || shown != end {
        return Some(format!(
            "the log starts at {}, ends at {} and is read to {}",
            writer.queue_start, writer.write_end, writer.read_end
        ));
    }
    if layout.is_blind {
        let is_silent = losses.is_empty() && (start, end) != (layout.start, layout.end);
        return is_silent.then(|| moved(layout, writer));
    }
    let is_true = layout.is_boundary(start) && layout.is_boundary(end);
    let is_within = layout.start <= start && end <= layout.end;
    let mut outside = layout
        .records()
        .filter(|(_, record)| record.at < start || end <= record.at);
    if !is_true || !is_within || outside.clone().any(|(_, record)| record.is_owed) {
        return Some(moved(layout, writer));
    }
    let is_told = |name: &str| losses.iter().any(|loss| loss.file == name);
    let untold = outside.find(|(segment, _)| {
        // One report may span several segments that are missing.
        let mut missing = layout.segments.iter().filter(|other| !other.is_there);
        !is_told(&segment.name) && (segment.is_there || !missing.any(|other| is_told(&other.name)))
    });
    untold.map(|(segment, _)| {
        format!(
            "{}, and the loss of what was in `{}` was not reported",
            moved(layout, writer),
            segment.name
        )
    })
}

fn moved(layout: &Layout, writer: &WriterState) -> String {
    format!(
        "the log lay between offsets {} and {} (counts {} and {}), and is said to lie between {} \
         and {}",
        layout.start.offset,
        layout.end.offset,
        layout.start.count,
        layout.end.count,
        writer.queue_start,
        writer.write_end
    )
}

/// A reader as it was before the damage, and as it was opened after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReaderSeen<'r> {
    pub(super) name: &'r str,
    pub(super) log: &'r str,
    /// Where it was.
    pub(super) was: Place,
    pub(super) now: ReaderState,
    /// What its open told.
    pub(super) losses: &'r [Loss],
}

impl ReaderSeen<'_> {
    /// Whether its position is taken from files that the damage touched.
    fn is_touched(&self, layout: &Layout) -> bool {
        layout.is_any_damaged(|name| self.is_own(name) || is_of_positions(self.log, name))
    }

    /// Whether a file is one of the reader's own.
    fn is_own(&self, file: &str) -> bool {
        let Self { name, log, .. } = self;
        let rest = file
            .strip_prefix(&format!("{log}:{name}.diskqueue.meta."))
            .unwrap_or_default();
        let is_meta = matches!(rest, "v2.reader.dat" | "v2.reader.copy" | "reader.dat");
        is_meta || file == format!("{log}.diskqueue.reader.{log}:{name}.lock")
    }

    /// What is wrong with where it stands, as a sentence.
    pub(super) fn check(
        &self,
        layout: &Layout,
        held: &HeldPlaces,
        writer: &WriterState,
    ) -> Option<String> {
        let [confirmed, read, end] =
            [self.now.confirmed, self.now.read, self.now.end].map(Place::from);
        let name = self.name;
        if read != confirmed || end != Place::from(writer.read_end) {
            return Some(format!(
                "reader {name} stands at {}, reads from {} and ends at {}",
                self.now.confirmed, self.now.read, self.now.end
            ));
        }
        self.check_depth(confirmed, end)
            .or_else(|| self.check_place(layout, held, writer))
            .or_else(|| self.check_claims(layout, held, writer))
    }

    fn check_depth(&self, confirmed: Place, end: Place) -> Option<String> {
        let depth = (end.count - confirmed.count, end.offset - confirmed.offset);
        let told = (self.now.depth, self.now.depth_size);
        (told != depth).then(|| {
            format!(
                "reader {} told a depth of {} ({} bytes), and {} ({} bytes) lie before it",
                self.name, told.0, told.1, depth.0, depth.1
            )
        })
    }

    fn check_place(
        &self,
        layout: &Layout,
        held: &HeldPlaces,
        writer: &WriterState,
    ) -> Option<String> {
        let (start, end) = (
            Place::from(writer.queue_start),
            Place::from(writer.write_end),
        );
        let at = Place::from(self.now.confirmed);
        let left = |place: Place| place.min(end).max(start);
        if layout.is_blind {
            let is_within = start.offset <= at.offset && at.offset <= end.offset;
            return (!is_within).then(|| self.moved());
        }
        let is_touched = self.is_touched(layout);
        let is_known = at == left(self.was)
            || is_touched && held.of(self.name).any(|place| left(place) == at)
            || is_touched && at == start && !self.losses.is_empty();
        (!is_known).then(|| self.moved())
    }

    fn moved(&self) -> String {
        let Self { name, was, now, .. } = self;
        let told = match self.losses.len() {
            0 => "without a reported loss",
            _ => "with a reported loss",
        };
        format!(
            "reader {name} was at offset {} (count {}), and stands at {} {told}",
            was.offset, was.count, now.confirmed
        )
    }

    /// Losses are told of what was damaged, or where the log's start passed the reader.
    fn check_claims(
        &self,
        layout: &Layout,
        held: &HeldPlaces,
        writer: &WriterState,
    ) -> Option<String> {
        let is_touched = self.is_touched(layout);
        let start = Place::from(writer.queue_start);
        // Without the cuts nothing tells that the start was moved by a reset.
        let is_passed = self.was < start
            || layout.is_blind
            || is_touched && held.of(self.name).any(|place| place < start);
        let odd = self.losses.iter().find(|loss| {
            let is_own = is_touched && self.is_own(&loss.file);
            !is_passed && !is_own && !layout.damaged.contains(&loss.file)
        })?;
        Some(format!(
            "reader {} reported a loss in `{}`, which is undamaged",
            self.name, odd.file
        ))
    }
}

/// Whether a file of the log says where readers' positions stand in it: metas, cuts, the lock.
fn is_of_positions(log: &str, name: &str) -> bool {
    let rest = name
        .strip_prefix(log)
        .and_then(|rest| rest.strip_prefix(".diskqueue."));
    matches!(
        rest,
        Some("meta.writer.dat" | "meta.writer.dat.tmp" | "cuts" | "cuts.spare" | "lock")
    )
}
