//! Which crash a replay looks at.

use serde::{Deserialize, Serialize};

/// How the process ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CrashKind {
    /// The process dies; the page cache lives on.
    Kill,
    /// The machine dies; what the profile's rules made durable is left.
    PowerCut,
}

/// What is read where a write beyond the durable size was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fill {
    /// Zero bytes.
    Zeros,
    /// Arbitrary bytes.
    Garbage,
    /// Bytes of a removed file or of an earlier time, whole valid records included.
    Stale,
    /// Each lost sector reads as one of the above, as its place decides.
    Mixed,
}

/// One crash: where it falls and what the disk kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrashChoice {
    /// The crash comes after this many effects of the recording took place in the page cache.
    pub point: u32,
    /// And after this many operation starts and ends.
    #[serde(default)]
    pub marks: u32,
    /// Kill or power cut.
    pub kind: CrashKind,
    /// The numbers of the effects before `point` that were not durable and were lost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<u32>,
    /// What lost bytes inside the size read as.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<Fill>,
}
