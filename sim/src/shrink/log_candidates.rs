//! Smaller neighbours of a log's program. Offsets move with the sizes of messages, so the
//! operations behind a message that shrinks or goes are moved along.

use super::candidates::{chunks, smaller_sizes};
use crate::scenario::{
    CleanTarget, LogOp, LogOptions, LogPosition, LogProgram, ReaderOp, Scenario, SnapshotOp,
    WriterOp,
};

/// What a record adds to its message.
const HEADER_BYTES: i64 = 4;

/// All candidates of one round, lazily.
pub(super) fn simpler_logs(of: &Scenario) -> impl Iterator<Item = LogProgram> + '_ {
    of.log.iter().flat_map(|log| {
        without_chunks(log)
            .chain(with_simple_options(log))
            .chain((0..log.steps.len()).flat_map(|index| with_simpler_step(log, index)))
    })
}

fn without_chunks(of: &LogProgram) -> impl Iterator<Item = LogProgram> + '_ {
    chunks(of.steps.len()).flat_map(move |chunk| {
        let gone = of.steps.get(chunk.clone()).unwrap_or_default();
        let (bytes, count) = weight(gone);
        let mut smaller = of.clone();
        smaller.steps.drain(chunk.clone());
        let mut moved = smaller.clone();
        for op in moved.steps.iter_mut().skip(chunk.start) {
            shift(op, bytes, count);
        }
        let is_other = moved != smaller;
        std::iter::once(smaller).chain(is_other.then_some(moved))
    })
}

fn with_simple_options(of: &LogProgram) -> impl Iterator<Item = LogProgram> + '_ {
    let (simple, now) = (LogOptions::default(), of.options);
    [
        LogOptions {
            sync_every: simple.sync_every,
            ..now
        },
        LogOptions {
            auto_skip_damaged: simple.auto_skip_damaged,
            ..now
        },
        LogOptions {
            segment_bytes_max: simple.segment_bytes_max,
            ..now
        },
        LogOptions {
            message_bytes_min: simple.message_bytes_min,
            message_bytes_max: simple.message_bytes_max,
            ..now
        },
    ]
    .into_iter()
    .filter(move |options| *options != now)
    .map(|options| LogProgram {
        options,
        ..of.clone()
    })
}

fn with_simpler_step(of: &LogProgram, index: usize) -> Vec<LogProgram> {
    let Some(step) = of.steps.get(index) else {
        return Vec::new();
    };
    let mut programs = Vec::new();
    for op in simpler_ops(step) {
        let (before, after) = (
            weight(std::slice::from_ref(step)),
            weight(std::slice::from_ref(&op)),
        );
        let mut smaller = of.clone();
        if let Some(slot) = smaller.steps.get_mut(index) {
            *slot = op;
        }
        for later in smaller.steps.iter_mut().skip(index + 1) {
            shift(later, before.0 - after.0, before.1 - after.1);
        }
        programs.push(smaller);
    }
    programs
}

fn simpler_ops(op: &LogOp) -> Vec<LogOp> {
    let LogOp::Writer(op) = op else {
        return Vec::new();
    };
    let put = |size: u32| LogOp::Writer(WriterOp::Put { size });
    if let WriterOp::Put { size } = op {
        return smaller_sizes(*size).map(put).collect();
    }
    let WriterOp::PutRaw {
        sizes,
        count,
        missing: 0,
    } = op
    else {
        return Vec::new();
    };
    let Some((last, rest)) = sizes.split_last() else {
        return Vec::new();
    };
    if usize::try_from(*count) != Ok(sizes.len()) {
        return Vec::new();
    }
    let mut simpler = vec![put(*last)];
    if !rest.is_empty() {
        simpler.push(LogOp::Writer(WriterOp::PutRaw {
            sizes: rest.to_vec(),
            count: count - 1,
            missing: 0,
        }));
    }
    simpler
}

/// What operations add to the log if all of them succeed: bytes and messages.
fn weight(ops: &[LogOp]) -> (i64, i64) {
    let sizes = ops.iter().flat_map(LogOp::sizes);
    sizes.fold((0, 0), |(bytes, count), size| {
        (bytes + HEADER_BYTES + i64::from(*size), count + 1)
    })
}

/// Moves the places that an operation names towards the log's start.
fn shift(op: &mut LogOp, bytes: i64, messages: i64) {
    let move_at = |offset: &mut i64, count: &mut i64| {
        if *offset >= bytes {
            *offset = offset.saturating_sub(bytes);
            *count = count.saturating_sub(messages).max(0);
        }
    };
    let move_position = |at: &mut LogPosition| {
        if *at != LogPosition::SHOWN {
            move_at(&mut at.offset, &mut at.count);
        }
    };
    match op {
        LogOp::Writer(WriterOp::Rollback { offset, .. }) => move_at(offset, &mut 0),
        LogOp::Writer(
            WriterOp::ResetWriteEnd { offset, count }
            | WriterOp::TryFixWriteEnd { offset, count }
            | WriterOp::ResetWriteWithQueueStart { offset, count },
        )
        | LogOp::Reader(
            _,
            ReaderOp::ConfirmRead { offset, count }
            | ReaderOp::ResetReadToOffset { offset, count }
            | ReaderOp::SkipReadToOffset { offset, count }
            | ReaderOp::ResetLastReadOne { offset, count, .. },
        )
        | LogOp::Snapshot(
            SnapshotOp::SeekTo { offset, count } | SnapshotOp::ResetSeekTo { offset, count },
        ) if *offset >= 0 => move_at(offset, count),
        LogOp::Writer(WriterOp::CleanOldData {
            target: CleanTarget::Offset(offset),
            ..
        }) => move_at(offset, &mut 0),
        LogOp::Writer(WriterOp::CleanOldData {
            target: CleanTarget::Position(at),
            ..
        })
        | LogOp::Reader(_, ReaderOp::UpdateQueueEnd { end: at, .. })
        | LogOp::Snapshot(SnapshotOp::UpdateQueueEnd { end: at }) => move_position(at),
        LogOp::Writer(_) | LogOp::Reader(..) | LogOp::Snapshot(_) | LogOp::Kill => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_at_the_end_of_what_there_is_do_not_overflow() {
        let put = LogOp::Writer(WriterOp::Put { size: 8 });
        let (offset, count) = (i64::MAX, i64::MIN);
        let of = LogProgram {
            options: LogOptions::default(),
            steps: vec![
                put,
                LogOp::Writer(WriterOp::ResetWriteEnd { offset, count }),
            ],
        };
        assert!(without_chunks(&of).count() > 0);
        let mut op = LogOp::Writer(WriterOp::Rollback {
            offset: i64::MAX,
            count: 1,
        });
        shift(&mut op, i64::MIN, 1);
    }

    #[test]
    fn what_is_left_out_moves_what_comes_after() {
        let put = |size| LogOp::Writer(WriterOp::Put { size });
        let cut = |offset, count| LogOp::Writer(WriterOp::ResetWriteEnd { offset, count });
        let of = LogProgram {
            options: LogOptions::default(),
            steps: vec![put(8), put(6), cut(12, 1)],
        };
        let without_first = LogProgram {
            steps: vec![put(6), cut(0, 0)],
            ..of.clone()
        };
        assert!(without_chunks(&of).any(|one| one == without_first));
        let with_smaller = LogProgram {
            steps: vec![put(4), put(6), cut(8, 1)],
            ..of.clone()
        };
        assert!(with_simpler_step(&of, 0).contains(&with_smaller));
    }
}
