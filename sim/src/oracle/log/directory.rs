//! The rules of a log's directory, at the moments at which they hold: C8, C9, L1, L5, L6, L9,
//! L13, Q12.

use super::names::{LogRole, log_role};
use super::planted::log_staying;
use super::strengths::LogStrengths;
use crate::oracle::directory::{beside_staying, check_staying};
use crate::oracle::{FileSeen, Finding, What};
use crate::scenario::{Clause, LogOp, LogOutcome, LogStates, Planted, WriterOp, WriterState};
use std::collections::BTreeSet;

/// So many sidecars of removed segments are kept.
const SIDECARS_KEPT: usize = 100;

/// What is known of the log when its directory is seen.
#[derive(Debug, Clone)]
pub(super) struct Directory {
    /// Where the log starts and ends, as the writer said last.
    writer: Option<WriterState>,
    /// A segment that ends there or later is full, and is finished by a close at the latest.
    segment_bytes_max: i64,
    /// Bytes behind the end may still be there (L4), as after a crash.
    is_settled: bool,
    /// An operation failed or a fault fired since the last open.
    has_failed: bool,
    /// The clause that says that nothing is left: the log was deleted or moved.
    gone: Option<Clause>,
    /// What moved the log's start last.
    start_clause: Clause,
    /// The sidecars that were there when the directory was seen last.
    sidecars: BTreeSet<u64>,
    /// Retention was the last that the writer did: it keeps the newest of them.
    was_cleaned: bool,
    /// The log may have been deleted, and what was rolled back of it with it.
    was_deleted: bool,
}

impl Directory {
    /// Of a new log with segments of so many bytes.
    pub(super) fn new(segment_bytes_max: u64) -> Self {
        Self {
            writer: None,
            segment_bytes_max: i64::try_from(segment_bytes_max).unwrap_or(i64::MAX),
            is_settled: true,
            has_failed: false,
            gone: None,
            start_clause: Clause::L5,
            sidecars: BTreeSet::new(),
            was_cleaned: false,
            was_deleted: false,
        }
    }

    /// Of a log that a recovery found.
    pub(super) fn recovered(segment_bytes_max: u64) -> Self {
        Self {
            is_settled: false,
            ..Self::new(segment_bytes_max)
        }
    }

    pub(super) fn note_deleted(&mut self, was_deleted: bool) {
        self.was_deleted |= was_deleted;
    }

    pub(super) fn note_fault(&mut self) {
        self.has_failed = true;
    }

    /// A step was right.
    pub(super) fn note(&mut self, op: &LogOp, outcome: &LogOutcome, states: &LogStates) {
        if *op == LogOp::Kill {
            self.is_settled = false;
        }
        if states.writer.is_some() {
            self.writer = states.writer;
        }
        self.note_deleted(*op == LogOp::Writer(WriterOp::Delete));
        if outcome.result.is_err() {
            return;
        }
        let LogOp::Writer(op) = op else {
            return;
        };
        self.was_cleaned = matches!(op, WriterOp::CleanOldData { dry_run: false, .. });
        match op {
            WriterOp::Open => {
                self.has_failed = false;
                self.gone = None;
            }
            WriterOp::Put { .. }
            | WriterOp::PutRaw { .. }
            | WriterOp::Rollback { .. }
            | WriterOp::ResetWriteEnd { .. } => self.is_settled = true,
            WriterOp::Close => {
                if let Some(writer) = &mut self.writer {
                    if writer.write_end.position >= self.segment_bytes_max {
                        writer.write_end.segment += 1;
                        writer.write_end.position = 0;
                    }
                    writer.read_end = writer.write_end;
                }
                self.is_settled = true;
            }
            WriterOp::ResetWriteWithQueueStart { .. } => {
                self.start_clause = Clause::L5;
                self.is_settled = true;
            }
            WriterOp::Empty => {
                self.start_clause = Clause::Q7;
                self.is_settled = true;
            }
            WriterOp::CleanOldData { dry_run: false, .. } => self.start_clause = Clause::L6,
            WriterOp::Delete => self.gone = Some(Clause::Q12),
            WriterOp::RemoveTo { .. } => self.gone = Some(Clause::L13),
            WriterOp::OpenReadOnly
            | WriterOp::TryFixWriteEnd { .. }
            | WriterOp::Flush { .. }
            | WriterOp::FlushBuffer
            | WriterOp::CleanOldData { dry_run: true, .. } => {}
        }
        if self.gone.is_some() {
            self.writer = None;
        }
    }

