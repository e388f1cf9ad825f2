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

fn of_log(options: &LogOptions) -> Vec<String> {
    let plain = LogOptions::default();
    let mut words = Vec::new();
    let mut note = |differs: bool, text: String| words.extend(differs.then_some(text));
    note(
        options.segment_bytes_max != plain.segment_bytes_max,
        format!("segments of {} bytes", options.segment_bytes_max),
    );
    note(
        options.message_bytes_min != plain.message_bytes_min,
        format!("messages of at least {} bytes", options.message_bytes_min),
    );
    note(
        options.message_bytes_max != plain.message_bytes_max,
        format!("messages of at most {} bytes", options.message_bytes_max),
    );
    note(
        options.sync_every != plain.sync_every,
        format!("readers save every {}", options.sync_every),
    );
    note(
        options.auto_skip_damaged,
        "readers pass damaged segments".to_owned(),
    );
    words
}

fn of_store(options: &OffsetOptions) -> Vec<String> {
    let plain = OffsetOptions::default();
    let mut words = Vec::new();
    let mut note = |differs: bool, text: String| words.extend(differs.then_some(text));
    note(
        options.client != plain.client,
        format!("client {:?}", options.client),
    );
    note(
        options.group != plain.group,
        format!("group {:?}", options.group),
    );
    note(
        options.dialect == OffsetDialect::Java,
        "the Java client's file".to_owned(),
    );
    words
}

fn of_queue(options: &FifoOptions) -> Vec<String> {
    let plain = FifoOptions::default();
    let mut words = Vec::new();
    let mut note = |differs: bool, text: String| words.extend(differs.then_some(text));
    note(
        options.segment_bytes_max != plain.segment_bytes_max,
        format!("segments of {} bytes", options.segment_bytes_max),
    );
    note(
        options.message_bytes_min != plain.message_bytes_min,
        format!("messages of at least {} bytes", options.message_bytes_min),
    );
    note(
        options.message_bytes_max != plain.message_bytes_max,
        format!("messages of at most {} bytes", options.message_bytes_max),
    );
    note(
        options.sync_every != plain.sync_every,
        format!("a sync every {} operations", options.sync_every),
    );
    note(
        options.sync_timeout_ms != plain.sync_timeout_ms,
        format!("a sync every {} ms", options.sync_timeout_ms),
    );
    words
}
