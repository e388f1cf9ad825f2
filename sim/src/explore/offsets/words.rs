//! Operations on an offset store and their answers in words, for timelines.

use crate::explore::words::of_failure;
use crate::scenario::{
    OffsetDialect, OffsetOp, OffsetOptions, OffsetOutcome, OffsetQueue, OffsetReply, ReadFrom,
};
use std::fmt::Write;

/// The options of a store.
pub(super) fn of_options(options: &OffsetOptions) -> String {
    let dialect = match options.dialect {
        OffsetDialect::Go => "the Go client's file",
        OffsetDialect::Java => "the Java client's file",
    };
    format!(
        "client {:?}, group {:?}, {dialect}",
        options.client, options.group
    )
}

fn of_queue(queue: &OffsetQueue) -> String {
    format!("{:?} {} {}", queue.topic, queue.broker, queue.queue_id)
}

/// A call in words.
pub(super) fn of_op(op: &OffsetOp) -> String {
    match op {
        OffsetOp::Open => "open".to_owned(),
        OffsetOp::OpenReadOnly => "open for reading only".to_owned(),
        OffsetOp::Read { queue, from } => {
            let from = match from {
                ReadFrom::Memory => "memory",
                ReadFrom::Store => "the store",
                ReadFrom::MemoryThenStore => "memory, then the store",
            };
            format!("read {} from {from}", of_queue(queue))
        }
        OffsetOp::Update {
            queue,
            offset,
            increase_only,
        } => {
            let how = if *increase_only { "raise" } else { "set" };
            format!("{how} {} to {offset}", of_queue(queue))
        }
        OffsetOp::Persist { queues } => {
            let queues: Vec<String> = queues.iter().map(of_queue).collect();
            format!("persist {}", queues.join(", "))
        }
        OffsetOp::PersistAll => "persist all".to_owned(),
        OffsetOp::Remove { queue } => format!("remove {}", of_queue(queue)),
        OffsetOp::Offsets { topic } => format!("offsets of {topic:?}"),
        OffsetOp::Close => "close".to_owned(),
        OffsetOp::Kill => "the process is killed".to_owned(),
    }
}

/// An answer in words.
pub(super) fn of_outcome(outcome: &OffsetOutcome) -> String {
    let mut words = match &outcome.result {
        Ok(OffsetReply::Done) => "acknowledged".to_owned(),
        Ok(OffsetReply::Offset(Some(offset))) => offset.to_string(),
        Ok(OffsetReply::Offset(None)) => "no offset".to_owned(),
        Ok(OffsetReply::Wrote(true)) => "written".to_owned(),
        Ok(OffsetReply::Wrote(false)) => "nothing to write".to_owned(),
        Ok(OffsetReply::Offsets(offsets)) => format!("{} offsets", offsets.len()),
        Err(failure) => of_failure(failure),
    };
    for loss in &outcome.losses {
        let (size, file, offset) = (loss.size, &loss.file, loss.offset);
        write!(words, "; lost {size} bytes of {file} at {offset}").expect("a string takes all");
    }
    words
}
