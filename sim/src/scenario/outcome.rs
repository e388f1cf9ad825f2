//! What an operation answered.

use serde::{Deserialize, Serialize};

/// A successful answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// Done; there is nothing to tell.
    Done,
    /// A number: the depth.
    Count(i64),
    /// A message.
    Message(Vec<u8>),
    /// There is no message.
    Nothing,
}

/// The class of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The filesystem failed, with its `errno` where there is one.
    Io(Option<i32>),
    /// The argument is not acceptable: a size, an option.
    Refused,
    /// Somebody else has the queue open.
    Locked,
    /// The object is closed, or was opened for reading only.
    Closed,
    /// Damage was met and passed; the losses say what.
    Damage,
    /// The directory holds something that this engine cannot work with.
    Foreign,
    /// The operation made more file calls than its bound and was cut off.
    CutOff,
    /// The engine panicked.
    Panic,
    /// The subject does not have this operation.
    Unsupported,
}

/// How much of a failed operation took place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Applied {
    /// Nothing of it.
    No,
    /// All of it.
    Yes,
    /// The first so many messages of a batch.
    Leading(u32),
    /// The subject cannot tell (an original).
    Unknown,
}

/// An unsuccessful answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Failure {
    /// The class of the error.
    pub kind: FailureKind,
    /// How much of the operation took place.
    pub applied: Applied,
    /// The error in words.
    pub message: String,
}

/// A reported loss (C7).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Loss {
    /// The file's name, without its directory.
    pub file: String,
    /// Where in that file the loss starts.
    pub offset: u64,
    /// How many bytes were passed over.
    pub size: u64,
    /// How many messages were in them, where known.
    pub messages: Option<u64>,
}

/// What an operation answered, and the losses that it reported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The answer.
    pub result: Result<Reply, Failure>,
    /// Losses met by this call; each is reported once.
    pub losses: Vec<Loss>,
}

impl Outcome {
    /// A success without losses.
    #[must_use]
    pub fn ok(reply: Reply) -> Self {
        Self {
            result: Ok(reply),
            losses: Vec::new(),
        }
    }

    /// A failure without losses.
    #[must_use]
    pub fn failed(kind: FailureKind, applied: Applied, message: impl Into<String>) -> Self {
        let failure = Failure {
            kind,
            applied,
            message: message.into(),
        };
        Self {
            result: Err(failure),
            losses: Vec::new(),
        }
    }
}

impl From<Failure> for Outcome {
    fn from(failure: Failure) -> Self {
        Self {
            result: Err(failure),
            losses: Vec::new(),
        }
    }
}
