//! What hosts send each other, and its bytes.
//!
//! A datagram is a tag (1 byte), numbers (8 bytes each, little-endian), then for an append the
//! number of entries, the entries, and raw records to the end. One that is anything else is passed
//! over, as a lost one is.

use super::entry::Entry;

/// A message between hosts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Message {
    /// From the leader: what follows a place in its log; nothing is a question whether it is known.
    Append {
        epoch: u64,
        /// The place.
        after: Entry,
        /// The end of the leader's log when this was sent.
        end: Entry,
        /// The places behind each message of `records`.
        entries: Vec<Entry>,
        /// Records as they are on disk.
        records: Vec<u8>,
    },
    /// From the leader: what the follower lacks is gone, its log is to begin here.
    Begin { epoch: u64, base: Entry },
    /// From a follower: its log is the leader's up to here, and durable.
    Ack { epoch: u64, to: Entry },
    /// From a follower: it does not know the place; the nearest before that it has, if any.
    Unknown { epoch: u64, nearest: Option<Entry> },
}

impl Message {
    /// The epoch of the leader that this is from or to.
    pub(super) fn epoch(&self) -> u64 {
        match self {
            Self::Append { epoch, .. }
            | Self::Begin { epoch, .. }
            | Self::Ack { epoch, .. }
            | Self::Unknown { epoch, .. } => *epoch,
        }
    }

    /// The bytes of a datagram.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Self::Append {
                epoch,
                after,
                end,
                entries,
                records,
            } => {
                begin(&mut bytes, 1, *epoch);
                push(&mut bytes, after);
                push(&mut bytes, end);
                bytes.extend_from_slice(&(entries.len() as u64).to_le_bytes());
                entries.iter().for_each(|entry| push(&mut bytes, entry));
                bytes.extend_from_slice(records);
            }
            Self::Begin { epoch, base } => {
                begin(&mut bytes, 2, *epoch);
                push(&mut bytes, base);
            }
            Self::Ack { epoch, to } => {
                begin(&mut bytes, 3, *epoch);
                push(&mut bytes, to);
            }
            Self::Unknown { epoch, nearest } => {
                begin(&mut bytes, 4, *epoch);
                nearest.iter().for_each(|entry| push(&mut bytes, entry));
            }
        }
        bytes
    }

    /// The message of a datagram.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (tag, mut rest) = bytes.split_first()?;
        let rest = &mut rest;
        let epoch = number(rest)?;
        let message = match tag {
            1 => {
                let (after, end) = (entry(rest)?, entry(rest)?);
                let count = number(rest)?;
                let mut entries = Vec::new();
                for _ in 0..count {
                    entries.push(entry(rest)?);
                }
                return Some(Self::Append {
                    epoch,
                    after,
                    end,
                    entries,
                    records: rest.to_vec(),
                });
            }
            2 => Self::Begin {
                epoch,
                base: entry(rest)?,
            },
            3 => Self::Ack {
                epoch,
                to: entry(rest)?,
            },
            4 => Self::Unknown {
                epoch,
                nearest: match rest.is_empty() {
                    true => None,
                    false => Some(entry(rest)?),
                },
            },
            _ => return None,
        };
        rest.is_empty().then_some(message)
    }
}

fn begin(bytes: &mut Vec<u8>, tag: u8, epoch: u64) {
    bytes.push(tag);
    bytes.extend_from_slice(&epoch.to_le_bytes());
}

fn push(bytes: &mut Vec<u8>, entry: &Entry) {
    for number in [entry.epoch, entry.offset, entry.count] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
}

fn number(bytes: &mut &[u8]) -> Option<u64> {
    let (first, rest) = bytes.split_first_chunk::<8>()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*first))
}

fn entry(bytes: &mut &[u8]) -> Option<Entry> {
    Some(Entry {
        epoch: number(bytes)?,
        offset: number(bytes)?,
        count: number(bytes)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_comes_back_and_no_part_of_one_panics() {
        let place = Entry {
            epoch: 3,
            offset: 77,
            count: 5,
        };
        let messages = [
            Message::Append {
                epoch: 4,
                after: Entry::default(),
                end: place,
                entries: vec![place, place],
                records: vec![0, 0, 0, 1, 9],
            },
            Message::Begin {
                epoch: 1,
                base: place,
            },
            Message::Ack {
                epoch: 2,
                to: place,
            },
            Message::Unknown {
                epoch: 2,
                nearest: None,
            },
            Message::Unknown {
                epoch: 2,
                nearest: Some(place),
            },
        ];
        for message in messages {
            let bytes = message.to_bytes();
            assert_eq!(Message::from_bytes(&bytes), Some(message.clone()));
            for size in 0..bytes.len() {
                assert_ne!(Message::from_bytes(&bytes[..size]), Some(message.clone()));
            }
        }
    }
}
