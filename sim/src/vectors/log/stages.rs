//! What vectors of the segmented log allow, by stage.

use super::super::stages::{ErrorClass, Expected, Lost, OpenLoss};
use super::super::vector::Bytes;
use super::ops::Call;
use crashline::seglog::Position;
use serde::{Deserialize, Serialize};

/// A place: segment, position in it, virtual offset, count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Place(pub(super) [u64; 4]);

impl From<Position> for Place {
    fn from(at: Position) -> Self {
        Self([at.segment, at.position, at.offset, at.count])
    }
}

impl From<Place> for Position {
    fn from(Place([segment, position, offset, count]): Place) -> Self {
        Self {
            segment,
            position,
            offset,
            count,
        }
    }
}

/// A message, where its record begins and the count behind it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Told {
    pub(super) offset: u64,
    pub(super) count: u64,
    pub(super) message_b64: Bytes,
}

/// Stages `read` and `recover`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AllowedLog {
    pub(super) start: Place,
    pub(super) end: Place,
    /// What the writer's open reports, sorted.
    #[serde(default)]
    pub(super) open_losses: Vec<OpenLoss>,
    /// What a snapshot from start to end reads, in order.
    pub(super) messages: Vec<Told>,
    /// What its reads report, in order.
    #[serde(default)]
    pub(super) read_losses: Vec<Lost>,
    /// Readers that are opened, in order, at the end.
    #[serde(default)]
    pub(super) readers: Vec<AllowedReader>,
    /// The directory after reading everything and closing the writer.
    #[serde(default)]
    pub(super) files_after: Option<Vec<Expected>>,
}

/// A reader of stages `read` and `recover`. It reads what of `messages` lies behind its place.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AllowedReader {
    pub(super) name: String,
    /// Where it stands after its open.
    pub(super) at: Place,
    /// What its open reports, sorted.
    #[serde(default)]
    pub(super) open_losses: Vec<OpenLoss>,
}

/// Stages `write` and `operations`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AllowedCalls {
    pub(super) steps: Vec<Step>,
    #[serde(default)]
    pub(super) files_after: Option<Vec<Expected>>,
}

/// Stage `damage`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AllowedDamage {
    pub(super) cases: Vec<Case>,
}

/// What is done to a file, and what may come of it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    pub(super) change: Change,
    /// Starts of the log, one of which must come.
    pub(super) starts: Vec<Place>,
    /// Ends, one of which must come.
    pub(super) ends: Vec<Place>,
    /// Places of the reader `reader`, one of which must come.
    #[serde(default)]
    pub(super) places: Vec<Place>,
    #[serde(default)]
    pub(super) reader: Option<String>,
    /// Whether a loss must be reported by one of the opens, or must not.
    #[serde(default)]
    pub(super) reports: Option<bool>,
}

/// A change of a file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Change {
    /// Only so many bytes are left.
    Cut(usize),
    /// The bytes from the first to before the second are zeros.
    Zero(usize, usize),
    /// This bit of the byte is another one.
    Flip(usize, u8),
    /// It is gone.
    Remove,
}

/// A call, and what comes of it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    pub(super) call: Call,
    pub(super) answer: Answer,
    /// Losses that it meets, in order.
    #[serde(default)]
    pub(super) losses: Vec<Lost>,
    /// What the object says of itself afterwards.
    #[serde(default)]
    pub(super) stands: Option<Stands>,
}

/// What a call answers.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Answer {
    Done,
    Nothing,
    Put {
        offset: u64,
        size: u64,
        end: Place,
    },
    Position(Place),
    /// The log's start; none where nothing is to remove.
    Start(Option<Place>),
    HadData(bool),
    Changed(bool),
    Message {
        offset: u64,
        moved: u64,
        count: u64,
        message_b64: Bytes,
    },
    RawB64(Bytes),
    Error(ErrorClass),
}

/// What an object says of itself.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Stands {
    Writer {
        start: Place,
        end: Place,
        read_end: Place,
    },
    Reader {
        confirmed: Place,
        read: Place,
        end: Place,
        depth: u64,
        depth_size: u64,
        waiting: bool,
    },
    Snapshot {
        at: Place,
    },
}
