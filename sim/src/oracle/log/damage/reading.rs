//! What one object delivered, held against what the damage left, and the losses that it told.

use super::layout::{Layout, Record, Segment, Touch};
use crate::model::Place;
use crate::oracle::log::chain::behind;
use crate::scenario::{LogMessage, Loss};

/// One pass through the log by a snapshot or reader.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// Who read, for evidence.
    pub(super) who: String,
    /// From where.
    pub(super) from: Place,
    /// Up to where.
    pub(super) to: Place,
    pub(super) messages: Vec<LogMessage>,
    /// What was told while reading.
    pub(super) losses: Vec<Loss>,
    /// Failures that reported damage.
    pub(super) failures: usize,
    /// It was said that there is no more.
    pub(super) is_ended: bool,
}

impl Reading {
    /// What is wrong with it, as a sentence. `told` are losses that were told before it began.
    pub(super) fn check(
        &self,
        layout: &Layout,
        put: Option<(Place, &[u8])>,
        told: &[Loss],
    ) -> Option<String> {
        if layout.is_blind {
            return self.check_order(layout);
        }
        self.check_messages(layout, put)
            .or_else(|| self.check_owed(layout))
            .or_else(|| self.check_losses(layout, told))
            .map(|problem| format!("{}: {problem}", self.who))
    }

    fn has(&self, at: Place) -> bool {
        let mut messages = self.messages.iter();
        messages.any(|message| message.offset == at.offset)
    }

    /// Every message that came is one that may.
    fn check_messages(&self, layout: &Layout, put: Option<(Place, &[u8])>) -> Option<String> {
        let mut last = self.from.offset;
        for message in &self.messages {
            if message.offset < last {
                return Some(format!(
                    "a message came at offset {}, where {last} had been reached",
                    message.offset
                ));
            }
            last = message.offset.saturating_add(1);
            if let Some((at, bytes)) = put
                && message.offset == at.offset
            {
                if message.bytes != bytes || message.count != at.count.saturating_add(1) {
                    return Some(format!(
                        "what was put at offset {} after the damage came changed, with count {}",
                        at.offset, message.count
                    ));
                }
                continue;
            }
            let problem = check_message(layout, message);
            if problem.is_some() {
                return problem;
            }
        }
        match put {
            Some((at, _)) if !self.has(at) => Some(format!(
                "what was put at offset {} after the damage did not come",
                at.offset
            )),
            Some(_) | None => None,
        }
    }

    /// Everything that the damage left came.
    fn check_owed(&self, layout: &Layout) -> Option<String> {
        let mut owed = layout.records().map(|(_, record)| record);
        let missing =
            owed.find(|record| record.is_owed && self.is_in_range(record) && !self.has(record.at))?;
        Some(format!(
            "the message at offset {} (count {}) is undamaged and did not come",
            missing.at.offset, missing.at.count
        ))
    }

    /// What lies behind the end that is left is no matter of who reads.
    fn is_in_range(&self, record: &Record) -> bool {
        self.from <= record.at && record.at.offset < self.to.offset
    }

    fn check_losses(&self, layout: &Layout, told: &[Loss]) -> Option<String> {
        for segment in &layout.segments {
            let lost = segment
                .records
                .iter()
                .filter(|record| self.is_in_range(record) && !self.has(record.at));
            let lost = lost.count() as u64;
            let own: Vec<&Loss> = of_file(&self.losses, &segment.name).collect();
            if lost > 0 && own.is_empty() && !is_told(layout, segment, &self.losses, told) {
                let name = &segment.name;
                return Some(format!(
                    "{lost} messages of `{name}` were lost and no loss was reported"
                ));
            }
            let problem = self.check_claims(segment, &own, lost);
            if problem.is_some() {
                return problem;
            }
        }
        twice(&self.losses)
    }

