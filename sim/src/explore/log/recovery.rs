//! Recovery of an image, and everything that it shows: the writer and all readers are opened, and
//! a snapshot reads the log from its start to its end.

use super::session::LogSession;
use crate::oracle::LogRecovery;
use crate::scenario::{LogOp, LogOutcome, LogReply, ReaderOp, SnapshotOp, WriterOp};

/// Calls an operation and tells what came of it.
pub(super) type Call<'c> = dyn FnMut(&mut LogSession<'_>, &LogOp, &[u8]) -> LogOutcome + 'c;

/// Opens the writer and all readers that there ever were.
pub(super) fn open_all(
    session: &mut LogSession<'_>,
    recovery: &mut LogRecovery<'_>,
    readers: &[String],
    call: &mut Call<'_>,
) {
    let outcome = call(session, &LogOp::Writer(WriterOp::Open), &[]);
    let outcome = looked(session, outcome);
    recovery.writer_opened(&outcome, session.states());
    for name in readers {
        if recovery.is_broken() {
            return;
        }
        let op = LogOp::Reader(name.clone(), ReaderOp::Open);
        let outcome = call(session, &op, &[]);
        let outcome = looked(session, outcome);
        recovery.reader_opened(name, &outcome, session.states());
    }
}

/// An open whose object cannot say where it stands has failed.
pub(super) fn looked(session: &mut LogSession<'_>, outcome: LogOutcome) -> LogOutcome {
    match session.look() {
        Ok(()) => outcome,
        Err(failure) => failure.into(),
    }
}

/// Reads everything by a snapshot.
pub(super) fn read_all(
    session: &mut LogSession<'_>,
    recovery: &mut LogRecovery<'_>,
    call: &mut Call<'_>,
) {
    if recovery.is_broken() {
        return;
    }
    let opened = call(session, &LogOp::Snapshot(SnapshotOp::Open), &[]);
    if opened.result.is_err() {
        recovery.snapshot_ended(&opened);
        return;
    }
    loop {
        let outcome = call(session, &LogOp::Snapshot(SnapshotOp::ReadOne), &[]);
        match &outcome.result {
            Ok(LogReply::Message(message)) if !recovery.is_broken() => recovery.message(message),
            Ok(_) | Err(_) => {
                recovery.snapshot_ended(&outcome);
                break;
            }
        }
    }
    call(session, &LogOp::Snapshot(SnapshotOp::Close), &[]);
}
