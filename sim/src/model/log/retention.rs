//! Removing whole segments from the log's start.

use super::answer::LogAnswer;
use super::core::LogModel;
use super::place::Place;
use super::reader::standing;
use crate::scenario::{CleanTarget, LogPosition, LogReply, WriterOp};

/// Segments at the log's end that always stay; the last one may be empty.
const SEGMENTS_KEPT: usize = 2;

impl LogModel {
    /// The bound is the target, the caller's limit, and the lowest confirmed position of all
    /// readers. Whether a segment goes that ends exactly at a target told as an offset alone, and
    /// whether anything goes where the target itself lies behind the limit, is free.
    pub(super) fn clean(&self, op: &WriterOp) -> Vec<(LogAnswer, Self)> {
        let WriterOp::CleanOldData {
            target,
            dry_run,
            offset_max,
        } = *op
        else {
            return Vec::new();
        };
        let (asked, is_exact) = match target {
            CleanTarget::Position(LogPosition { offset, .. }) => (offset, true),
            CleanTarget::Offset(offset) => (offset, false),
        };
        let confirmed = self.readers.values();
        let confirmed = confirmed.map(|reader| standing(reader, &self.content).confirmed);
        let limit = if offset_max == 0 {
            i64::MAX
        } else {
            offset_max
        };
        let readers = confirmed.map(|confirmed| confirmed.offset).min();
        let bound = limit.min(readers.unwrap_or(i64::MAX));
        let mut removals = vec![self.finished_before(bound.min(asked))];
        if !is_exact {
            removals.push(self.finished_before(bound.min(asked.saturating_sub(1))));
        }
        if asked > limit {
            removals.push(0);
        }
        if !self.readers.is_empty() {
            // What a reader confirmed need not be saved yet, and what is saved holds back, too.
            removals.extend(0..removals.first().copied().unwrap_or(0));
        }
        if self.content.may_go_on {
            // The segment behind the end may not be one of the last that stay.
            let removable = self
                .content
                .segments
                .len()
                .saturating_sub(SEGMENTS_KEPT + 1);
            removals.extend(removals.first().map(|first| removable.min(*first)));
        }
        removals.sort_unstable_by(|one, other| other.cmp(one));
        removals.dedup();
        let mut outcomes = Vec::new();
        for removed in removals {
            let mut after = self.clone();
            after.content.remove(removed);
            let start = after.content.start();
            let start = after.content.position(start);
            let after = if dry_run { self.clone() } else { after };
            if removed == 0 {
                outcomes.push((start_reply(None), after.clone()));
            }
            outcomes.push((start_reply(Some(start)), after));
        }
        outcomes
    }

    /// How many segments may go that end at or before an offset.
    fn finished_before(&self, offset: i64) -> usize {
        let segments = &self.content.segments;
        let removable = segments.len().saturating_sub(SEGMENTS_KEPT);
        let ends = segments.iter().skip(1).map(|next| next.start);
        ends.take(removable)
            .take_while(|end: &Place| end.offset <= offset)
            .count()
    }
}

fn start_reply(start: Option<LogPosition>) -> LogAnswer {
    LogAnswer::Reply(LogReply::Start(start))
}
