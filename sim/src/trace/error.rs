//! Why a file cannot be used as a trace.

/// What is wrong with a trace file, in one sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// A line is not what it should be; lines count from 1.
    #[error("line {line}: {message}")]
    Line {
        /// Which line.
        line: usize,
        /// What is wrong there.
        message: String,
    },
    /// It was recorded from something that has no twin here.
    #[error("there is no twin of {engine} {version}")]
    NoTwin {
        /// The engine that the file names.
        engine: String,
        /// The version that the file names.
        version: String,
    },
}

impl TraceError {
    pub(super) fn line(line: usize, message: impl Into<String>) -> Self {
        Self::Line {
            line,
            message: message.into(),
        }
    }
}
