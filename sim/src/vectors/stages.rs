//! What `allowed` holds, by stage.

use super::vector::{Bytes, Name};
use crate::scenario::FifoOptions;
use serde::{Deserialize, Serialize};

/// A place in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The segment's number.
    pub segment: u64,
    /// Bytes from its start.
    pub offset: u64,
}

/// Stage `parse-meta`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, tag = "state", rename_all = "kebab-case")]
pub enum AllowedMeta {
    /// Ours, and whole.
    Noted {
        /// Messages between the positions.
        depth: i64,
        /// The next message to deliver.
        read: Place,
        /// Where the next record goes.
        write: Place,
        /// 32 hex digits, or dashes where it was not known.
        boot: String,
        /// The life of the log.
        generation: u64,
        /// Closed cleanly.
        closed: bool,
        /// Bytes of the write segment's sums that count.
        sums_bytes: u64,
    },
    /// An original wrote last.
    Bare {
        /// Messages between the positions, as the original counted.
        depth: i64,
        /// The next message to deliver.
        read: Place,
        /// Where the next record goes.
        write: Place,
    },
    /// Nothing in it is believed.
    Damaged {},
}

/// Stage `read`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllowedRead {
    /// What must come, in order.
    pub deliver_b64: Vec<Bytes>,
    /// How many messages that were read before may come before it.
    pub again_before_max: usize,
    /// What the queue says of itself directly after it was opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
}

/// A loss, as C7 has it reported.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lost {
    /// The file's name.
    pub file: Name,
    /// Where in it the loss starts.
    pub offset: u64,
    /// How many bytes were passed over, as far as is known.
    pub size: u64,
    /// How many messages were in them, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<u64>,
}

/// A loss that the open reports, and whether a promise covered it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenLoss {
    /// Where it is.
    pub lost: Lost,
    /// False: bytes that were never durable, so that reporting them is left to the port.
    pub damaged: bool,
}

/// Stage `recover`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllowedRecover {
    /// What the queue says of itself directly after it was opened.
    pub depth: u64,
    /// What the open reports, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open_losses: Vec<OpenLoss>,
    /// What must come, in order.
    pub deliver_b64: Vec<Bytes>,
    /// What the reads report, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read_losses: Vec<Lost>,
    /// The directory after reading everything and closing.
    pub files_after: Vec<Expected>,
}

/// Stages `write` and `operations`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllowedSteps {
    /// Operations in order, each with its answer.
    pub steps: Vec<VectorStep>,
    /// The directory after the last of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files_after: Option<Vec<Expected>>,
}

/// A file that must be there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// Its name.
    pub name: Name,
    /// Its bytes; any, if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_b64: Option<Bytes>,
    /// The bytes that it begins with, where what follows is an implementation's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begins_b64: Option<Bytes>,
    /// Bytes that are others in another boot, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub varies: Vec<Varies>,
    /// A file of the hardened engine, which a port of the plain format does not have.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
}

/// Bytes of a file that are others in another boot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Varies {
    /// Where they start.
    pub offset: usize,
    /// How many.
    pub size: usize,
    /// `boot`, or `checksum` where that covers the boot.
    pub what: String,
}

/// An operation and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VectorStep {
    /// What is called.
    pub op: VectorOp,
    /// New options, for an open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<FifoOptions>,
    /// The messages of a put or batch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages_b64: Vec<Bytes>,
    /// The time of a tick.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now_ms: Option<u64>,
    /// What goes wrong from here on, as lines of a plan of faults.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// What it answers.
    pub answer: Answer,
}

/// What can be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VectorOp {
    /// Opens the queue.
    Open,
    /// Opens it for reading only.
    OpenReadOnly,
    /// Opens it by another object, which is dropped at once.
    OpenSecond,
    /// Puts one message.
    Put,
    /// Puts several messages in one call.
    PutBatch,
    /// Reads the next message.
    Read,
    /// Shows the next message.
    Peek,
    /// Asks how many messages will still be delivered.
    Depth,
    /// Drops all messages.
    Empty,
    /// Asks for durability.
    Sync,
    /// Tells the time.
    Tick,
    /// Closes the object.
    Close,
    /// Deletes the queue.
    Delete,
    /// The object is dropped as its process dies.
    Kill,
    /// The disk goes wrong.
    Fault,
    /// The disk is right again.
    Heal,
}

/// What an operation answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// Success.
    Done,
    /// There is no message.
    Nothing,
    /// This message.
    Message(Bytes),
    /// So many messages.
    Depth(u64),
    /// An error of this class.
    Error(ErrorClass),
}

/// The classes of errors that a caller must be able to tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorClass {
    /// An argument is not acceptable: a size, an option, a name.
    Refused,
    /// Somebody else has the queue open.
    Locked,
    /// The object is not open, or not for this.
    Closed,
    /// Damage was met and passed.
    Damage,
    /// The filesystem failed.
    Io,
}

/// Stage `threads`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllowedThreads {
    /// What is done, in order.
    pub steps: Vec<ThreadStep>,
}

/// What several threads do. It succeeds, unless `answers` says otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThreadStep {
    /// What is done.
    pub op: ThreadOp,
    /// The messages of each producer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub producers_b64: Vec<Vec<Bytes>>,
    /// The names of the threads that wait or are woken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<String>,
    /// What those that are woken get, in any order of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
}

/// What threads can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThreadOp {
    /// Opens the queue for all threads.
    Open,
    /// One thread for each producer puts its messages one by one, all threads at the same time.
    Put,
    /// These threads begin to read, and have to wait.
    Wait,
    /// The reads of these threads return.
    Woken,
    /// Reads to the end: a merge of these lists comes.
    Drain,
    /// Asks for durability.
    Sync,
    /// Closes the queue for all threads.
    Close,
    /// The process dies.
    Kill,
}

/// Stage `crash-images`: one of these must be delivered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllowedImage {
    /// Nothing may be delivered.
    pub nothing: bool,
    /// The messages from the first number to the last one, both included.
    pub runs: Vec<(usize, usize)>,
}
