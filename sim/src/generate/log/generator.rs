//! The generator itself.

use super::kinds::{Kind, Kinds, ReaderKind, WriterKind};
use super::places::{boundary, new_start, place};
use super::readers::{confirm, moving, snapshot, tell};
use super::stories::{Event, story};
use super::view::LogView;
use crate::generate::Choices;
use crate::scenario::{
    CleanTarget, LogOp, LogOptions, LogPayloads, LogPosition, ReaderOp, WriterOp,
};
use std::collections::VecDeque;

/// What a record adds to its message.
const HEADER_BYTES: u32 = 4;

/// The names of the readers.
const READERS: [&str; 2] = ["a", "b"];

/// An operation, and the bytes that are put with it.
type Step = (LogOp, Vec<u8>);

/// Makes up one scenario, operation by operation.
#[derive(Debug)]
pub struct LogGenerator {
    options: LogOptions,
    kinds: Kinds,
    message_bytes: (u32, u32),
    /// What is to come in any case, for the reader of this index.
    story: VecDeque<Event>,
    protagonist: usize,
    /// The size of the first message that the last cut of a story took away.
    cut_bytes: u32,
    /// Messages differ by their number.
    payloads: LogPayloads,
}

impl LogGenerator {
    /// Draws what the scenario is like.
    pub fn draw(choices: &mut Choices) -> Self {
        let largest = choices.pick(&[300, 60, 400]);
        let options = LogOptions {
            segment_bytes_max: choices.pick(&[100, 60, 200, 400, 20]),
            message_bytes_min: choices.pick(&[1, 1, 3]),
            message_bytes_max: largest,
            sync_every: choices.pick(&[1000, 1]),
            auto_skip_damaged: choices.chance(1, 2),
        };
        Self {
            options,
            kinds: Kinds::draw(choices),
            message_bytes: choices.pick(&[(4, 40), (46, 46), (3, 6), (10, 60)]),
            story: VecDeque::new(),
            protagonist: 0,
            cut_bytes: 0,
            payloads: LogPayloads::default(),
        }
    }

    /// How the log is opened.
    #[must_use]
    pub fn options(&self) -> LogOptions {
        self.options
    }

    /// The next operation, from where things stand, and the bytes that it puts.
    pub fn next(&mut self, choices: &mut Choices, view: &LogView) -> Step {
        let Some(writer) = view.writer else {
            let looks = choices.chance(1, 12);
            let open = if looks {
                WriterOp::OpenReadOnly
            } else {
                WriterOp::Open
            };
            return bare(open);
        };
        for name in READERS {
            if !view.readers.contains_key(name) && choices.chance(1, 4) {
                return on_reader(name, ReaderOp::Open);
            }
        }
        if let Some(event) = self.story.pop_front() {
            return self.happen(event, choices, view);
        }
        let kind = self.kinds.next(choices);
        match kind {
            Kind::Story => {
                self.story = story(choices).into();
                self.protagonist = usize::from(choices.chance(1, 2));
                self.put_some(choices)
            }
            Kind::Put => self.put_some(choices),
            Kind::PutFill => self.fill(choices, view),
            Kind::PutWrongSize => {
                let (low, high) = (
                    self.options.message_bytes_min,
                    self.options.message_bytes_max,
                );
                let size = choices.pick(&[low - 1, high + 1, 0]);
                self.put(size)
            }
            Kind::PutRaw => self.put_raw(choices),
            Kind::Snapshot => (LogOp::Snapshot(snapshot(choices, view)), Vec::new()),
            Kind::Reader(kind) => Self::reader_step(kind, choices, view),
            Kind::Writer(kind) => bare(Self::writer_op(kind, choices, view, writer.write_end)),
        }
    }

    fn happen(&mut self, event: Event, choices: &mut Choices, view: &LogView) -> Step {
        let name = READERS.get(self.protagonist).copied().unwrap_or("a");
        match event {
            Event::Put => self.put_some(choices),
            Event::Fill => self.fill(choices, view),
            Event::Replace(more) => {
                let size = self.cut_bytes.saturating_add_signed(more);
                self.put(size.max(self.options.message_bytes_min))
            }
            Event::Flush => bare(WriterOp::Flush { fsync: false }),
            Event::Cut => {
                let place = choices.below(u32::try_from(view.boundaries.len()).unwrap_or(1));
                let to = view
                    .boundaries
                    .get(place as usize)
                    .copied()
                    .unwrap_or_default();
                let behind = view.boundaries.get(place as usize + 1);
                let record = behind.map_or(0, |behind| behind.offset - to.offset);
                self.cut_bytes = u32::try_from(record)
                    .unwrap_or(0)
                    .saturating_sub(HEADER_BYTES);
                let taken = view.end().count - to.count;
                bare(WriterOp::Rollback {
                    offset: to.offset,
                    count: taken.cast_unsigned(),
                })
            }
            Event::Clean => bare(WriterOp::CleanOldData {
                target: CleanTarget::Offset(view.end().offset),
                dry_run: false,
                offset_max: 0,
            }),
            Event::Tell { force } => {
                let end = view.read_end();
                on_reader(name, ReaderOp::UpdateQueueEnd { end, force })
            }
            Event::Read => on_reader(name, ReaderOp::TryReadOne),
            Event::ConfirmAll => on_reader(
                name,
                ReaderOp::ConfirmRead {
                    offset: -1,
                    count: 0,
                },
            ),
            Event::CloseReader => on_reader(name, ReaderOp::Close),
            Event::OpenReader => on_reader(name, ReaderOp::Open),
        }
    }

