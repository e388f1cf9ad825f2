//! Stages `write` and `operations`: one call after the other, each with its answer.

use super::super::after::{compare_files, files_of};
use super::super::stages::Lost;
use super::bench::{Bench, class_of, lost, words};
use super::calls::{on_snapshot, on_writer};
use super::ops::{Call, DiskCall, ReaderCall, SnapshotCall, WriterCall};
use super::reader_calls::on_reader;
use super::stages::{AllowedCalls, Answer, Place, Stands};
use crate::fault::FaultPlan;
use crashline::seglog::{
    End, Error, LogReader, LogWriter, Loss, OpenedReader, OpenedWriter, Snapshot,
};
use std::collections::BTreeMap;

/// Runs one.
pub(super) fn run(bench: &Bench, allowed: &AllowedCalls) -> Result<(), String> {
    let mut session = Session {
        bench,
        writer: None,
        readers: BTreeMap::new(),
        snapshot: None,
        ends: Vec::new(),
        losses: Vec::new(),
    };
    for (number, step) in (1..).zip(&allowed.steps) {
        let about = |problem: String| format!("step {number} ({:?}): {problem}", step.call);
        let answer = session.apply(&step.call).map_err(about)?;
        if answer != step.answer {
            return Err(about(format!("it answers {answer:?}")));
        }
        let losses = session.take_losses(&step.call);
        if losses != step.losses {
            return Err(about(format!("it meets {losses:?}")));
        }
        if let Some(wanted) = &step.stands {
            let stands = session.stands(&step.call).map_err(about)?;
            if stands != *wanted {
                return Err(about(format!("it stands {stands:?}")));
            }
        }
    }
    drop(session);
    match &allowed.files_after {
        None => Ok(()),
        Some(files) => compare_files(files_of(bench.fs.as_ref(), &bench.directory)?, files, false),
    }
}

struct Session<'a> {
    bench: &'a Bench,
    writer: Option<LogWriter>,
    readers: BTreeMap<String, LogReader>,
    snapshot: Option<Snapshot>,
    /// All read ends that the writer had, the newest last.
    ends: Vec<End>,
    /// Losses that opens and failures told.
    losses: Vec<Lost>,
}

