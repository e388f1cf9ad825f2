//! The messages of a scenario: what may come back, by number.
//!
//! Every message of every put gets the next number, whether or not the put is carried out or
//! accepted, so that numbers depend on the scenario's steps alone.
//!
//! Invariant: numbers are positions in the table; statuses only ever move towards absent.

use crate::scenario::{Step, claimed_number, write_payload};

/// A position that no run reaches.
pub const NEVER: u32 = u32::MAX;

/// One message that the scenario puts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Put {
    /// Its number.
    pub number: u32,
    /// Its size in bytes.
    pub size: u32,
    /// The step that puts it.
    pub step: u32,
    /// From this position of the run on it must not come back: its put was refused,
    /// or failed and said that it did not take place.
    pub absent_from: u32,
    /// From this position of the run on it need not come back: its put failed.
    pub optional_from: u32,
}

impl Put {
    /// Whether the message must be there at `position`, if the run has acknowledged it by then.
    #[must_use]
    pub fn is_mandatory(&self, position: u32) -> bool {
        self.absent_from > position && self.optional_from > position
    }

    /// Whether its put failed, whatever that said of it.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.optional_from == 2 * self.step + 1
    }

    /// The position from which on it may be missing.
    #[must_use]
    pub fn may_miss_from(&self) -> u32 {
        self.absent_from.min(self.optional_from)
    }
}

/// What the bytes of a delivered message are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Item {
    /// Exactly this message.
    Number(u32),
    /// Too short to carry a number; the bytes there are stand left-aligned in `head`.
    Short {
        /// How many bytes: 0 to 3.
        size: u8,
        /// The bytes, followed by zeros, as a big-endian number.
        head: u32,
    },
    /// It carries the number of a message, but is another one.
    Garbled(u32),
    /// It carries no number that was ever put.
    Invented,
}

impl Item {
    /// Reads the size and head of a short message.
    fn short(bytes: &[u8]) -> Self {
        let mut head = [0; 4];
        for (to, from) in head.iter_mut().zip(bytes) {
            *to = *from;
        }
        Self::Short {
            size: u8::try_from(bytes.len()).unwrap_or(u8::MAX),
            head: u32::from_be_bytes(head),
        }
    }
}

/// All messages of a scenario with their bytes.
#[derive(Debug, Clone, Default)]
pub struct Messages {
    puts: Vec<Put>,
    bytes: Vec<u8>,
    starts: Vec<usize>,
    has_short: bool,
}

impl Messages {
    /// The messages that `steps` put.
    #[must_use]
    pub fn of(steps: &[Step]) -> Self {
        let mut messages = Self::default();
        for (step, sizes) in steps.iter().map(|step| step.action.sizes()).enumerate() {
            for size in sizes {
                messages.add(*size, u32::try_from(step).unwrap_or(NEVER));
            }
        }
        messages
    }

    /// Adds a message and gives its number.
    pub fn add(&mut self, size: u32, step: u32) -> u32 {
        let number = self.count();
        self.puts.push(Put {
            number,
            size,
            step,
            absent_from: NEVER,
            optional_from: NEVER,
        });
        self.starts.push(self.bytes.len());
        write_payload(number, size, &mut self.bytes);
        self.has_short |= size < 4;
        number
    }

    /// How many there are; also the first number that no message has.
    #[must_use]
    pub fn count(&self) -> u32 {
        u32::try_from(self.puts.len()).unwrap_or(NEVER)
    }

    /// All of them, by number.
    #[must_use]
    pub fn puts(&self) -> &[Put] {
        &self.puts
    }

    /// The message of this number.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<&Put> {
        self.puts.get(number as usize)
    }

    /// Changes what is known of a message.
    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut Put> {
        self.puts.get_mut(number as usize)
    }

    /// The messages from `from` to before `to`.
    #[must_use]
    pub fn range(&self, from: u32, to: u32) -> &[Put] {
        let end = (to as usize).min(self.puts.len());
        self.puts.get(from as usize..end).unwrap_or_default()
    }

    /// Whether some message is too short to carry its number.
    #[must_use]
    pub fn has_short(&self) -> bool {
        self.has_short
    }

    /// Whether one batch put both.
    #[must_use]
    pub fn share_a_put(&self, one: u32, other: u32) -> bool {
        let step = |number| self.get(number).map(|put| put.step);
        one != other && step(one).is_some() && step(one) == step(other)
    }

    /// Whether its put was to put others as well.
    #[must_use]
    pub fn is_of_a_batch(&self, number: u32) -> bool {
        let before = number.checked_sub(1);
        before.is_some_and(|before| self.share_a_put(before, number))
            || self.share_a_put(number, number.saturating_add(1))
    }

    /// The bytes of message `number`.
    #[must_use]
    pub fn bytes(&self, number: u32) -> Option<&[u8]> {
        let start = *self.starts.get(number as usize)?;
        let size = self.get(number)?.size as usize;
        self.bytes.get(start..start + size)
    }

    /// Tells what delivered bytes are.
    #[must_use]
    pub fn identify(&self, bytes: &[u8]) -> Item {
        let Some(number) = claimed_number(bytes) else {
            return Item::short(bytes);
        };
        match self.bytes(number) {
            Some(expected) if expected == bytes => Item::Number(number),
            Some(_) => Item::Garbled(number),
            None => Item::Invented,
        }
    }

    /// Whether `item` could be message `number`.
    #[must_use]
    pub fn matches(&self, item: Item, number: u32) -> bool {
        match item {
            Item::Number(seen) => seen == number,
            Item::Short { .. } => self
                .bytes(number)
                .is_some_and(|bytes| bytes.len() < 4 && Item::short(bytes) == item),
            Item::Garbled(_) | Item::Invented => false,
        }
    }
}

/// The number of the first message of every step, or of the next one for steps that put none.
#[must_use]
pub fn first_numbers(steps: &[Step]) -> Vec<u32> {
    let mut next = 0;
    steps
        .iter()
        .map(|step| {
            let first = next;
            next += u32::try_from(step.action.sizes().len()).unwrap_or(NEVER);
            first
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Action, payload};

    #[test]
    fn bytes_are_told_apart() {
        let steps = [
            Step::queue(Action::Put { size: 8 }),
            Step::queue(Action::Read),
            Step::queue(Action::PutBatch { sizes: vec![2, 40] }),
        ];
        let messages = Messages::of(&steps);
        assert_eq!(messages.count(), 3);
        assert_eq!(first_numbers(&steps), [0, 1, 1]);
        assert_eq!(messages.identify(&payload(2, 40)), Item::Number(2));
        assert_eq!(messages.identify(&payload(2, 39)), Item::Garbled(2));
        assert_eq!(messages.identify(&payload(3, 40)), Item::Invented);
        let short = messages.identify(&payload(1, 2));
        assert_eq!(short, Item::Short { size: 2, head: 0 });
        assert!(messages.matches(short, 1));
        assert!(!messages.matches(short, 0));
    }

    #[test]
    fn two_short_messages_of_one_size_differ_by_their_bytes() {
        let mut messages = Messages::default();
        for _ in 0..300 {
            messages.add(3, 0);
        }
        let item = messages.identify(&payload(256, 3));
        assert!(messages.matches(item, 256));
        assert!(messages.matches(item, 299), "the third byte is the same");
        assert!(!messages.matches(item, 255));
    }
}
