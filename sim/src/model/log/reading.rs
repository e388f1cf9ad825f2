//! Reading on where only one thing may come: how one message after the other is taken without
//! asking for all that an answer may lead to.

use super::core::LogModel;
use super::place::Place;
use super::reader::{Reader, standing};
use crate::scenario::LogMessage;

/// An open reader that reads on, one message after the other. The model does not know of it until
/// it is told ([`LogModel::was_read`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Reading {
    read: Place,
    end: Place,
}

impl LogModel {
    /// The reader reading on from where it stands; nothing where it is not open, or more than one
    /// thing may come.
    #[must_use]
    pub fn reading(&self, name: &str) -> Option<Reading> {
        let reader = self.readers.get(name).filter(|reader| reader.is_open)?;
        let stood = self.stood.get(name)?.last()?;
        let is_sure = standing(reader, &self.content) == *reader;
        // Where it may be found again does not change by reading.
        let Reader {
            confirmed,
            read,
            end,
            ..
        } = *reader;
        (is_sure && stood.confirmed == confirmed).then_some(Reading { read, end })
    }

    /// Whether this message is the one that must come next; then the reader is behind it.
    pub fn is_next(&self, reading: &mut Reading, seen: &LogMessage) -> bool {
        let next = self.content.message_at(reading.read.offset);
        let Some(next) = next.filter(|next| next.end() <= reading.end) else {
            return false;
        };
        let end = next.end();
        let is_next = seen.offset == next.start.offset
            && seen.moved == next.size()
            && seen.count == end.count
            && seen.bytes == *next.bytes;
        if is_next {
            reading.read = end;
        }
        is_next
    }

    /// The reader read all that.
    pub fn was_read(&mut self, name: &str, reading: Reading) {
        if let Some(reader) = self.readers.get_mut(name) {
            reader.read = reading.read;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::LogAnswer;
    use crate::scenario::{LogOp, LogOptions, LogPosition, LogReply, ReaderOp, WriterOp};

    fn after(model: &LogModel, op: &LogOp, bytes: &[u8]) -> (LogReply, LogModel) {
        let possible = model.apply(op, bytes);
        let [possible] = possible.as_slice() else {
            panic!("{op:?} leads to {possible:?}");
        };
        let LogAnswer::Reply(reply) = &possible.answer else {
            panic!("{op:?} is answered by {possible:?}");
        };
        (reply.clone(), possible.after.clone())
    }

    fn reader(op: ReaderOp) -> LogOp {
        LogOp::Reader("r".to_owned(), op)
    }

    /// A log of three messages, the last of which no reader may see, and a reader at its start.
    fn log() -> LogModel {
        let mut model = LogModel::new(LogOptions::default());
        let steps = [
            (LogOp::Writer(WriterOp::Open), &[][..]),
            (reader(ReaderOp::Open), &[]),
            (LogOp::Writer(WriterOp::Put { size: 3 }), b"one"),
            (LogOp::Writer(WriterOp::Put { size: 3 }), b"two"),
            (LogOp::Writer(WriterOp::Flush { fsync: true }), &[]),
            (LogOp::Writer(WriterOp::Put { size: 5 }), b"three"),
        ];
        for (op, bytes) in steps {
            model = after(&model, &op, bytes).1;
        }
        let end = LogPosition::SHOWN;
        let told = reader(ReaderOp::UpdateQueueEnd { end, force: false });
        let shown = model.writer().map(|writer| writer.read_end);
        after(&model, &told.resolved(shown), &[]).1
    }

    #[test]
    fn reading_on_is_reading_one_after_the_other() {
        let mut slow = log();
        let mut fast = slow.clone();
        let mut reading = fast.reading("r").unwrap();
        for count in 1..=2 {
            let (reply, read) = after(&slow, &reader(ReaderOp::TryReadOne), &[]);
            slow = read;
            let LogReply::Message(message) = reply else {
                panic!("message {count} is missing");
            };
            let others = [
                LogMessage {
                    offset: message.offset + 1,
                    ..message.clone()
                },
                LogMessage {
                    moved: message.moved + 1,
                    ..message.clone()
                },
                LogMessage {
                    count: message.count + 1,
                    ..message.clone()
                },
                LogMessage {
                    bytes: b"other".to_vec(),
                    ..message.clone()
                },
            ];
            for other in others {
                assert!(!fast.is_next(&mut reading, &other), "{other:?}");
            }
            assert!(fast.is_next(&mut reading, &message));
            assert!(!fast.is_next(&mut reading, &message), "it came already");
        }
        fast.was_read("r", reading);
        assert_eq!(fast, slow);
        let (reply, _) = after(&slow, &reader(ReaderOp::TryReadOne), &[]);
        assert_eq!(
            reply,
            LogReply::Nothing,
            "the third message is not shown yet"
        );
    }

    #[test]
    fn nothing_is_sure_of_a_reader_that_is_closed_or_stands_behind_a_cut() {
        let open = log();
        let closed = after(&open, &reader(ReaderOp::Close), &[]).1;
        assert_eq!(closed.reading("r"), None);
        assert_eq!(open.reading("nobody"), None);
        let mut cut = after(&open, &reader(ReaderOp::TryReadOne), &[]).1;
        assert!(cut.reading("r").is_some());
        let back = LogOp::Writer(WriterOp::Rollback {
            offset: 0,
            count: 3,
        });
        cut = after(&cut, &back, &[]).1;
        assert_eq!(cut.reading("r"), None);
    }
}