impl Session<'_> {
    fn apply(&mut self, call: &Call) -> Result<Answer, String> {
        let answer = match call {
            Call::Disk(call) => return self.on_disk(call),
            Call::Writer(call) => {
                self.make_target(call)?;
                self.on_writer(call)
            }
            Call::Reader { name, call } => {
                let end = self.end_of(call_end(call))?;
                self.on_reader(name, call, end)
            }
            Call::Snapshot(call) => {
                let end = self.end_of(snapshot_end(call))?;
                self.on_snapshot(call, end)
            }
        };
        if let Some(writer) = &self.writer {
            let end = writer.read_end();
            if self.ends.last() != Some(&end) {
                self.ends.push(end);
            }
        }
        Ok(answer.unwrap_or_else(|error| {
            self.losses.extend(error.losses().iter().map(lost));
            Answer::Error(class_of(&error))
        }))
    }

    fn on_disk(&mut self, call: &DiskCall) -> Result<Answer, String> {
        match call {
            DiskCall::Kill {} => {
                self.writer = None;
                self.readers.clear();
                self.snapshot = None;
            }
            DiskCall::Fault { faults } => self.bench.faults.start(FaultPlan::parse(faults)?),
            DiskCall::Heal {} => self.bench.faults.heal(),
        }
        Ok(Answer::Done)
    }

    fn on_writer(&mut self, call: &WriterCall) -> Result<Answer, Error> {
        let bench = self.bench;
        if let WriterCall::Open { options } = call {
            return self.adopt(bench.open(options.as_ref().unwrap_or(&bench.options))?);
        }
        if let WriterCall::OpenReadOnly { options } = call {
            return self.adopt(bench.look(options.as_ref().unwrap_or(&bench.options))?);
        }
        if matches!(call, WriterCall::OpenSecond {}) {
            return bench.open(&bench.options).map(|_| Answer::Done);
        }
        // After a close the object stays, so that what it answers then is seen.
        let writer = self.writer.as_mut().ok_or(Error::Closed)?;
        on_writer(writer, call, &bench.directory)
    }

    /// The directory that a move goes to; it may be there already.
    fn make_target(&self, call: &WriterCall) -> Result<(), String> {
        let WriterCall::RemoveTo { directory } = call else {
            return Ok(());
        };
        let path = self.bench.directory.join(directory);
        match self.bench.fs.stat(&path) {
            Ok(_) => Ok(()),
            Err(_) => self.bench.fs.create_dir(&path).map_err(words),
        }
    }

    fn adopt(&mut self, opened: OpenedWriter) -> Result<Answer, Error> {
        self.losses.extend(told_losses(&opened.losses));
        self.writer = Some(opened.writer);
        Ok(Answer::Done)
    }

    fn on_reader(&mut self, name: &str, call: &ReaderCall, end: End) -> Result<Answer, Error> {
        let bench = self.bench;
        let writer = self.writer.as_ref();
        if let ReaderCall::Open { options } = call {
            let options = options.as_ref().unwrap_or(&bench.options);
            let opened = bench.reader(name, writer.ok_or(Error::Closed)?, options)?;
            let OpenedReader { reader, losses } = opened;
            self.losses.extend(told_losses(&losses));
            self.readers.insert(name.to_owned(), reader);
            return Ok(Answer::Done);
        }
        if matches!(call, ReaderCall::OpenSecond {}) {
            let second = bench.reader(name, writer.ok_or(Error::Closed)?, &bench.options);
            return second.map(|_| Answer::Done);
        }
        on_reader(self.readers.get_mut(name).ok_or(Error::Closed)?, call, end)
    }

    fn on_snapshot(&mut self, call: &SnapshotCall, end: End) -> Result<Answer, Error> {
        if matches!(call, SnapshotCall::Open {}) {
            let writer = self.writer.as_ref().ok_or(Error::Closed)?;
            self.snapshot = Some(self.bench.snapshot(writer)?);
            return Ok(Answer::Done);
        }
        if matches!(call, SnapshotCall::Close {}) {
            self.snapshot = None;
            return Ok(Answer::Done);
        }
        on_snapshot(self.snapshot.as_mut().ok_or(Error::Closed)?, call, end)
    }

    /// The newest read end at a place; without one, the newest at all.
    fn end_of(&self, place: Option<Place>) -> Result<End, String> {
        let is_it = |end: &&End| place.is_none_or(|place| Place::from(end.position) == place);
        let found = self.ends.iter().rev().find(is_it).copied();
        match place {
            None => Ok(found.unwrap_or_default()),
            Some(_) => found.ok_or_else(|| "the writer had no such read end".to_owned()),
        }
    }

    fn take_losses(&mut self, call: &Call) -> Vec<Lost> {
        let mut losses = std::mem::take(&mut self.losses);
        let more = match call {
            Call::Reader { name, .. } => {
                let reader = self.readers.get_mut(name);
                reader.map_or_else(Vec::new, LogReader::take_losses)
            }
            Call::Snapshot(_) => {
                let snapshot = self.snapshot.as_mut();
                snapshot.map_or_else(Vec::new, Snapshot::take_losses)
            }
            Call::Writer(_) | Call::Disk(_) => Vec::new(),
        };
        losses.extend(told_losses(&more));
        losses
    }

    fn stands(&mut self, call: &Call) -> Result<Stands, String> {
        let closed = || "it is not open".to_owned();
        match call {
            Call::Writer(_) => {
                let writer = self.writer.as_ref().ok_or_else(closed)?;
                Ok(Stands::Writer {
                    start: writer.queue_start().into(),
                    end: writer.write_end().into(),
                    read_end: writer.read_end().position.into(),
                })
            }
            Call::Reader { name, .. } => {
                let reader = self.readers.get_mut(name).ok_or_else(closed)?;
                let depth = reader.depth().map_err(words)?;
                let depth_size = reader.depth_size().map_err(words)?;
                Ok(Stands::Reader {
                    depth,
                    depth_size,
                    waiting: reader.is_waiting_more_data().map_err(words)?,
                    confirmed: reader.confirmed().into(),
                    read: reader.read_position().into(),
                    end: reader.queue_end().position.into(),
                })
            }
            Call::Snapshot(_) => {
                let snapshot = self.snapshot.as_ref().ok_or_else(closed)?;
                Ok(Stands::Snapshot {
                    at: snapshot.position().into(),
                })
            }
            Call::Disk(_) => Err("a disk does not stand anywhere".to_owned()),
        }
    }
}

fn told_losses(losses: &[Loss]) -> Vec<Lost> {
    losses.iter().map(lost).collect()
}

fn call_end(call: &ReaderCall) -> Option<Place> {
    match call {
        ReaderCall::UpdateQueueEnd { end, .. } => *end,
        ReaderCall::Open { .. }
        | ReaderCall::OpenSecond {}
        | ReaderCall::TryReadOne {}
        | ReaderCall::ConfirmRead { .. }
        | ReaderCall::ResetReadToConfirmed {}
        | ReaderCall::ResetReadToOffset { .. }
        | ReaderCall::ResetReadToQueueStart {}
        | ReaderCall::SkipReadToOffset { .. }
        | ReaderCall::SkipReadToEnd {}
        | ReaderCall::SkipToNext {}
        | ReaderCall::ResetLastReadOne { .. }
        | ReaderCall::Flush { .. }
        | ReaderCall::Close {}
        | ReaderCall::Delete {} => None,
    }
}

fn snapshot_end(call: &SnapshotCall) -> Option<Place> {
    match call {
        SnapshotCall::UpdateQueueEnd { end } => *end,
        SnapshotCall::Open {}
        | SnapshotCall::SeekTo { .. }
        | SnapshotCall::ResetSeekTo { .. }
        | SnapshotCall::SeekToEnd {}
        | SnapshotCall::SkipToNext {}
        | SnapshotCall::ReadOne {}
        | SnapshotCall::ReadRaw { .. }
        | SnapshotCall::Close {} => None,
    }
}
