//! What happened in a cluster in words: one timeline for all hosts.

use super::event::{Event, Seen, Shown};
use crate::scenario::{ClusterOptions, ClusterStep, CrashKind, claimed_number};

/// The options of a cluster.
pub(crate) fn of_options(options: &ClusterOptions) -> String {
    let (hosts, segment) = (options.hosts, options.segment_bytes_max);
    let batch = options.batch_messages_max;
    format!("{hosts} hosts, segments of {segment} bytes, {batch} messages to a follower at once")
}

/// A host by its number or its place behind the leader.
fn of_host(host: u8) -> String {
    match ClusterStep::LEADER - host {
        0 => "the leader".to_owned(),
        behind @ 1..8 => format!("the host {behind} behind the leader"),
        _ => format!("h{host}"),
    }
}

/// A step.
pub(crate) fn of_step(step: &ClusterStep) -> String {
    let pair = |one: u8, other: u8| format!("{} and {}", of_host(one), of_host(other));
    match step {
        ClusterStep::Put { size } => format!("put {size} bytes"),
        ClusterStep::PutTo { host, size } => format!("put {size} bytes to {}", of_host(*host)),
        ClusterStep::Wait { ticks } => format!("{ticks} ms pass"),
        ClusterStep::Elect { among } => {
            let among: Vec<String> = among.iter().map(|host| of_host(*host)).collect();
            format!("name a leader among {}", among.join(", "))
        }
        ClusterStep::Crash {
            host,
            kind,
            after_calls,
            ..
        } => {
            let how = match kind {
                CrashKind::Kill => "is killed",
                CrashKind::PowerCut => "loses its power",
            };
            let when = match after_calls {
                0 => String::new(),
                calls => format!(" after {calls} file calls more"),
            };
            format!("{} {how}{when}", of_host(*host))
        }
        ClusterStep::Start { host } => format!("{} starts", of_host(*host)),
        ClusterStep::Bounce { host } => format!("{} is killed and starts again", of_host(*host)),
        ClusterStep::Partition { one, other } => format!("part {}", pair(*one, *other)),
        ClusterStep::Hold { one, other } => format!("hold messages of {}", pair(*one, *other)),
        ClusterStep::Repair { one, other } => format!("join {}", pair(*one, *other)),
        ClusterStep::Delay { one, other, ticks } => {
            format!("messages of {} take {ticks} ms", pair(*one, *other))
        }
        ClusterStep::Loss {
            one,
            other,
            percent,
        } => format!(
            "{percent}% of the messages of {} get lost",
            pair(*one, *other)
        ),
        ClusterStep::Fault { host, faults } => {
            format!(
                "the disk of {} fails: {}",
                of_host(*host),
                faults.join("; ")
            )
        }
        ClusterStep::Heal { host } => format!("the disk of {} works", of_host(*host)),
        ClusterStep::Clean { host, force } => {
            let how = if *force { ", unread ones too" } else { "" };
            format!("{} removes old segments{how}", of_host(*host))
        }
        ClusterStep::Read { host, count } => {
            format!(
                "the consumer of {} reads {count} messages at most",
                of_host(*host)
            )
        }
    }
}

fn of_messages(messages: &[Seen]) -> String {
    let number = |seen: &Seen| match claimed_number(&seen.bytes) {
        Some(number) => format!("#{number}"),
        None => "?".to_owned(),
    };
    match messages {
        [] => "nothing".to_owned(),
        messages => messages.iter().map(number).collect::<Vec<_>>().join(" "),
    }
}

fn of_shown(shown: &Shown) -> String {
    let (start, messages) = (shown.start.offset, of_messages(&shown.messages));
    format!("from offset {start}: {messages}; ends at {}", shown.last)
}

/// What happened; nothing where the step says it all.
pub(crate) fn of_event(event: &Event) -> Option<String> {
    Some(match event {
        Event::Step { .. } => return None,
        Event::Elected {
            epoch,
            leader,
            last,
        } => format!("h{leader} is to lead in epoch {epoch}; its log ends at {last}"),
        Event::NotElected => "too few for a majority".to_owned(),
        Event::Told {
            host,
            epoch,
            leader,
        } => format!("h{host} hears that h{leader} leads in epoch {epoch}"),
        Event::Opened { host, shown } => format!("h{host} is open {}", of_shown(shown)),
        Event::NotOpened { host, words, .. } => format!("h{host} cannot be opened: {words}"),
        Event::Leads { host, epoch, shown } => {
            format!("h{host} leads in epoch {epoch} {}", of_shown(shown))
        }
        Event::Puts { host, number, .. } => format!("h{host} writes #{number}"),
        Event::Holds { host, place, .. } => format!("h{host} has it on disk: {place}"),
        Event::PutFailed {
            host,
            number,
            words,
        } => {
            let host = host.map_or("the client".to_owned(), |host| format!("h{host}"));
            format!("{host}: #{number} is not put: {words}")
        }
        Event::Acknowledged { host, number, .. } => format!("h{host} acknowledges #{number}"),
        Event::Appended {
            host,
            after,
            to,
            is_synced,
            ..
        } => {
            let synced = if *is_synced { "" } else { ", not synced" };
            let (from, count) = (after.offset, to.count.saturating_sub(after.count));
            format!("h{host} takes {count} messages from offset {from}{synced}: {to}")
        }
        Event::Cuts { host, to } => format!("h{host} is to be cut at {to}"),
        Event::Cut { host, .. } => format!("h{host} is cut"),
        Event::Begins { host, base } => format!("h{host} is to begin anew at {base}"),
        Event::Begun { host, .. } => format!("h{host} began anew"),
        Event::Cleaned { host, start, .. } => {
            format!("h{host} removed what was before offset {}", start.offset)
        }
        Event::Read {
            host,
            messages,
            depth,
            ..
        } => format!(
            "the consumer of h{host} read {}; {depth} are left",
            of_messages(messages)
        ),
        Event::Trouble { host, words, .. } => format!("h{host}: {words}"),
        Event::Panicked { host, words } => format!("h{host} {words}"),
        Event::Crashed { host, kind, lost } => of_crash(*host, *kind, *lost),
        Event::Healed => "all faults end".to_owned(),
        Event::Ended { host, shown } => format!("at the end h{host} is {}", of_shown(shown)),
        Event::NotAlike { host, words } => format!("h{host} is not alike: {words}"),
    })
}

fn of_crash(host: u8, kind: CrashKind, lost: Option<usize>) -> String {
    match (kind, lost) {
        (CrashKind::Kill, _) => format!("h{host} dies"),
        (CrashKind::PowerCut, None) => format!("h{host} loses power and all that was not durable"),
        (CrashKind::PowerCut, Some(count)) => {
            format!("h{host} loses power and {count} effects that were not durable")
        }
    }
}
