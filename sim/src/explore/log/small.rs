//! All scenarios of a few operations over a log of two tiny segments and one reader: most defects
//! show in so few.

use super::generate::{Writer, scenario};
use crate::generate::{Choices, Prng, Walk};
use crate::scenario::{
    CleanTarget, LogOp, LogOptions, LogPayloads, LogPosition, ReaderOp, RunKind, Scenario,
    SnapshotOp, WriterOp,
};

/// Two messages that fill a tiny segment exactly.
const SMALL_BYTES: u32 = 12;
const EXACT_BYTES: u32 = 28;
const SEGMENT_BYTES: u64 = 32;

/// The reader.
const READER: &str = "a";

/// Operations as the tier counts them; reopening is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Letter {
    Put,
    PutExact,
    PutRaw,
    Flush,
    FlushDurable,
    Rollback,
    RollbackAcross,
    ResetWriteEnd,
    Grow,
    NewStart,
    Clean,
    Empty,
    Delete,
    Reopen,
    Kill,
    Read,
    Confirm,
    SkipToEnd,
    SkipToNext,
    ReopenReader,
    FlushReader,
    Snapshot,
}

const ALPHABET: &[Letter] = &[
    Letter::Put,
    Letter::PutExact,
    Letter::PutRaw,
    Letter::Flush,
    Letter::FlushDurable,
    Letter::Rollback,
    Letter::RollbackAcross,
    Letter::ResetWriteEnd,
    Letter::Grow,
    Letter::NewStart,
    Letter::Clean,
    Letter::Empty,
    Letter::Delete,
    Letter::Reopen,
    Letter::Kill,
    Letter::Read,
    Letter::Confirm,
    Letter::SkipToEnd,
    Letter::SkipToNext,
    Letter::ReopenReader,
    Letter::FlushReader,
    Letter::Snapshot,
];

/// All scenarios of one to `letters_max` letters.
pub(crate) fn small_tier(
    engine: &str,
    profile: &str,
    letters_max: u32,
) -> impl Iterator<Item = Scenario> {
    let (engine, profile) = (engine.to_owned(), profile.to_owned());
    let mut walk = Walk::new();
    std::iter::from_fn(move || {
        walk.next(|choices| small_scenario(choices, &engine, &profile, letters_max))
    })
}

/// One scenario of up to `letters_max` letters, as the choices say.
fn small_scenario(
    choices: &mut Choices,
    engine: &str,
    profile: &str,
    letters_max: u32,
) -> Scenario {
    let mut story = Story::begun();
    let mut seed = 0;
    for _ in 0..choices.between(1, letters_max.max(1)) {
        let letter = choices.pick(ALPHABET);
        seed = Prng::named(seed, &format!("{letter:?}")).draw();
        story.write(letter);
    }
    let program = story.writer.program;
    scenario(engine, profile, RunKind::Crashes, seed, program, Vec::new())
}

struct Story {
    writer: Writer,
    payloads: LogPayloads,
}

impl Story {
    /// A full segment and a message in the next one, of which the reader has read one.
    fn begun() -> Self {
        let options = LogOptions {
            segment_bytes_max: SEGMENT_BYTES,
            message_bytes_min: 1,
            message_bytes_max: 100,
            sync_every: 1000,
            auto_skip_damaged: false,
        };
        let mut story = Self {
            writer: Writer::new(options),
            payloads: LogPayloads::default(),
        };
        story.add(LogOp::Writer(WriterOp::Open));
        story.reader(ReaderOp::Open);
        for _ in 0..3 {
            story.put(SMALL_BYTES);
        }
        story.add(LogOp::Writer(WriterOp::Flush { fsync: false }));
        story.follow();
        story.reader(ReaderOp::TryReadOne);
        story
    }

    fn add(&mut self, op: LogOp) {
        let bytes = self.payloads.of(&op);
        self.writer.add(op, &bytes);
    }

    fn put(&mut self, size: u32) {
        self.add(LogOp::Writer(WriterOp::Put { size }));
    }

    fn reader(&mut self, op: ReaderOp) {
        self.add(LogOp::Reader(READER.to_owned(), op));
    }

    fn follow(&mut self) {
        let (end, force) = (LogPosition::SHOWN, false);
        self.reader(ReaderOp::UpdateQueueEnd { end, force });
    }

    fn reopen(&mut self) {
        self.add(LogOp::Writer(WriterOp::Open));
        self.reader(ReaderOp::Open);
    }

