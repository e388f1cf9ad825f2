//! Scenarios, operations and answers in words, for timelines.

use super::session::DIRECTORY;
use super::timeline::Entry;
use crate::scenario::{
    Action, Applied, CrashChoice, CrashKind, Failure, FailureKind, Outcome, PlantedKind, Reply,
    Scenario,
};
use crate::simfs::{Call, Effect, EffectKind};
use std::path::Path;

/// What was run, a line each.
pub(crate) fn heading(scenario: &Scenario) -> Vec<String> {
    let options = &scenario.options;
    let words = format!(
        "segments of {} bytes, messages of {} to {} bytes, a sync every {} operations or {} ms",
        options.segment_bytes_max,
        options.message_bytes_min,
        options.message_bytes_max,
        options.sync_every,
        options.sync_timeout_ms,
    );
    heading_of(scenario, words)
}

/// What was run, with these words on its options.
pub(crate) fn heading_of(scenario: &Scenario, options: String) -> Vec<String> {
    let mut lines = vec![
        format!(
            "engine {}, profile {}, seed {}",
            scenario.engine, scenario.profile, scenario.seed
        ),
        options,
    ];
    if !scenario.quirks.is_empty() {
        lines.push(format!("planted: {}", scenario.quirks.join(", ")));
    }
    lines.extend(scenario.planted.iter().map(|planted| {
        let kind = match planted.kind {
            PlantedKind::File => "file",
            PlantedKind::Directory => "directory",
            PlantedKind::Special => "special file",
        };
        format!("there before: {kind} {} {:?}", planted.name, planted.text)
    }));
    lines.extend(
        scenario
            .faults
            .iter()
            .map(|fault| format!("fault: {fault}")),
    );
    lines.extend(
        scenario
            .damage
            .iter()
            .map(|damage| format!("damage: {damage}")),
    );
    lines
}

/// A call in words.
pub(crate) fn of_action(action: &Action) -> String {
    match action {
        Action::Open { options: None } => "open".to_owned(),
        Action::Open {
            options: Some(options),
        } => format!(
            "open with segments of {} bytes, messages of {} to {} bytes, a sync every {}",
            options.segment_bytes_max,
            options.message_bytes_min,
            options.message_bytes_max,
            options.sync_every,
        ),
        Action::OpenReadOnly => "open for reading only".to_owned(),
        Action::Put { size } => format!("put {size} bytes"),
        Action::PutBatch { sizes } => {
            let sizes: Vec<String> = sizes.iter().map(u32::to_string).collect();
            format!("put a batch of {} bytes", sizes.join(", "))
        }
        Action::Read => "read".to_owned(),
        Action::Peek => "peek".to_owned(),
        Action::Depth => "depth".to_owned(),
        Action::Empty => "empty".to_owned(),
        Action::Sync => "sync".to_owned(),
        Action::Tick { now_ms } => format!("tick at {now_ms} ms"),
        Action::Settle => "settle".to_owned(),
        Action::Close => "close".to_owned(),
        Action::Delete => "delete".to_owned(),
        Action::Kill => "the process is killed".to_owned(),
    }
}

/// A failure in words.
pub(crate) fn of_failure(failure: &Failure) -> String {
    let class = match failure.kind {
        FailureKind::Io(_) | FailureKind::Foreign => "error",
        FailureKind::Refused => "refused",
        FailureKind::Locked => "locked",
        FailureKind::Closed => "closed",
        FailureKind::Damage => "damage",
        FailureKind::CutOff => "cut off",
        FailureKind::Panic => "panic",
        FailureKind::Unsupported => "unsupported",
    };
    let applied = match failure.applied {
        Applied::No => ", nothing was done".to_owned(),
        Applied::Yes => ", but it was done".to_owned(),
        Applied::Leading(count) => format!(", {count} of it were done"),
        Applied::Unknown => String::new(),
    };
    format!("{class}: {}{applied}", failure.message)
}

/// An answer in words.
pub(crate) fn of_outcome(outcome: &Outcome) -> String {
    let mut words = match &outcome.result {
        Ok(Reply::Done) => "acknowledged".to_owned(),
        Ok(Reply::Count(count)) => count.to_string(),
        Ok(Reply::Message(bytes)) => format!("message: {}", of_message(bytes)),
        Ok(Reply::Nothing) => "nothing".to_owned(),
        Err(failure) => of_failure(failure),
    };
    for loss in &outcome.losses {
        words.push_str(&format!(
            "; lost {} bytes of {} at {}",
            loss.size, loss.file, loss.offset
        ));
    }
    words
}

/// A message in few words: its number, if it carries one, and its size.
pub(crate) fn of_message(bytes: &[u8]) -> String {
    match crate::scenario::claimed_number(bytes) {
        Some(number) => format!("#{number}, {} bytes", bytes.len()),
        None => format!("{} bytes, too short for a number", bytes.len()),
    }
}

/// File calls as entries.
pub(crate) fn of_calls(calls: &[Call]) -> Vec<Entry> {
    calls
        .iter()
        .map(|call| Entry::Call {
            call: what(call),
            result: result(call),
        })
        .collect()
}

fn what(call: &Call) -> String {
    let short = |path: &Path| {
        path.strip_prefix(DIRECTORY)
            .unwrap_or(path)
            .display()
            .to_string()
    };
    let mut words = format!("{} {}", call.name, short(&call.path));
    if let Some(target) = &call.target {
        words.push_str(&format!(" to {}", short(target)));
    }
    match (call.offset, call.size) {
        (Some(offset), Some(size)) => words.push_str(&format!(" {offset}+{size}")),
        (Some(number), None) | (None, Some(number)) => words.push_str(&format!(" {number}")),
        (None, None) => {}
    }
    words
}

fn result(call: &Call) -> String {
    match call.outcome {
        Ok(moved) if call.size.is_some_and(|size| size != moved) => format!("{moved} bytes"),
        Ok(_) => "ok".to_owned(),
        Err(number) => std::io::Error::from_raw_os_error(number).to_string(),
    }
}

/// Leaves out what came after a crash: keeps the entries up to the crash's operation mark.
pub(crate) fn cut_at(choice: &CrashChoice, entries: &mut Vec<Entry>) {
    let mut marks = 0;
    let mut keep = entries.len();
    for (index, entry) in entries.iter().enumerate() {
        if matches!(entry, Entry::Begin { .. } | Entry::End { .. }) {
            marks += 1;
            if marks > choice.marks {
                keep = index;
                break;
            }
        }
    }
    entries.truncate(keep);
}

/// An effect in words.
pub(crate) fn of_effect(effect: &Effect) -> String {
    let name = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match &effect.kind {
        EffectKind::Data(data) => format!(
            "bytes of file {} up to {} ({} sectors from {})",
            data.file, data.end, data.count, data.sector
        ),
        EffectKind::Size(size) => {
            format!("size of file {}: {} to {}", size.file, size.from, size.to)
        }
        EffectKind::Link(link) if link.is_new => {
            format!("new name {} (file {})", name(&link.name), link.inode)
        }
        EffectKind::Link(link) => format!("name {} for file {}", name(&link.name), link.inode),
        EffectKind::Unlink(unlink) => format!("removal of {}", name(&unlink.name)),
        EffectKind::Sync(sync) => format!("sync of {}", sync.inode),
    }
}

/// A crash after the recovery.
pub(crate) fn of_further_crash(kind: CrashKind) -> &'static str {
    match kind {
        CrashKind::Kill => "the process is killed again",
        CrashKind::PowerCut => "the power is cut again; only what was durable is left",
    }
}
