//! The table as the original's JSON.

use super::json::{Json, Malformed};
use crate::scenario::{OffsetQueue, OffsetTable};

/// Reads a file: all of it or nothing. A missing or `null` table is an empty one, of a key that
/// appears twice the last value counts. Tables add up; what follows a `null` one counts for
/// nothing, since it lands in another map than the one that is looked at.
pub(super) fn decode(bytes: &[u8]) -> Result<OffsetTable, Malformed> {
    let mut table = OffsetTable::new();
    let mut json = Json::new(bytes);
    let mut behind_null = OffsetTable::new();
    let mut is_null = false;
    json.object(|json, name| {
        if !name.eq_ignore_ascii_case("offsetTable") {
            return json.pass();
        }
        is_null |= json.peek() == b'n';
        let table = if is_null {
            &mut behind_null
        } else {
            &mut table
        };
        entries(json, table)
    })?;
    json.end()?;
    Ok(table)
}

/// The entries; the key's text is read before its value.
fn entries(json: &mut Json<'_>, table: &mut OffsetTable) -> Result<(), Malformed> {
    json.object(|json, key| {
        let queue = decode_key(key)?;
        let offset = json.integer()?;
        table.insert(queue, offset);
        Ok(())
    })
}

fn decode_key(text: &str) -> Result<OffsetQueue, Malformed> {
    let (mut topic, mut broker, mut queue_id) = (String::new(), String::new(), 0);
    let mut json = Json::new(text.as_bytes());
    json.object(|json, name| {
        if name.eq_ignore_ascii_case("topic") {
            topic = json.string()?;
        } else if name.eq_ignore_ascii_case("brokerName") {
            broker = json.string()?;
        } else if name.eq_ignore_ascii_case("queueId") {
            queue_id = json.integer()?;
        } else {
            json.pass()?;
        }
        Ok(())
    })?;
    json.end()?;
    let queue_id = i32::try_from(queue_id).map_err(|_| Malformed)?;
    Ok(OffsetQueue {
        topic,
        broker,
        queue_id,
    })
}

/// Writes a file; keys in order, where the original's order is random.
pub(super) fn encode(table: &OffsetTable) -> Vec<u8> {
    let entries: Vec<String> = table
        .iter()
        .map(|(queue, offset)| format!("{}:{offset}", quoted(&encode_key(queue))))
        .collect();
    format!("{{\"offsetTable\":{{{}}}}}", entries.join(",")).into_bytes()
}

fn encode_key(queue: &OffsetQueue) -> String {
    format!(
        "{{\"topic\":{},\"brokerName\":{},\"queueId\":{}}}",
        quoted(&queue.topic),
        quoted(&queue.broker),
        queue.queue_id
    )
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for one in text.chars() {
        match one {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\x1f' => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(one)));
            }
            _ => quoted.push(one),
        }
    }
    quoted.push('"');
    quoted
}
