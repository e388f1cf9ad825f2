//! Reading a file of either client into a table.
//!
//! A file is an object with the field `offsetTable`, an object itself, whose values are whole
//! numbers. Its keys name a queue by `topic`, `brokerName` and `queueId`, in any order and each
//! once: the Go client writes the JSON text of such an object as a string, the Java client the
//! bare object. White space may stand anywhere. Other fields beside the table are passed over, but
//! for the note; an original ignores that in turn. What an original never writes (a key with other
//! fields, a queue or field twice, a table that is `null`) is refused: it would lose an offset.

use super::message_queue::{MessageQueue, Table};
use super::note;
use super::scan::{ParseError, Scanner};
use std::collections::btree_map::Entry;

/// How a file writes its keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Dialect {
    /// The Go client's: JSON text in a string.
    #[default]
    Go,
    /// The Java client's: the object itself, which is no JSON.
    Java,
}

/// What a file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The offsets.
    pub table: Table,
    /// The dialect of the first key; `None` where there is none.
    pub dialect: Option<Dialect>,
    /// Whether a note vouches for it.
    pub noted: bool,
}

/// Reads a whole file.
///
/// # Errors
/// What is wrong first, and where. A note that does not vouch for the file is wrong, too.
pub fn parse(bytes: &[u8]) -> Result<Document, ParseError> {
    parse_with(bytes, true)
}

/// As [`parse`]; `is_checked` is whether a note must vouch for what stands before it.
pub(super) fn parse_with(bytes: &[u8], is_checked: bool) -> Result<Document, ParseError> {
    let mut scanner = Scanner::new(bytes);
    let mut document = None;
    let mut noted = false;
    scanner.expect(b'{', "an object is missing")?;
    let mut is_first = true;
    while next_field(&mut scanner, &mut is_first)? {
        scanner.peek();
        let start = scanner.at();
        let name = scanner.string()?;
        scanner.expect(b':', "a colon is missing")?;
        if name == "offsetTable" {
            if document.is_some() {
                return scanner.error_at(start, "the table appears twice");
            }
            document = Some(read_table(&mut scanner)?);
            continue;
        }
        let value = if scanner.peek() == Some(b'"') {
            Some(scanner.string()?)
        } else {
            scanner.pass_value()?;
            None
        };
        if note::is_note(&name, value.as_deref()) {
            if noted {
                return scanner.error_at(start, "a note appears twice");
            }
            if is_checked && !note::vouches(bytes, scanner.at()) {
                return scanner.error_at(start, "the note does not fit the file");
            }
            noted = true;
        }
    }
    if !scanner.is_at_end() {
        return scanner.error("bytes follow the object");
    }
    let Some((table, dialect)) = document else {
        return scanner.error("there is no table");
    };
    Ok(Document {
        table,
        dialect,
        noted,
    })
}

/// Goes to the next field of an object; `false` behind its end.
fn next_field(scanner: &mut Scanner<'_>, is_first: &mut bool) -> Result<bool, ParseError> {
    if scanner.take(b'}') {
        return Ok(false);
    }
    if !std::mem::take(is_first) {
        scanner.expect(b',', "a comma or the object's end is missing")?;
        if scanner.peek() == Some(b'}') {
            return scanner.error("a field is missing behind a comma");
        }
    }
    Ok(true)
}

fn read_table(scanner: &mut Scanner<'_>) -> Result<(Table, Option<Dialect>), ParseError> {
    let mut table = Table::new();
    let mut first_dialect = None;
    scanner.expect(b'{', "the table is no object")?;
    let mut is_first = true;
    while next_field(scanner, &mut is_first)? {
        let (is_object, start) = (scanner.peek() == Some(b'{'), scanner.at());
        let (queue, dialect) = match is_object {
            true => (read_key(scanner)?, Dialect::Java),
            false => (read_key_text(scanner)?, Dialect::Go),
        };
        scanner.expect(b':', "a colon is missing")?;
        let offset = scanner.integer()?;
        first_dialect.get_or_insert(dialect);
        match table.entry(queue) {
            Entry::Vacant(entry) => {
                entry.insert(offset);
            }
            Entry::Occupied(_) => return scanner.error_at(start, "a queue appears twice"),
        }
    }
    Ok((table, first_dialect))
}

/// A key of the Go client. What is wrong in it is placed at its start.
fn read_key_text(scanner: &mut Scanner<'_>) -> Result<MessageQueue, ParseError> {
    let start = scanner.at();
    let text = scanner.string()?;
    let mut inner = Scanner::new(text.as_bytes());
    let read = read_key(&mut inner).and_then(|queue| match inner.is_at_end() {
        true => Ok(queue),
        false => inner.error("bytes follow the key"),
    });
    read.or_else(|error| scanner.error_at(start, error.reason))
}

fn read_key(scanner: &mut Scanner<'_>) -> Result<MessageQueue, ParseError> {
    let (mut topic, mut broker, mut queue_id) = (None, None, None);
    scanner.expect(b'{', "a key is no object")?;
    let mut is_first = true;
    while next_field(scanner, &mut is_first)? {
        scanner.peek();
        let start = scanner.at();
        let name = scanner.string()?;
        scanner.expect(b':', "a colon is missing")?;
        let is_again = match name.as_str() {
            "topic" => topic.replace(scanner.string()?).is_some(),
            "brokerName" => broker.replace(scanner.string()?).is_some(),
            "queueId" => {
                scanner.peek();
                let start = scanner.at();
                let Ok(number) = i32::try_from(scanner.integer()?) else {
                    return scanner.error_at(start, "a queue's number does not fit 32 bits");
                };
                queue_id.replace(number).is_some()
            }
            _ => return scanner.error_at(start, "a key has an unknown field"),
        };
        if is_again {
            return scanner.error_at(start, "a key has a field twice");
        }
    }
    match (topic, broker, queue_id) {
        (Some(topic), Some(broker), Some(queue_id)) => Ok(MessageQueue {
            topic,
            broker,
            queue_id,
        }),
        _ => scanner.error("a key lacks a field"),
    }
}
