//! What happens in a cluster, in order: the judge, the timeline and the digest are made of it.

use super::entry::Entry;
use crate::scenario::CrashKind;
use crashline::seglog::{Message, Position};

/// A message as somebody read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Its virtual offset.
    pub(crate) offset: u64,
    /// The virtual offset behind it.
    pub(crate) next: u64,
    /// The count behind it.
    pub(crate) count: u64,
    /// Its bytes.
    pub(crate) bytes: Vec<u8>,
}

impl Seen {
    pub(super) fn of(message: Message) -> Self {
        Self {
            offset: message.offset,
            next: message.offset + message.moved,
            count: message.count_after,
            bytes: message.bytes,
        }
    }
}

/// A replica's log as it shows itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shown {
    /// The last place of its commit log.
    pub(crate) last: Entry,
    /// The data log's start and end.
    pub(crate) start: Position,
    pub(crate) end: Position,
    /// What a snapshot of it shows.
    pub(crate) messages: Vec<Seen>,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Event {
    /// A step of the scenario began.
    Step { index: u32 },
    /// The coordinator named a leader.
    Elected { epoch: u64, leader: u8, last: Entry },
    /// The coordinator reached no majority.
    NotElected,
    /// A replica heard who leads.
    Told { host: u8, epoch: u64, leader: u8 },
    /// A replica was opened.
    Opened { host: u8, shown: Shown },
    /// A replica could not be opened.
    NotOpened {
        host: u8,
        words: String,
        is_excused: bool,
    },
    /// A replica begins to lead.
    Leads { host: u8, epoch: u64, shown: Shown },
    /// A leader begins to write a message that will end at this place.
    Puts {
        host: u8,
        number: u32,
        size: u32,
        after: Entry,
        place: Entry,
    },
    /// The leader's own log holds it; the offset is what the data log answered.
    Holds {
        host: u8,
        place: Entry,
        after: Entry,
        offset: u64,
    },
    /// A put was refused, or failed on the leader's own disk.
    PutFailed {
        host: Option<u8>,
        number: u32,
        words: String,
    },
    /// The leader told the client that a put is committed.
    Acknowledged { host: u8, number: u32, place: Entry },
    /// A follower appended messages and synced them, or said so: its log took them at `offset` and
    /// ends here now.
    Appended {
        host: u8,
        after: Entry,
        to: Entry,
        offset: u64,
        end: Position,
        is_synced: bool,
    },
    /// A follower is about to cut its log.
    Cuts { host: u8, to: Entry },
    /// It is cut, and ends here now.
    Cut { host: u8, to: Entry, end: Position },
    /// A follower is about to drop its log and begin anew.
    Begins { host: u8, base: Entry },
    /// It began anew; its log starts and ends here.
    Begun {
        host: u8,
        base: Entry,
        start: Position,
        end: Position,
    },
    /// Old segments were removed: the log starts here now.
    Cleaned {
        host: u8,
        before: u64,
        start: Position,
    },
    /// A consumer was told an end, read, and stands here; so many messages are left for it. The
    /// data reaches to `last`.
    Read {
        host: u8,
        last: Entry,
        messages: Vec<Seen>,
        confirmed: Position,
        depth: u64,
        end: Position,
    },
    /// An operation on a replica's files failed.
    Trouble {
        host: u8,
        words: String,
        is_excused: bool,
    },
    /// A replica panicked.
    Panicked { host: u8, words: String },
    /// A host died; where its power was cut, so many effects on its disk were lost, or
    /// all that were not durable.
    Crashed {
        host: u8,
        kind: CrashKind,
        lost: Option<usize>,
    },
    /// All faults ended.
    Healed,
    /// A replica at the end of the run.
    Ended { host: u8, shown: Shown },
    /// A replica is not there, or not the leader's like, so long after all faults ended.
    NotAlike { host: u8, words: String },
}
