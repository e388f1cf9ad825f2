//! The toy log: the smallest thing worth crashing, and the canary of the gate.
//!
//! A lock file, and one file `toylog.dat` of records: length and CRC-32C of the body (both 4
//! bytes, little endian), then the body. Messages can be put and are read from the first one
//! after every open; there is no read position on disk. A record that does not add up ends the
//! log, and opening cuts what follows it. The quirks leave out one step each and must be found.

use super::{Object, OpenRequest, Opened, Subject};
use crate::scenario::{Action, Applied, FailureKind, Outcome, Reply};
use crashline::fs::{FsFile, FsLock, OpenMode, SyncKind, read_file, write_all_at};
use std::io;

/// The quirks of the toy log: name, the clause each breaks, and what it does.
pub const TOY_QUIRKS: &[(&str, &str, &str)] = &[
    (
        "toy-sync-does-nothing",
        "Q3",
        "sync acknowledges without asking the disk",
    ),
    (
        "toy-no-directory-sync",
        "Q3",
        "the file's name is never made durable",
    ),
    (
        "toy-no-checksum",
        "Q1",
        "a record is taken on the strength of its length alone",
    ),
];

/// The subject `toylog`.
#[derive(Debug)]
pub struct ToyLog;

impl Subject for ToyLog {
    fn name(&self) -> &'static str {
        "toylog"
    }

    fn open(&self, request: &OpenRequest<'_>) -> Opened {
        match OpenToyLog::open(request) {
            Ok(log) => Opened {
                outcome: Outcome::ok(Reply::Done),
                object: Some(Box::new(log)),
            },
            Err(error) => Opened {
                outcome: failed(&error),
                object: None,
            },
        }
    }
}

#[derive(Debug)]
struct OpenToyLog {
    _lock: Box<dyn FsLock>,
    file: Box<dyn FsFile>,
    end: u64,
    messages: Vec<Vec<u8>>,
    next: usize,
    sync_does_nothing: bool,
}

impl OpenToyLog {
    fn open(request: &OpenRequest<'_>) -> io::Result<Self> {
        let quirk = |name: &str| request.quirks.iter().any(|quirk| quirk == name);
        let lock = request
            .fs
            .try_lock(&request.directory.join("toylog.lock"), 0o600)?;
        let path = request.directory.join("toylog.dat");
        let file = request.fs.open(&path, OpenMode::Create, 0o600)?;
        let bytes = read_file(request.fs.as_ref(), &path, usize::MAX)?;
        let (messages, end) = scan(&bytes, !quirk("toy-no-checksum"));
        if end < bytes.len() as u64 {
            file.set_size(end)?;
        }
        file.sync(SyncKind::All)?;
        if !quirk("toy-no-directory-sync") {
            request.fs.sync_dir(request.directory)?;
        }
        let sync_does_nothing = quirk("toy-sync-does-nothing");
        Ok(Self {
            _lock: lock,
            file,
            end,
            messages,
            next: 0,
            sync_does_nothing,
        })
    }

    fn put(&mut self, message: &[u8]) -> io::Result<()> {
        let mut record = u32::try_from(message.len())
            .map_err(io::Error::other)?
            .to_le_bytes()
            .to_vec();
        record.extend_from_slice(&crc32c::crc32c(message).to_le_bytes());
        record.extend_from_slice(message);
        write_all_at(self.file.as_ref(), self.end, &record)?;
        self.end += record.len() as u64;
        self.messages.push(message.to_vec());
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        if self.sync_does_nothing {
            Ok(())
        } else {
            self.file.sync(SyncKind::All)
        }
    }

    fn read(&mut self) -> Reply {
        let message = self.messages.get(self.next).cloned();
        self.next += usize::from(message.is_some());
        message.map_or(Reply::Nothing, Reply::Message)
    }

    fn remaining(&self) -> i64 {
        i64::try_from(self.messages.len() - self.next).unwrap_or(i64::MAX)
    }
}

/// The records up to the first that does not add up, and where they end.
fn scan(bytes: &[u8], checked: bool) -> (Vec<Vec<u8>>, u64) {
    let mut messages = Vec::new();
    let mut rest = bytes;
    while let Some((length, after)) = rest.split_first_chunk::<4>()
        && let Some((sum, after)) = after.split_first_chunk::<4>()
        && let Some((body, after)) = after.split_at_checked(u32::from_le_bytes(*length) as usize)
        && !body.is_empty()
        && (!checked || crc32c::crc32c(body) == u32::from_le_bytes(*sum))
    {
        messages.push(body.to_vec());
        rest = after;
    }
    (messages, (bytes.len() - rest.len()) as u64)
}

impl Object for OpenToyLog {
    fn apply(&mut self, action: &Action, payloads: &[Vec<u8>]) -> Outcome {
        #[expect(clippy::wildcard_enum_match_arm, reason = "a toy has few operations")]
        let result = match action {
            Action::Put { .. } => payloads.iter().try_for_each(|message| self.put(message)),
            Action::Sync | Action::Close => self.sync(),
            Action::Depth => return Outcome::ok(Reply::Count(self.remaining())),
            Action::Read => return Outcome::ok(self.read()),
            _ => {
                let words = "the toy log does not have this operation";
                return Outcome::failed(FailureKind::Unsupported, Applied::No, words);
            }
        };
        result.map_or_else(|error| failed(&error), |()| Outcome::ok(Reply::Done))
    }

    fn drain(&mut self, on_message: &mut dyn FnMut(&[u8]) -> bool) -> Outcome {
        while let Some(message) = self.messages.get(self.next) {
            self.next += 1;
            if !on_message(message) {
                break;
            }
        }
        Outcome::ok(Reply::Nothing)
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "only a held lock is told apart"
)]
fn failed(error: &io::Error) -> Outcome {
    let kind = match error.kind() {
        io::ErrorKind::WouldBlock => FailureKind::Locked,
        _ => FailureKind::Io(error.raw_os_error()),
    };
    Outcome::failed(kind, Applied::Unknown, error.to_string())
}