    /// A report covers nothing that came, and counts what did not.
    fn check_claims(&self, segment: &Segment, own: &[&Loss], lost: u64) -> Option<String> {
        if !segment.is_vouched {
            return None;
        }
        let covers = |loss: &Loss, record: &Record| {
            let (start, end) = (record.bytes.start as u64, record.bytes.end as u64);
            loss.offset < end && start < loss.offset.saturating_add(loss.size)
        };
        let mut claimed = segment
            .records
            .iter()
            .filter(|record| own.iter().any(|loss| covers(loss, record)));
        if let Some(record) = claimed.find(|record| self.has(record.at)) {
            return Some(format!(
                "the message at offset {} came, and was reported as lost",
                record.at.offset
            ));
        }
        let told: Option<u64> = own.iter().map(|loss| loss.messages).sum();
        // One loss may span several missing segments.
        let is_wrong = !own.is_empty() && segment.is_there && told.is_some_and(|told| told != lost);
        is_wrong.then(|| {
            format!(
                "`{}` lost {lost} messages, and the reports say {}",
                segment.name,
                told.unwrap_or_default()
            )
        })
    }

    /// Where nothing vouches for offsets: what must come comes in its order.
    fn check_order(&self, layout: &Layout) -> Option<String> {
        let mut messages = self.messages.iter();
        let mut owed = layout.records().map(|(_, record)| record);
        let missing = owed.find(|record| {
            record.is_owed
                && self.from == Place::default()
                && !messages.any(|message| *message.bytes == *record.message)
        })?;
        Some(format!(
            "{}: the message that stood at offset {} is undamaged and did not come",
            self.who, missing.at.offset
        ))
    }
}

/// What is wrong with a message that came.
fn check_message(layout: &Layout, message: &LogMessage) -> Option<String> {
    let offset = message.offset;
    let found = layout
        .records()
        .find(|(_, record)| record.at.offset == offset);
    let odd = || format!("a message came at offset {offset} that was never there");
    let Some((segment, record)) = found else {
        let is_explained = layout.segments.iter().any(|segment| {
            is_unreadable(segment, offset) && contains(&segment.now, &message.bytes)
        });
        return (!is_explained).then(odd);
    };
    let end = behind(record.at, &record.message);
    let is_whole = *message.bytes == *record.message;
    let may_differ = match record.touch {
        Touch::No => is_unreadable(segment, offset),
        Touch::Body => !segment.is_vouched && message.bytes == segment.body_now(record),
        Touch::Length => !segment.is_vouched && contains(&segment.now, &message.bytes),
    };
    if may_differ {
        return None;
    }
    if !is_whole || record.touch != Touch::No {
        return Some(format!("the message at offset {offset} came changed"));
    }
    let told = Place {
        offset: offset.saturating_add(message.moved),
        count: message.count,
    };
    (told != end).then(|| {
        format!(
            "the message at offset {offset} ends at offset {} (count {}), and was told to end at \
             {} (count {})",
            end.offset, end.count, told.offset, told.count
        )
    })
}

/// Whether nothing tells where records start at this offset: a length before it was changed, and no
/// sums vouch for the segment.
fn is_unreadable(segment: &Segment, offset: i64) -> bool {
    let mut changed = segment.records.iter();
    let first = changed.find(|record| record.touch == Touch::Length);
    let end = segment.end();
    !segment.is_vouched
        && first.is_some_and(|first| first.at.offset <= offset)
        && end.is_some_and(|end| offset < end.offset)
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    part.is_empty() || bytes.windows(part.len()).any(|window| window == part)
}

fn of_file<'l>(losses: &'l [Loss], name: &'l str) -> impl Iterator<Item = &'l Loss> {
    losses.iter().filter(move |loss| loss.file == name)
}

/// Whether a loss of this segment was told: of it, or of a missing one that one report may span.
fn is_told(layout: &Layout, segment: &Segment, own: &[Loss], before: &[Loss]) -> bool {
    let is_missing = |name: &str| layout.segment(name).is_some_and(|one| !one.is_there);
    let mut told = own.iter().chain(before);
    told.any(|loss| loss.file == segment.name || (!segment.is_there && is_missing(&loss.file)))
}

/// C7: each loss is told once.
pub(super) fn twice(losses: &[Loss]) -> Option<String> {
    for (index, one) in losses.iter().enumerate() {
        let mut others = losses.iter().skip(index + 1);
        if others.any(|other| one.file == other.file && overlap(one, other)) {
            return Some(format!(
                "the loss at {} in `{}` was reported twice",
                one.offset, one.file
            ));
        }
    }
    None
}

fn overlap(one: &Loss, other: &Loss) -> bool {
    let ends = |loss: &Loss| loss.offset.saturating_add(loss.size.max(1));
    one.offset < ends(other) && other.offset < ends(one)
}
