//! The kinds of operation, and how much each scenario is given to them.

use crate::generate::Choices;

/// What to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Put,
    PutFill,
    PutWrongSize,
    PutRaw,
    Writer(WriterKind),
    Reader(ReaderKind),
    Snapshot,
    Story,
}

/// What to do with the writer, other than to put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WriterKind {
    Flush,
    FlushBuffer,
    Rollback,
    ResetWriteEnd,
    Grow,
    NewStart,
    Clean,
    Empty,
    Close,
    Delete,
    RemoveTo,
}

/// What to do with a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReaderKind {
    Tell,
    Read,
    Confirm,
    Move,
    Close,
}

/// Every kind, and its usual weight.
const KINDS: &[(Kind, u32)] = &[
    (Kind::Put, 12),
    (Kind::PutFill, 4),
    (Kind::PutWrongSize, 1),
    (Kind::PutRaw, 4),
    (Kind::Writer(WriterKind::Flush), 5),
    (Kind::Writer(WriterKind::FlushBuffer), 2),
    (Kind::Writer(WriterKind::Rollback), 3),
    (Kind::Writer(WriterKind::ResetWriteEnd), 3),
    (Kind::Writer(WriterKind::Grow), 1),
    (Kind::Writer(WriterKind::NewStart), 1),
    (Kind::Writer(WriterKind::Clean), 3),
    (Kind::Writer(WriterKind::Empty), 1),
    (Kind::Writer(WriterKind::Close), 1),
    (Kind::Writer(WriterKind::Delete), 1),
    (Kind::Writer(WriterKind::RemoveTo), 1),
    (Kind::Reader(ReaderKind::Tell), 6),
    (Kind::Reader(ReaderKind::Read), 8),
    (Kind::Reader(ReaderKind::Confirm), 4),
    (Kind::Reader(ReaderKind::Move), 4),
    (Kind::Reader(ReaderKind::Close), 1),
    (Kind::Snapshot, 5),
    (Kind::Story, 2),
];

/// The weights of one scenario.
#[derive(Debug, Clone)]
pub(super) struct Kinds {
    weights: Vec<u32>,
}

impl Kinds {
    /// Each kind is left out, usual, or favoured; there is always something to put.
    pub(super) fn draw(choices: &mut Choices) -> Self {
        let weights = KINDS.iter().map(|(kind, usual)| {
            let times = match choices.weighted(&[4, 3, 1]) {
                0 => 1,
                1 if *kind != Kind::Put => 0,
                1 => 1,
                _ => 4,
            };
            usual * times
        });
        Self {
            weights: weights.collect(),
        }
    }

    pub(super) fn next(&self, choices: &mut Choices) -> Kind {
        let index = choices.weighted(&self.weights);
        KINDS.get(index).map_or(Kind::Put, |(kind, _)| *kind)
    }
}
