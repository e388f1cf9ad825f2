//! The rules of the directory, at the moments at which they hold.

use super::planted::{beside_staying, check_staying, staying};
use super::segment::{is_whole, sizes};
use super::{FileSeen, Role, role};
use crate::oracle::{Finding, Messages, What};
use crate::scenario::{Clause, Planted};

/// What is known of the queue at the moment at which the directory is seen.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::oracle) struct Moment {
    /// The sizes of all records that are still to be delivered, together, once what is finished
    /// must have been removed.
    pub unread_bytes: Option<u64>,
    /// The queue was deleted.
    pub deleted: bool,
    /// Nothing was ever lost, so that nothing can have been kept aside.
    pub undamaged: bool,
    /// Nothing but the process ever died, and all messages below this number came or had come:
    /// what was kept aside holds none of them whole.
    pub delivered_below: u32,
    /// The limits of message sizes that are in force, smallest and largest.
    pub limits: Option<(u32, u32)>,
}

/// The first rule that is broken.
pub(in crate::oracle) fn check(
    queue: &str,
    files: &[FileSeen<'_>],
    planted: &[Planted],
    moment: Moment,
    messages: &Messages,
) -> Option<Finding> {
    let staying = staying(queue, planted);
    let own = beside_staying(files, &staying);
    check_staying(files, &staying)
        .or_else(|| check_names(queue, &own, moment, messages))
        .or_else(|| check_finished(queue, &own, moment.unread_bytes?))
}

fn broken(clause: Clause, name: &str, rule: &'static str) -> Option<Finding> {
    Some(Finding {
        clause,
        what: What::File(name.to_owned(), rule),
    })
}

fn check_names(
    queue: &str,
    files: &[&FileSeen<'_>],
    moment: Moment,
    messages: &Messages,
) -> Option<Finding> {
    let has_segment = |number: u64| {
        files
            .iter()
            .any(|file| role(queue, file.name) == Role::Segment(number))
    };
    for file in files {
        let role = role(queue, file.name);
        let left = moment.deleted && !matches!(role, Role::Lock | Role::Quarantine | Role::Foreign);
        if left {
            return broken(Clause::Q12, file.name, "is left after the delete");
        }
        let finding = match role {
            Role::TemporaryMeta => broken(Clause::C8, file.name, "is a temporary file"),
            Role::Unknown | Role::Foreign => {
                broken(Clause::C8, file.name, "is none that the format knows")
            }
            Role::Sums(number) if !has_segment(number) => {
                broken(Clause::C8, file.name, "has lost the segment it belongs to")
            }
            Role::Quarantine => check_quarantine(file, moment, messages),
            Role::Segment(_) | Role::Meta | Role::Spare | Role::Sums(_) | Role::Lock => None,
        };
        if finding.is_some() {
            return finding;
        }
    }
    None
}

fn check_quarantine(file: &FileSeen<'_>, moment: Moment, messages: &Messages) -> Option<Finding> {
    let below = moment.delivered_below;
    let bytes = file.bytes.unwrap_or_default();
    if !moment.undamaged && !is_whole(bytes, below, messages) {
        return None;
    }
    let refused = moment
        .limits
        .is_some_and(|(min, max)| sizes(bytes).any(|size| !(min..=max).contains(&size)));
    if refused {
        let rule = "was kept aside for a message whose size is beyond the limits of today";
        return broken(Clause::Q9, file.name, rule);
    }
    broken(Clause::Q8, file.name, "was kept aside and is not damaged")
}

/// Q8: from the end of the queue backwards, only as many segments are there as unread messages
/// need; the last one is being written and may always be there.
fn check_finished(queue: &str, files: &[&FileSeen<'_>], unread_bytes: u64) -> Option<Finding> {
    let mut segments: Vec<(u64, &FileSeen<'_>)> = files
        .iter()
        .filter_map(|file| match role(queue, file.name) {
            Role::Segment(number) => Some((number, *file)),
            Role::Meta
            | Role::TemporaryMeta
            | Role::Spare
            | Role::Sums(_)
            | Role::Lock
            | Role::Quarantine
            | Role::Unknown
            | Role::Foreign => None,
        })
        .collect();
    segments.sort_by_key(|(number, _)| *number);
    let mut behind: Option<u64> = None;
    for (_, file) in segments.into_iter().rev() {
        if behind.is_some_and(|bytes| bytes >= unread_bytes) {
            return broken(Clause::Q8, file.name, "holds only messages that were read");
        }
        behind = Some(behind.unwrap_or(0) + file.size);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{PlantedKind, payload};

    fn clause(names: &[(&str, u64)], moment: Moment) -> Option<Clause> {
        let files: Vec<FileSeen<'_>> = names
            .iter()
            .map(|(name, size)| FileSeen {
                name,
                size: *size,
                bytes: None,
            })
            .collect();
        check("q", &files, &[], moment, &Messages::default()).map(|finding| finding.clause)
    }

    fn unread(bytes: u64) -> Moment {
        Moment {
            unread_bytes: Some(bytes),
            ..Moment::default()
        }
    }

    #[test]
    fn finished_segments_are_gone() {
        let two = [
            ("q.diskqueue.000000.dat", 36),
            ("q.diskqueue.000001.dat", 12),
        ];
        assert_eq!(clause(&two, unread(24)), None);
        assert_eq!(clause(&two, unread(13)), None);
        assert_eq!(clause(&two, unread(12)), Some(Clause::Q8));
        assert_eq!(clause(&two, unread(0)), Some(Clause::Q8));
        assert_eq!(clause(&two, Moment::default()), None);
        let one = [("q.diskqueue.000007.dat", 12)];
        assert_eq!(clause(&one, unread(0)), None);
    }

    #[test]
    fn nothing_is_left_lying_about() {
        let now = Moment::default();
        assert_eq!(clause(&[("q.diskqueue.meta.dat", 256)], now), None);
        assert_eq!(
            clause(&[("q.diskqueue.meta.dat.77.tmp", 9)], now),
            Some(Clause::C8)
        );
        assert_eq!(
            clause(&[("q.diskqueue.meta.new", 9)], now),
            Some(Clause::C8)
        );
        assert_eq!(clause(&[("scratch", 9)], now), Some(Clause::C8));
        let sums = ("q.diskqueue.000003.sums", 80);
        assert_eq!(clause(&[sums], now), Some(Clause::C8));
        assert_eq!(clause(&[sums, ("q.diskqueue.000003.dat", 8)], now), None);
    }

    #[test]
    fn delete_leaves_lock_and_quarantine() {
        let deleted = Moment {
            deleted: true,
            ..Moment::default()
        };
        let kept = [("q.diskqueue.lock", 0), ("q.diskqueue.000003.dat.bad", 8)];
        assert_eq!(clause(&kept, deleted), None);
        for name in [
            "q.diskqueue.meta.dat",
            "q.diskqueue.000003.dat",
            "q.diskqueue.meta.spare",
        ] {
            assert_eq!(clause(&[(name, 0)], deleted), Some(Clause::Q12), "{name}");
        }
    }

    #[test]
    fn files_of_others_stay_as_they_are() {
        let planted = [Planted {
            name: "q2.diskqueue.000000.dat".to_owned(),
            kind: PlantedKind::File,
            text: "\u{1}\u{2}\u{3}".to_owned(),
        }];
        let seen = |name, bytes: &'static [u8]| FileSeen {
            name,
            size: bytes.len() as u64,
            bytes: Some(bytes),
        };
        let judge = |files: &[FileSeen<'_>]| {
            check(
                "q",
                files,
                &planted,
                Moment::default(),
                &Messages::default(),
            )
            .map(|finding| finding.clause)
        };
        assert_eq!(judge(&[seen("q2.diskqueue.000000.dat", &[1, 2, 3])]), None);
        assert_eq!(
            judge(&[seen("q2.diskqueue.000000.dat", &[1, 2, 4])]),
            Some(Clause::C9)
        );
        assert_eq!(judge(&[]), Some(Clause::C9));
    }

    #[test]
    fn what_is_whole_is_not_kept_aside() {
        let mut messages = Messages::default();
        messages.add(8, 0);
        let mut record = 8_u32.to_be_bytes().to_vec();
        record.extend(payload(0, 8));
        let judge = |bytes: &[u8], moment| {
            let file = FileSeen {
                name: "q.diskqueue.000000.dat.bad",
                size: bytes.len() as u64,
                bytes: Some(bytes),
            };
            check("q", &[file], &[], moment, &messages).map(|finding| finding.clause)
        };
        let kills = Moment {
            delivered_below: 1,
            ..Moment::default()
        };
        assert_eq!(judge(&record, kills), Some(Clause::Q8));
        assert_eq!(judge(&record[..11], kills), None);
        assert_eq!(judge(&record, Moment::default()), None);
        let undamaged = Moment {
            undamaged: true,
            ..kills
        };
        assert_eq!(judge(&record[..11], undamaged), Some(Clause::Q8));
    }
}