    fn reader_step(kind: ReaderKind, choices: &mut Choices, view: &LogView) -> Step {
        let name = choices.pick(&READERS);
        let op = match view.readers.get(name) {
            None => ReaderOp::TryReadOne,
            Some(reader) => match kind {
                ReaderKind::Tell => tell(choices, view),
                ReaderKind::Confirm => confirm(choices, view, reader),
                ReaderKind::Move => moving(choices, view, reader),
                ReaderKind::Close if choices.chance(1, 3) => ReaderOp::Delete,
                ReaderKind::Close => ReaderOp::Close,
                ReaderKind::Read => ReaderOp::TryReadOne,
            },
        };
        on_reader(name, op)
    }

    fn writer_op(
        kind: WriterKind,
        choices: &mut Choices,
        view: &LogView,
        end: LogPosition,
    ) -> WriterOp {
        match kind {
            WriterKind::FlushBuffer => WriterOp::FlushBuffer,
            WriterKind::Rollback => {
                let (offset, count) = place(choices, view);
                let count = (end.count - count).cast_unsigned();
                WriterOp::Rollback { offset, count }
            }
            WriterKind::ResetWriteEnd => {
                let (offset, count) = place(choices, view);
                WriterOp::ResetWriteEnd { offset, count }
            }
            WriterKind::Grow => {
                let own = (end.offset, end.count);
                let (offset, count) = match choices.chance(1, 2) {
                    true => place(choices, view),
                    false => own,
                };
                WriterOp::TryFixWriteEnd { offset, count }
            }
            WriterKind::NewStart => {
                let (offset, count) = new_start(choices, view);
                WriterOp::ResetWriteWithQueueStart { offset, count }
            }
            WriterKind::Clean => clean(choices, view),
            WriterKind::Empty => WriterOp::Empty,
            WriterKind::Close => WriterOp::Close,
            WriterKind::Delete => WriterOp::Delete,
            WriterKind::RemoveTo => WriterOp::RemoveTo {
                directory: "moved".to_owned(),
            },
            WriterKind::Flush => WriterOp::Flush {
                fsync: choices.chance(1, 2),
            },
        }
    }

    fn put_some(&mut self, choices: &mut Choices) -> Step {
        let (low, high) = self.message_bytes;
        let size = choices.between(low, high);
        self.put(size)
    }

    /// A put that brings the segment exactly to its size, where a message can.
    fn fill(&mut self, choices: &mut Choices, view: &LogView) -> Step {
        let position = u64::try_from(view.end().position).unwrap_or(0);
        let room = self.options.segment_bytes_max.saturating_sub(position);
        let size = u32::try_from(room)
            .unwrap_or(0)
            .saturating_sub(HEADER_BYTES);
        let limits = self.options.message_bytes_min..=self.options.message_bytes_max;
        match limits.contains(&size) {
            true => self.put(size),
            false => self.put_some(choices),
        }
    }

    fn put(&mut self, size: u32) -> Step {
        self.with_bytes(WriterOp::Put { size })
    }

    /// A batch, often longer than a segment; now and then it is not what it is said to be.
    fn put_raw(&mut self, choices: &mut Choices) -> Step {
        let (low, high) = self.message_bytes;
        let number = choices.between(1, 4);
        let sizes: Vec<u32> = (0..number).map(|_| choices.between(low, high)).collect();
        let (mut count, mut missing) = (i32::try_from(number).unwrap_or(0), 0);
        match choices.weighted(&[8, 1, 1]) {
            0 => {}
            1 => count += choices.pick(&[1, -1]),
            _ => missing = 1,
        }
        self.with_bytes(WriterOp::PutRaw {
            sizes,
            count,
            missing,
        })
    }

    fn with_bytes(&mut self, op: WriterOp) -> Step {
        let op = LogOp::Writer(op);
        let bytes = self.payloads.of(&op);
        (op, bytes)
    }
}

/// Retention, now and then limited within a segment.
fn clean(choices: &mut Choices, view: &LogView) -> WriterOp {
    let (offset, _) = place(choices, view);
    let (limit, _) = boundary(choices, view);
    let limit = limit.saturating_add(i64::from(choices.below(4)));
    let target = match view.boundaries.iter().find(|at| at.offset == offset) {
        Some(at) if choices.chance(1, 2) => CleanTarget::Position(*at),
        Some(_) | None => CleanTarget::Offset(offset),
    };
    WriterOp::CleanOldData {
        target,
        dry_run: choices.chance(1, 4),
        offset_max: if choices.chance(1, 3) { limit } else { 0 },
    }
}

fn bare(op: WriterOp) -> Step {
    (LogOp::Writer(op), Vec::new())
}

fn on_reader(name: &str, op: ReaderOp) -> Step {
    (LogOp::Reader(name.to_owned(), op), Vec::new())
}
