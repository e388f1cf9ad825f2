//! The raw shape of the lines, as `serde` takes them apart.

use crate::scenario::{LogPosition, ReaderState, SnapshotState, WriterState};
use crate::trace::fingerprint::Prints;
use crate::trace::text::required;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The first line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    #[serde(rename = "engine")]
    _engine: String,
    #[serde(rename = "version")]
    _version: String,
    pub(super) log: String,
    pub(super) readers: BTreeMap<String, String>,
    pub(super) tier: String,
    pub(super) ended: String,
    pub(super) options: Options,
}

/// How everything is opened.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Options {
    pub(super) segment_bytes_max: u64,
    pub(super) message_bytes_min: u32,
    pub(super) message_bytes_max: u32,
    pub(super) auto_skip_damaged: bool,
}

/// Every further line: the operation, any of its arguments, and what came of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    pub(super) op: String,
    pub(super) result: Answer,
    pub(super) after: After,
    #[serde(default, rename = "note")]
    _note: Option<String>,
    pub(super) reader: Option<String>,
    pub(super) data_b64: Option<String>,
    pub(super) offset: Option<i64>,
    pub(super) count: Option<i64>,
    pub(super) fsync: Option<bool>,
    pub(super) end: Option<LogPosition>,
    pub(super) force: Option<bool>,
    pub(super) moved: Option<i32>,
    pub(super) dry_run: Option<bool>,
    pub(super) offset_max: Option<i64>,
    pub(super) to_offset: Option<i64>,
    pub(super) to_segment: Option<i64>,
    pub(super) to_position: Option<i64>,
    pub(super) file: Option<String>,
    pub(super) how: Option<String>,
    pub(super) size: Option<u64>,
    pub(super) at: Option<u64>,
    pub(super) value: Option<u8>,
}

/// What the operation answered.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Answer {
    #[serde(deserialize_with = "required")]
    pub(super) error: Option<String>,
    pub(super) kind: Option<String>,
    pub(super) data_b64: Option<String>,
    pub(super) offset: Option<i64>,
    pub(super) size: Option<i64>,
    pub(super) count: Option<i64>,
    pub(super) end: Option<LogPosition>,
    pub(super) confirmed: Option<LogPosition>,
    pub(super) queue_start: Option<LogPosition>,
    pub(super) changed: Option<bool>,
    pub(super) had_data: Option<bool>,
    pub(super) moved: Option<Moved>,
}

/// Bytes that a read moved the position by, or files that were moved.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Moved {
    Bytes(i64),
    Files(Prints),
}

/// What had changed after the operation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct After {
    pub(super) writer: Option<WriterState>,
    pub(super) reader_a: Option<ReaderState>,
    pub(super) reader_b: Option<ReaderState>,
    pub(super) snapshot: Option<SnapshotState>,
    #[serde(default)]
    pub(super) files: Prints,
    #[serde(default)]
    pub(super) gone: Vec<String>,
}