    fn write(&mut self, letter: Letter) {
        match letter {
            Letter::Put => self.put(SMALL_BYTES),
            Letter::PutExact => self.put(EXACT_BYTES),
            Letter::PutRaw => self.add(LogOp::Writer(WriterOp::PutRaw {
                sizes: vec![SMALL_BYTES; 3],
                count: 3,
                missing: 0,
            })),
            Letter::Flush => {
                self.add(LogOp::Writer(WriterOp::Flush { fsync: false }));
                self.follow();
            }
            Letter::FlushDurable => self.add(LogOp::Writer(WriterOp::Flush { fsync: true })),
            Letter::Rollback => self.take_back(1),
            Letter::RollbackAcross => self.take_back(2),
            Letter::ResetWriteEnd => self.reset(),
            Letter::Grow => {
                let end = self.end();
                let (offset, count) = (end.offset, end.count);
                self.add(LogOp::Writer(WriterOp::TryFixWriteEnd { offset, count }));
            }
            Letter::NewStart => {
                let end = self.end();
                let (offset, count) = (end.offset + 1000, end.count + 25);
                let op = WriterOp::ResetWriteWithQueueStart { offset, count };
                self.add(LogOp::Writer(op));
            }
            Letter::Clean => {
                let target = CleanTarget::Offset(self.end().offset);
                let (dry_run, offset_max) = (false, 0);
                self.add(LogOp::Writer(WriterOp::CleanOldData {
                    target,
                    dry_run,
                    offset_max,
                }));
            }
            Letter::Empty => self.add(LogOp::Writer(WriterOp::Empty)),
            Letter::Delete => {
                self.add(LogOp::Writer(WriterOp::Delete));
                self.reopen();
            }
            Letter::Reopen => {
                self.reader(ReaderOp::Close);
                self.add(LogOp::Writer(WriterOp::Close));
                self.reopen();
            }
            Letter::Kill => {
                self.add(LogOp::Kill);
                self.reopen();
            }
            Letter::Read => self.reader(ReaderOp::TryReadOne),
            Letter::Confirm => {
                let (offset, count) = (-1, 0);
                self.reader(ReaderOp::ConfirmRead { offset, count });
            }
            Letter::SkipToEnd => self.reader(ReaderOp::SkipReadToEnd),
            Letter::SkipToNext => self.reader(ReaderOp::SkipToNext),
            Letter::ReopenReader => {
                self.reader(ReaderOp::Close);
                self.reader(ReaderOp::Open);
            }
            Letter::FlushReader => self.reader(ReaderOp::Flush { fsync: true }),
            Letter::Snapshot => {
                self.add(LogOp::Snapshot(SnapshotOp::Open));
                self.add(LogOp::Snapshot(SnapshotOp::ReadOne));
                self.add(LogOp::Snapshot(SnapshotOp::SkipToNext));
            }
        }
    }

    fn end(&self) -> LogPosition {
        let boundaries = self.writer.model.boundaries();
        boundaries.last().copied().unwrap_or_default()
    }

    /// Takes so many messages back, as far as there are.
    fn take_back(&mut self, messages: usize) {
        let boundaries = self.writer.model.boundaries();
        let to = boundaries.len().saturating_sub(messages + 1);
        let Some(to) = boundaries.get(to) else { return };
        let (offset, count) = (to.offset, self.end().count - to.count);
        let count = count.cast_unsigned();
        self.add(LogOp::Writer(WriterOp::Rollback { offset, count }));
    }

    /// Cuts everything but the first message.
    fn reset(&mut self) {
        let boundaries = self.writer.model.boundaries();
        let Some(to) = boundaries.get(1).or(boundaries.first()) else {
            return;
        };
        let (offset, count) = (to.offset, to.count);
        self.add(LogOp::Writer(WriterOp::ResetWriteEnd { offset, count }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_tier_is_every_word_once() {
        let letters = ALPHABET.len();
        let tier = small_tier("seglog", "posix-min", 2);
        let texts: Vec<String> = tier.map(|scenario| scenario.to_text()).collect();
        assert_eq!(texts.len(), letters + letters * letters);
        let distinct: BTreeSet<&String> = texts.iter().collect();
        // A rollback of one and a reset may be the same call where little is left.
        assert!(distinct.len() * 10 > texts.len() * 9, "{}", distinct.len());
    }
}
