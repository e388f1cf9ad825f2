//! The raw shape of a trace's lines, as `serde` takes them apart.

use super::text::required;
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
    pub(super) queue: String,
    pub(super) tier: String,
    pub(super) ended: String,
    pub(super) options: Options,
}

/// The options that the queue is opened with first.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Options {
    pub(super) segment_bytes_max: u64,
    pub(super) message_bytes_min: u32,
    pub(super) message_bytes_max: u32,
    pub(super) sync_every: u64,
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
    #[serde(default)]
    pub(super) data_b64: Option<String>,
    #[serde(default)]
    pub(super) segment_bytes_max: Option<u64>,
    #[serde(default)]
    pub(super) message_bytes_min: Option<u32>,
    #[serde(default)]
    pub(super) message_bytes_max: Option<u32>,
    #[serde(default)]
    pub(super) sync_every: Option<u64>,
    #[serde(default)]
    pub(super) file: Option<String>,
    #[serde(default)]
    pub(super) how: Option<String>,
    #[serde(default)]
    pub(super) size: Option<u64>,
    #[serde(default)]
    pub(super) at: Option<u64>,
    #[serde(default)]
    pub(super) value: Option<u8>,
}

/// What the operation answered.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Answer {
    #[serde(deserialize_with = "required")]
    pub(super) error: Option<String>,
    #[serde(default)]
    pub(super) kind: Option<String>,
    #[serde(default)]
    pub(super) data_b64: Option<String>,
}

/// What had changed after the operation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct After {
    #[serde(default)]
    pub(super) depth: Option<i64>,
    #[serde(default)]
    pub(super) files: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) gone: Vec<String>,
}
