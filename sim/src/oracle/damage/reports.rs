//! Which losses must be reported, how often, and what must be kept aside.

use super::layout::{Layout, NamedFile, Segment, Touch};
use crate::oracle::{Role, role};
use crate::scenario::Loss;

/// Whether the loss of a segment can be known. Without its meta a queue starts at the first segment
/// that is there and ends with the last one: of a segment that is gone, only a gap between others
/// tells.
fn can_be_known(layout: &Layout, queue: &str, segment: &Segment) -> bool {
    let number = |segment: &Segment| match role(queue, &segment.name) {
        Role::Segment(number) => Some(number),
        Role::Meta
        | Role::TemporaryMeta
        | Role::Spare
        | Role::Sums(_)
        | Role::Lock
        | Role::Quarantine
        | Role::Unknown
        | Role::Foreign => None,
    };
    let own = number(segment);
    let there = || {
        let there = layout.segments.iter().filter(|other| other.there);
        there.filter_map(number)
    };
    let is_between =
        there().any(|other| Some(other) < own) && there().any(|other| Some(other) > own);
    segment.there || is_between || !layout.meta_damaged
}

/// The first thing that is wrong with the reports, as the end of a sentence.
pub(super) fn check(
    layout: &Layout,
    queue: &str,
    losses: &[Loss],
    missing: impl Fn(u32) -> bool,
) -> Option<String> {
    for segment in &layout.segments {
        let lost = lost(segment, &missing);
        let reports: Vec<&Loss> = losses
            .iter()
            .filter(|loss| loss.file == segment.name)
            .collect();
        if lost > 0 && reports.is_empty() && can_be_known(layout, queue, segment) {
            return Some(format!(
                "{lost} messages of `{}` were lost and no loss was reported",
                segment.name
            ));
        }
        if let Some(problem) = check_segment(segment, &reports, lost) {
            return Some(problem);
        }
    }
    let unknown = losses.iter().find(|loss| {
        let damaged = layout.damaged_names.contains(&loss.file);
        // Without its meta a queue cannot know everything about its segments.
        !damaged && !layout.meta_damaged
    });
    unknown.map(|loss| format!("a loss in `{}` was reported, which is undamaged", loss.file))
}

/// How many unread messages of a segment did not come although they were there before.
fn lost(segment: &Segment, missing: &impl Fn(u32) -> bool) -> u64 {
    let lost = segment
        .records
        .iter()
        .filter(|record| record.unread && record.touch != Touch::No && missing(record.number));
    lost.count() as u64
}

fn check_segment(segment: &Segment, reports: &[&Loss], lost: u64) -> Option<String> {
    for (index, one) in reports.iter().enumerate() {
        let twice = reports
            .iter()
            .skip(index + 1)
            .any(|other| overlap(one, other));
        if twice {
            return Some(format!(
                "the loss at {} in `{}` was reported twice",
                one.offset, one.file
            ));
        }
    }
    let told: Option<u64> = reports.iter().map(|loss| loss.messages).sum();
    let touched = segment
        .records
        .iter()
        .filter(|record| record.touch != Touch::No)
        .count() as u64;
    match told {
        Some(told) if segment.vouched && !reports.is_empty() && (told < lost || told > touched) => {
            Some(format!(
                "`{}` lost {lost} messages, and the reports say {told}",
                segment.name
            ))
        }
        _ => None,
    }
}

fn overlap(one: &Loss, other: &Loss) -> bool {
    let ends = |loss: &Loss| loss.offset.saturating_add(loss.size.max(1));
    one.offset < ends(other) && other.offset < ends(one)
}

/// The first file that was kept aside and is gone or another one in the end.
pub(super) fn check_kept(kept: &[NamedFile], at_end: &[NamedFile]) -> Option<String> {
    let (name, _) = kept.iter().find(|kept| !at_end.contains(kept))?;
    Some(format!(
        "`{name}` was kept aside, and was replaced or removed later"
    ))
}

/// The first loss whose bytes were not kept aside.
pub(super) fn check_quarantine(
    layout: &Layout,
    queue: &str,
    losses: &[Loss],
    at_end: &[NamedFile],
) -> Option<String> {
    for loss in losses {
        let Some(segment) = layout.segment(&loss.file).filter(|segment| segment.there) else {
            continue;
        };
        let start = usize::try_from(loss.offset).unwrap_or(usize::MAX);
        let size = usize::try_from(loss.size).unwrap_or(usize::MAX);
        let end = start.saturating_add(size).min(segment.now.len());
        let damaged = segment.now.get(start..end).unwrap_or_default();
        let kept = at_end.iter().any(|(name, bytes)| {
            let aside = role(queue, name) == Role::Quarantine && name.starts_with(&loss.file);
            aside
                && (bytes
                    .windows(damaged.len().max(1))
                    .any(|window| window == damaged))
        });
        if !damaged.is_empty() && !kept {
            return Some(format!(
                "the {} damaged bytes at {} in `{}` were not kept aside",
                damaged.len(),
                loss.offset,
                loss.file
            ));
        }
    }
    None
}
