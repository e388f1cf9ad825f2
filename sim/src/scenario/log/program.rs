//! What a scenario does with a log: its options and operations, and the bytes that they put.

use super::{LogOp, LogOptions, LogPosition, ReaderOp, SnapshotOp, WriterOp};
use crate::scenario::payload;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A reader takes what is longer for damage, as the original does.
const MESSAGE_BYTES_MAX: u32 = 1 << 28;

/// No scenario puts so much.
const LAST_NUMBERS: i64 = 1 << 32;

/// The operations on a log, in order; nothing is open before the first one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogProgram {
    /// How writer and readers are opened.
    pub options: LogOptions,
    /// What is called.
    pub steps: Vec<LogOp>,
}

impl LogProgram {
    /// Checks what the types cannot say.
    pub(in crate::scenario) fn check(&self) -> Result<(), String> {
        if self.options.message_bytes_min > self.options.message_bytes_max {
            return Err("message_bytes_min is above message_bytes_max".to_owned());
        }
        if i64::try_from(self.options.segment_bytes_max).is_err() {
            return Err("segment_bytes_max does not fit a signed number of 64 bits".to_owned());
        }
        if self.options.segment_bytes_max == 0 || self.options.message_bytes_min == 0 {
            return Err("a segment and a message have at least one byte".to_owned());
        }
        if self.options.message_bytes_max > MESSAGE_BYTES_MAX {
            return Err(format!(
                "a message of a log has at most {MESSAGE_BYTES_MAX} bytes"
            ));
        }
        for op in &self.steps {
            let name = match op {
                LogOp::Reader(name, _) => name,
                LogOp::Writer(WriterOp::RemoveTo { directory }) => directory,
                LogOp::Writer(_) | LogOp::Snapshot(_) | LogOp::Kill => continue,
            };
            if name.is_empty() || name.contains('/') || name.starts_with('.') {
                return Err(format!("`{name}` is no name of a reader or directory"));
            }
        }
        Ok(())
    }

    /// Whether the log is started anew so far on that its numbers may be used up (C13).
    #[must_use]
    pub fn has_last_numbers(&self) -> bool {
        let is_last = |number: i64| number > i64::MAX - LAST_NUMBERS;
        self.steps.iter().any(|op| match op {
            LogOp::Writer(WriterOp::ResetWriteWithQueueStart { offset, count }) => {
                is_last(*offset) || is_last(*count)
            }
            LogOp::Writer(_) | LogOp::Reader(..) | LogOp::Snapshot(_) | LogOp::Kill => false,
        })
    }

    /// The sizes of all messages that it puts.
    pub fn sizes(&self) -> impl Iterator<Item = u32> + '_ {
        self.steps.iter().flat_map(|op| op.sizes()).copied()
    }
}

impl LogOp {
    /// The operation with what it leaves open filled in: `shown` is the read end that the writer
    /// shows now, nothing where it is not open.
    #[must_use]
    pub fn resolved(&self, shown: Option<LogPosition>) -> Cow<'_, Self> {
        let is_open = matches!(self,
            Self::Reader(_, ReaderOp::UpdateQueueEnd { end, .. })
            | Self::Snapshot(SnapshotOp::UpdateQueueEnd { end }) if *end == LogPosition::SHOWN);
        let mut op = Cow::Borrowed(self);
        if is_open
            && let Self::Reader(_, ReaderOp::UpdateQueueEnd { end, .. })
            | Self::Snapshot(SnapshotOp::UpdateQueueEnd { end }) = op.to_mut()
        {
            *end = shown.unwrap_or(LogPosition::SHOWN);
        }
        op
    }

    /// The sizes of the messages that it puts.
    #[must_use]
    pub fn sizes(&self) -> &[u32] {
        if let Self::Writer(WriterOp::Put { size }) = self {
            std::slice::from_ref(size)
        } else if let Self::Writer(WriterOp::PutRaw { sizes, .. }) = self {
            sizes
        } else {
            &[]
        }
    }
}

/// Makes the bytes of one put after the other: messages are numbered in the order in which they
/// are put, refused ones included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LogPayloads {
    next: u32,
}

impl LogPayloads {
    /// Goes on behind the messages of these operations.
    #[must_use]
    pub fn behind(steps: &[LogOp]) -> Self {
        let count: usize = steps.iter().map(|op| op.sizes().len()).sum();
        Self {
            next: u32::try_from(count).unwrap_or(u32::MAX),
        }
    }

    /// The bytes that come with an operation: a message, or whole records of several; nothing for
    /// what puts nothing.
    pub fn of(&mut self, op: &LogOp) -> Vec<u8> {
        let LogOp::Writer(op) = op else {
            return Vec::new();
        };
        if let WriterOp::Put { size } = op {
            return self.message(*size);
        }
        let WriterOp::PutRaw { sizes, missing, .. } = op else {
            return Vec::new();
        };
        let mut bytes = Vec::new();
        for size in sizes {
            bytes.extend(size.to_be_bytes());
            bytes.extend(self.message(*size));
        }
        let missing = usize::try_from(*missing).unwrap_or(usize::MAX);
        bytes.truncate(bytes.len().saturating_sub(missing));
        bytes
    }

    fn message(&mut self, size: u32) -> Vec<u8> {
        let number = self.next;
        self.next = self.next.saturating_add(1);
        payload(number, size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_numbered_in_order() {
        let put = LogOp::Writer(WriterOp::Put { size: 8 });
        let raw = LogOp::Writer(WriterOp::PutRaw {
            sizes: vec![4, 5],
            count: 2,
            missing: 1,
        });
        let steps = [put.clone(), LogOp::Kill, raw.clone()];
        let mut payloads = LogPayloads::default();
        assert_eq!(payloads.of(&put), payload(0, 8));
        assert_eq!(payloads.of(&LogOp::Kill), Vec::<u8>::new());
        let mut records = vec![0, 0, 0, 4];
        records.extend(payload(1, 4));
        records.extend([0, 0, 0, 5]);
        records.extend(payload(2, 5));
        records.pop();
        assert_eq!(payloads.of(&raw), records);
        assert_eq!(payloads, LogPayloads::behind(&steps));
    }
}
