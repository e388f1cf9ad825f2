//! Writing a table as each of the clients writes it, with or without a note.
//!
//! Keys stand in the order of [`MessageQueue`]; the clients' own order is that of a hash table.

use super::document::Dialect;
use super::message_queue::{MessageQueue, Table};
use super::note;

/// How a file is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// In one line: what the Go client writes.
    Plain,
    /// Over several lines, indented by tabs: what the Java client writes.
    Indented,
}

/// Whether a note is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Noted {
    /// Behind the table.
    Yes,
    /// As the original: none.
    No,
}

/// The bytes of a file.
#[must_use]
pub fn encode(table: &Table, dialect: Dialect, layout: Layout, noted: Noted) -> Vec<u8> {
    let is_indented = layout == Layout::Indented;
    let line = |text: &mut String, tabs: usize| {
        if is_indented {
            text.push('\n');
            (0..tabs).for_each(|_| text.push('\t'));
        }
    };
    let mut text = String::new();
    text.push('{');
    line(&mut text, 1);
    text.push_str("\"offsetTable\":{");
    for (index, (queue, offset)) in table.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        match dialect {
            Dialect::Go => {
                line(&mut text, 2);
                push_go_key(&mut text, queue);
            }
            Dialect::Java => push_java_key(&mut text, queue, &line),
        }
        text.push(':');
        text.push_str(&offset.to_string());
    }
    if !table.is_empty() {
        line(&mut text, 1);
    }
    text.push('}');
    if noted == Noted::Yes {
        text.push(',');
        line(&mut text, 1);
        text.push_str(&format!("\"{}\":\"{}", note::FIELD, note::MARK));
        note::push_checksum(&mut text);
        text.push('"');
    }
    line(&mut text, 0);
    text.push('}');
    text.into_bytes()
}

/// The key's JSON text, as a string: what is escaped in the text is escaped again.
fn push_go_key(text: &mut String, queue: &MessageQueue) {
    let mut key = String::from("{\"topic\":");
    push_go_string(&mut key, &queue.topic);
    key.push_str(",\"brokerName\":");
    push_go_string(&mut key, &queue.broker);
    key.push_str(&format!(",\"queueId\":{}}}", queue.queue_id));
    push_go_string(text, &key);
}

fn push_java_key(text: &mut String, queue: &MessageQueue, line: &impl Fn(&mut String, usize)) {
    text.push('{');
    line(text, 3);
    text.push_str("\"brokerName\":");
    push_java_string(text, &queue.broker);
    text.push(',');
    line(text, 3);
    text.push_str(&format!("\"queueId\":{},", queue.queue_id));
    line(text, 3);
    text.push_str("\"topic\":");
    push_java_string(text, &queue.topic);
    line(text, 2);
    text.push('}');
}

/// As the Go client's JSON library: also what would mean something in HTML is escaped.
fn push_go_string(text: &mut String, value: &str) {
    text.push('"');
    for one in value.chars() {
        match one {
            '"' | '\\' => text.extend(['\\', one]),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\0'..='\x1f' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                text.push_str(&format!("\\u{:04x}", u32::from(one)));
            }
            _ => text.push(one),
        }
    }
    text.push('"');
}

/// As the Java client's JSON library.
fn push_java_string(text: &mut String, value: &str) {
    text.push('"');
    for one in value.chars() {
        match one {
            '"' | '\\' => text.extend(['\\', one]),
            '\x08' => text.push_str("\\b"),
            '\x0c' => text.push_str("\\f"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{2028}' | '\u{2029}' => {
                text.push_str(&format!("\\u{:04X}", u32::from(one)));
            }
            _ => text.push(one),
        }
    }
    text.push('"');
}