    /// The first rule that is broken. After a fault only that no file is unknown is asked for.
    pub(super) fn check(
        &self,
        log: &str,
        files: &[FileSeen<'_>],
        planted: &[Planted],
        strengths: LogStrengths,
    ) -> Option<Finding> {
        let staying = log_staying(log, planted, self.was_deleted);
        if let Some(finding) = check_staying(files, &staying) {
            return Some(finding);
        }
        let own: Vec<(LogRole, &FileSeen<'_>)> = beside_staying(files, &staying)
            .into_iter()
            .map(|file| (log_role(log, file.name), file))
            .filter(|(role, _)| *role != LogRole::Foreign)
            .collect();
        let names = own
            .iter()
            .find_map(|(role, file)| check_name(*role, file, strengths));
        if names.is_some() || self.has_failed {
            return names;
        }
        if let Some(clause) = self.gone {
            // A move takes the log along; what a rollback put aside belongs to it no more.
            let is_left = |role: LogRole| {
                let stays = matches!(role, LogRole::Lock | LogRole::Quarantine);
                !stays && (role != LogRole::RolledBack || clause != Clause::L13)
            };
            let left = own.iter().find(|(role, _)| is_left(*role));
            return left.and_then(|(_, file)| broken(clause, file.name, "is left"));
        }
        let writer = self.writer.filter(|_| self.is_settled)?;
        self.check_segments(&own, &writer)
            .or_else(|| check_beside(&own, &writer))
            .or_else(|| self.check_kept(&own, &writer))
    }

    /// Remembers what there is, for the next look.
    pub(super) fn remember(&mut self, log: &str, files: &[FileSeen<'_>]) {
        let roles = files.iter().map(|file| log_role(log, file.name));
        self.sidecars = roles.filter_map(LogRole::sidecar).collect();
    }

    /// L9: of the removed segments the newest sidecars are kept.
    fn check_kept(
        &self,
        own: &[(LogRole, &FileSeen<'_>)],
        writer: &WriterState,
    ) -> Option<Finding> {
        let start = u64::try_from(writer.queue_start.segment).unwrap_or(0);
        let oldest = start.saturating_sub(SIDECARS_KEPT as u64);
        let there: BTreeSet<u64> = own.iter().filter_map(|(role, _)| role.sidecar()).collect();
        let end = u64::try_from(writer.write_end.segment).unwrap_or(u64::MAX);
        let known = self.sidecars.range(oldest..end.max(oldest));
        let mut kept = known.filter(|_| self.was_cleaned);
        let gone = kept.find(|number| !there.contains(number))?;
        let rule = "is gone with its segment, though it is one of the 100 newest";
        broken(Clause::L9, &format!("sidecar {gone}"), rule)
    }

    /// Segments are those from the start to the end, and hold what lies between.
    fn check_segments(
        &self,
        own: &[(LogRole, &FileSeen<'_>)],
        writer: &WriterState,
    ) -> Option<Finding> {
        let (start, end) = (writer.queue_start.segment, writer.write_end.segment);
        let mut held = 0;
        for (role, file) in own {
            let LogRole::Segment(number) = *role else {
                continue;
            };
            let number = i64::try_from(number).unwrap_or(i64::MAX);
            if number < start {
                return broken(self.start_clause, file.name, "lies before the log's start");
            }
            if number > end {
                return broken(Clause::C8, file.name, "lies behind the log's end");
            }
            held += i64::try_from(file.size).unwrap_or(i64::MAX / 4);
        }
        let least = writer.read_end.offset - writer.queue_start.offset;
        let most = writer.write_end.offset - writer.queue_start.offset;
        if held < least {
            let name = format!("*.dat, together {held} bytes");
            return broken(Clause::L1, &name, "segments hold less than was flushed");
        }
        if held > most {
            let name = format!("*.dat, together {held} bytes");
            return broken(Clause::C8, &name, "segments hold more than was put");
        }
        None
    }
}

fn broken(clause: Clause, name: &str, rule: &'static str) -> Option<Finding> {
    Some(Finding {
        clause,
        what: What::File(name.to_owned(), rule),
    })
}

fn check_name(role: LogRole, file: &FileSeen<'_>, strengths: LogStrengths) -> Option<Finding> {
    let is_beside = matches!(role, LogRole::Side | LogRole::Sums(_) | LogRole::Lock);
    match role {
        LogRole::Temporary => broken(Clause::C8, file.name, "is a temporary file"),
        LogRole::Unknown => broken(Clause::C8, file.name, "is none that the format knows"),
        _ if is_beside && !strengths.seglog_files => {
            broken(Clause::C8, file.name, "is none that the original knows")
        }
        LogRole::Segment(_)
        | LogRole::Sidecar(_)
        | LogRole::RolledBack
        | LogRole::Sums(_)
        | LogRole::Meta
        | LogRole::Side
        | LogRole::Lock
        | LogRole::Quarantine
        | LogRole::Foreign => None,
    }
}

/// Sums belong to a segment that is there; sidecars of removed segments are few.
fn check_beside(own: &[(LogRole, &FileSeen<'_>)], writer: &WriterState) -> Option<Finding> {
    let has_segment = |number: u64| {
        let mut roles = own.iter().map(|(role, _)| *role);
        roles.any(|role| role == LogRole::Segment(number))
    };
    let (start, end) = (writer.queue_start.segment, writer.write_end.segment);
    let mut removed = 0;
    for (role, file) in own {
        match *role {
            LogRole::Sums(number) if !has_segment(number) => {
                return broken(Clause::C8, file.name, "has lost the segment it belongs to");
            }
            LogRole::Sidecar(number) => {
                let number = i64::try_from(number).unwrap_or(i64::MAX);
                if number >= end {
                    return broken(Clause::C8, file.name, "belongs to no finished segment");
                }
                removed += usize::from(number < start);
            }
            LogRole::Sums(_)
            | LogRole::Segment(_)
            | LogRole::RolledBack
            | LogRole::Meta
            | LogRole::Side
            | LogRole::Lock
            | LogRole::Quarantine
            | LogRole::Temporary
            | LogRole::Unknown
            | LogRole::Foreign => {}
        }
    }
    let rule = "sidecars of removed segments are more than 100";
    (removed > SIDECARS_KEPT)
        .then(|| broken(Clause::C8, &removed.to_string(), rule))
        .flatten()
}
