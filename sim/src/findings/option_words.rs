//! The options of a scenario in words, as far as they are not what everybody has.

use crate::scenario::{FifoOptions, LogOptions, OffsetDialect, OffsetOptions, Scenario};

/// The options of what the scenario is a program of.
pub(super) fn option_words(scenario: &Scenario) -> Vec<String> {
    if let Some(log) = &scenario.log {
        return of_log(&log.options);
    }
    if let Some(store) = &scenario.offsets {
        return of_store(&store.options);
    }
    of_queue(&scenario.options)
}

/// An option in words, if it differs from what everybody has.
fn note<T: PartialEq>(option: T, plain: T, words: impl Fn(T) -> String) -> Option<String> {
    (option != plain).then(|| words(option))
}

/// The sizes that logs and queues alike have.
fn of_sizes(segment: [u64; 2], least: [u32; 2], most: [u32; 2]) -> impl Iterator<Item = String> {
    [
        note(segment[0], segment[1], |size| {
            format!("segments of {size} bytes")
        }),
        note(least[0], least[1], |size| {
            format!("messages of at least {size} bytes")
        }),
        note(most[0], most[1], |size| {
            format!("messages of at most {size} bytes")
        }),
    ]
    .into_iter()
    .flatten()
}

fn of_log(now: &LogOptions) -> Vec<String> {
    let plain = LogOptions::default();
    let sizes = of_sizes(
        [now.segment_bytes_max, plain.segment_bytes_max],
        [now.message_bytes_min, plain.message_bytes_min],
        [now.message_bytes_max, plain.message_bytes_max],
    );
    let others = [
        note(now.sync_every, plain.sync_every, |every| {
            format!("readers save every {every}")
        }),
        note(now.auto_skip_damaged, plain.auto_skip_damaged, |_| {
            "readers pass damaged segments".to_owned()
        }),
    ];
    sizes.chain(others.into_iter().flatten()).collect()
}

fn of_store(now: &OffsetOptions) -> Vec<String> {
    let plain = OffsetOptions::default();
    let words = [
        note(&now.client, &plain.client, |name| {
            format!("client {name:?}")
        }),
        note(&now.group, &plain.group, |name| format!("group {name:?}")),
        note(now.dialect, plain.dialect, |dialect| match dialect {
            OffsetDialect::Go => "the Go client's file".to_owned(),
            OffsetDialect::Java => "the Java client's file".to_owned(),
        }),
    ];
    words.into_iter().flatten().collect()
}

fn of_queue(now: &FifoOptions) -> Vec<String> {
    let plain = FifoOptions::default();
    let sizes = of_sizes(
        [now.segment_bytes_max, plain.segment_bytes_max],
        [now.message_bytes_min, plain.message_bytes_min],
        [now.message_bytes_max, plain.message_bytes_max],
    );
    let others = [
        note(now.sync_every, plain.sync_every, |every| {
            format!("a sync every {every} operations")
        }),
        note(now.sync_timeout_ms, plain.sync_timeout_ms, |timeout| {
            format!("a sync every {timeout} ms")
        }),
    ];
    sizes.chain(others.into_iter().flatten()).collect()
}
