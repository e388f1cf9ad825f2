//! What vectors of the segmented log call, as their steps have it.

use super::super::vector::Bytes;
use super::stages::Place;
use crate::scenario::LogOptions;
use serde::{Deserialize, Serialize};

/// What is called.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Call {
    Writer(WriterCall),
    Reader { name: String, call: ReaderCall },
    Snapshot(SnapshotCall),
    Disk(DiskCall),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum WriterCall {
    Open {
        #[serde(default)]
        options: Option<LogOptions>,
    },
    OpenReadOnly {
        #[serde(default)]
        options: Option<LogOptions>,
    },
    /// By another object, which is dropped at once.
    OpenSecond {},
    Put {
        message_b64: Bytes,
    },
    PutRaw {
        records_b64: Bytes,
        count: u64,
    },
    Flush {
        fsync: bool,
    },
    FlushBuffer {},
    Rollback {
        offset: u64,
        count: u64,
    },
    ResetWriteEnd {
        offset: u64,
        count: u64,
    },
    TryFixWriteEnd {
        offset: u64,
        count: u64,
    },
    ResetWriteWithQueueStart {
        offset: u64,
        count: u64,
    },
    CleanOldData {
        target: Target,
        #[serde(default)]
        dry_run: bool,
        #[serde(default)]
        offset_max: Option<u64>,
        #[serde(default)]
        force: bool,
    },
    Empty {},
    Close {},
    Delete {},
    /// To a directory within that of the log, which is made before.
    RemoveTo {
        directory: String,
    },
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Target {
    Position(Place),
    Offset(u64),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum ReaderCall {
    /// At the writer's read end.
    Open {
        #[serde(default)]
        options: Option<LogOptions>,
    },
    /// By another object, which is dropped at once.
    OpenSecond {},
    /// `end` is a read end that the writer had; left out: that which it has.
    UpdateQueueEnd {
        #[serde(default)]
        end: Option<Place>,
        #[serde(default)]
        force: bool,
    },
    TryReadOne {},
    /// Without an offset: all that was read.
    ConfirmRead {
        #[serde(default)]
        offset: Option<u64>,
        #[serde(default)]
        count: Option<u64>,
    },
    ResetReadToConfirmed {},
    ResetReadToOffset {
        offset: u64,
        #[serde(default)]
        count: Option<u64>,
    },
    ResetReadToQueueStart {},
    SkipReadToOffset {
        offset: u64,
        #[serde(default)]
        count: Option<u64>,
    },
    SkipReadToEnd {},
    SkipToNext {},
    ResetLastReadOne {
        offset: u64,
        #[serde(default)]
        count: Option<u64>,
        moved: u64,
    },
    Flush {
        fsync: bool,
    },
    Close {},
    Delete {},
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum SnapshotCall {
    /// From the writer's start to its read end.
    Open {},
    UpdateQueueEnd {
        #[serde(default)]
        end: Option<Place>,
    },
    SeekTo {
        offset: u64,
        #[serde(default)]
        count: Option<u64>,
    },
    ResetSeekTo {
        offset: u64,
        #[serde(default)]
        count: Option<u64>,
    },
    SeekToEnd {},
    SkipToNext {},
    ReadOne {},
    ReadRaw {
        size: u32,
    },
    Close {},
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum DiskCall {
    /// All objects are dropped as their process dies.
    Kill {},
    /// The disk goes wrong, as these lines say.
    Fault { faults: Vec<String> },
    /// It is right again.
    Heal {},
}
