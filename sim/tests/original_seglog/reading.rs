//! What goes wrong in readers and snapshots.

use super::support::{DATA, Log, ONE_SEGMENT, OPTIONS, at, drain, put, segment, sidecar, tell_end};
use crashline_sim::originals::seglog::{LogError, Snapshot};
use crashline_sim::scenario::{CleanTarget, LogOptions, LogPosition};
use std::path::Path;

/// The end of a segment and the start of the next one are one place in two forms.
#[test]
fn a_position_at_the_end_of_a_removed_segment_is_stuck() {
    let (log, mut writer) = Log::with("abcdefgh");
    let mut reader = log.reader_from_start(writer.state().read_end);
    for _ in 0..2 {
        reader.try_read_one().unwrap();
    }
    reader.confirm_all().unwrap();
    assert_eq!(reader.state().confirmed, at(0, 100, 100, 2));
    reader.close();
    let target = CleanTarget::Position(at(1, 0, 100, 2));
    let start = writer.clean_old_data(target, false, 0).unwrap();
    assert_eq!(start, Some(at(1, 0, 100, 2)));
    let mut reader = log.reader(writer.state().read_end);
    for _ in 0..2 {
        assert_eq!(drain(&mut reader), "!");
    }
    reader.skip_read_to_offset(350, 7).unwrap();
    assert_eq!(drain(&mut reader), "h", "sidecars help here");
}

#[test]
fn what_was_read_before_its_segment_went_cannot_be_confirmed() {
    let (log, mut writer) = Log::with("abcdefgh");
    let mut reader = log.reader_from_start(writer.state().read_end);
    for _ in 0..4 {
        reader.try_read_one().unwrap();
    }
    reader.confirm_read(50, 1).unwrap();
    let target = CleanTarget::Position(at(2, 0, 200, 4));
    writer.clean_old_data(target, false, 0).unwrap();
    for (offset, count) in [(150, 3), (200, 4)] {
        let refused = reader.confirm_read(offset, count);
        assert!(matches!(refused, Err(LogError::ConfirmOffset)));
    }
}

#[test]
fn a_reader_delivers_what_was_emptied_or_taken_back() {
    let log = Log::new();
    let mut writer = log.writer_with(&ONE_SEGMENT).unwrap();
    put(&mut writer, "abc");
    writer.flush(true).unwrap();
    let mut reader = log.reader_from_start(writer.state().read_end);
    reader.try_read_one().unwrap();
    writer.empty().unwrap();
    assert_eq!(drain(&mut reader), "bc", "they were read ahead");

    put(&mut writer, "def");
    writer.flush(true).unwrap();
    tell_end(&mut reader, writer.state().read_end);
    assert_eq!(drain(&mut reader), "def");
    reader.reset_read_to_offset(200, 4).unwrap();
    reader.try_read_one().unwrap();
    writer.rollback(250, 1).unwrap();
    put(&mut writer, "Z");
    writer.flush(true).unwrap();
    let end = writer.state().read_end;
    let taken = reader.update_queue_end(end, true).unwrap();
    assert!(!taken, "it looks the same");
    assert_eq!(drain(&mut reader), "f", "Z stands in its place");
}

#[test]
fn a_failed_skip_has_moved_the_position() {
    let (log, writer) = Log::with("abcdefgh");
    for number in 0..3 {
        log.remove(&sidecar(number));
    }
    log.place(&sidecar(3), []);
    let mut reader = log.reader_from_start(writer.state().read_end);
    assert!(reader.skip_to_next().is_err());
    let hybrid = "segment 3 does not start at offset 0";
    assert_eq!(reader.state().confirmed, at(3, 0, 0, 0), "{hybrid}");
}

#[test]
fn positions_inside_messages_are_taken() {
    let (log, mut writer) = Log::with("abcdefgh");
    let end = writer.state().read_end;
    let mut reader = log.reader_from_start(end);
    reader.reset_read_to_offset(110, 2).unwrap();
    assert_eq!(drain(&mut reader), "!");
    let mut snapshot = Snapshot::open(log.fs(), Path::new(DATA), "l", end);
    snapshot.seek_to(110, 2).unwrap();
    let failure = snapshot.read_one().unwrap_err();
    assert_eq!(failure.offset, 110);
    assert!(matches!(failure.error, LogError::MessageSize(0x6363_6363)));
    writer.reset_write_end(110, 99).unwrap();
    assert_eq!(writer.state().write_end, at(1, 10, 110, 99));
}

/// Where nothing is wrong: behind the told end nothing is read ahead.
#[test]
fn what_lies_behind_the_told_end_is_not_read_ahead() {
    let log = Log::new();
    let mut writer = log.writer_with(&ONE_SEGMENT).unwrap();
    put(&mut writer, "abc");
    writer.flush_buffer();
    let mut reader = log.reader_from_start(at(0, 100, 100, 2));
    assert_eq!(drain(&mut reader), "ab");
    writer.rollback(100, 1).unwrap();
    put(&mut writer, "Z");
    writer.flush_buffer();
    tell_end(&mut reader, writer.state().read_end);
    assert_eq!(drain(&mut reader), "Z");
}

#[test]
fn a_reader_that_passes_damage_goes_on_from_its_confirmed_position() {
    let (log, writer) = Log::with("abcdefgh");
    let damaged = [&log.bytes(&segment(1))[..50], &[0; 50]].concat();
    log.place(&segment(1), damaged);
    let mut reader = log.auto_skipping_reader(LogPosition::default());
    tell_end(&mut reader, writer.state().read_end);
    assert_eq!(drain(&mut reader), "abccefgh", "to segment 1, then to 2");
}

#[test]
fn a_segment_that_can_neither_be_read_nor_passed_is_tried_for_ever() {
    let (log, writer) = Log::with("abcdefgh");
    log.remove(&segment(0));
    log.place(&sidecar(0), []);
    let mut reader = log.auto_skipping_reader(LogPosition::default());
    tell_end(&mut reader, writer.state().read_end);
    let error = reader.try_read_one().unwrap_err().error;
    assert!(matches!(error, LogError::CutOff(steps) if steps > 10_000));
}

/// Where nothing is wrong: neither buffer bounds a message.
#[test]
fn messages_larger_than_all_buffers_come_back() {
    let log = Log::new();
    let options = LogOptions {
        segment_bytes_max: 250_000,
        ..OPTIONS
    };
    let mut writer = log.writer_with(&options).unwrap();
    let sizes = [10, 5000, 131_068, 131_072, 140_000, 4092, 4093, 70_000];
    for (size, letter) in sizes.into_iter().zip(b'a'..) {
        writer.put(&vec![letter; size]).unwrap();
    }
    writer.flush(false).unwrap();
    let mut reader = log.reader_from_start(writer.state().read_end);
    for (size, letter) in sizes.into_iter().zip(b'a'..) {
        let message = reader.try_read_one().unwrap().unwrap();
        assert!(message.bytes == vec![letter; size], "{size} bytes");
    }
    assert_eq!(reader.try_read_one().unwrap(), None);
}
