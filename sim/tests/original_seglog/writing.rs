//! What goes wrong in the writer.

use super::support::{Log, ONE_SEGMENT, OPTIONS, WRITER_META, at, drain, put, segment, sidecar};
use crashline_sim::originals::seglog::LogError;
use crashline_sim::scenario::{CleanTarget, LogOptions, LogPosition};

/// What could not be written is lost without a word; where it should be is a hole.
#[test]
fn a_full_disk_is_not_noticed_by_a_flush_and_leaves_a_hole() {
    let log = Log::new();
    let options = LogOptions {
        segment_bytes_max: 100_000,
        ..OPTIONS
    };
    let faults = [
        "3 write_at on *0.dat: ENOSPC after 2184 bytes",
        "4-5 write_at on *0.dat: ENOSPC",
    ];
    let mut writer = log.failing_writer(&options, &faults);
    for letter in *b"abc" {
        writer.put(&[letter; 3000]).unwrap();
        writer.flush(true).unwrap();
    }
    assert_eq!(writer.state().read_end.offset, 9012);
    assert_eq!(log.bytes(&segment(0)).len(), 8192);
    assert!(matches!(writer.put(&[b'd'; 3000]), Err(LogError::Io(_))));
    writer.put(&[b'e'; 3000]).unwrap();
    writer.flush(true).unwrap();
    assert!(matches!(writer.put(&[b'f'; 3000]), Err(LogError::Io(_))));
    for letter in *b"gh" {
        writer.put(&[letter; 3000]).unwrap();
    }
    writer.flush(true).unwrap();
    let mut reader = log.reader_from_start(writer.state().read_end);
    assert_eq!(drain(&mut reader), "abc!");
    assert_eq!(reader.state().read.offset, 9012);
}

#[test]
fn growing_takes_any_count_and_puts_later_segments_aside() {
    let (log, mut writer) = Log::with("abcd");
    put(&mut writer, "efgh");
    writer.flush_buffer();
    drop(writer);
    let mut writer = log.writer().unwrap();
    assert_eq!(writer.state().write_end, at(2, 0, 200, 4));
    let grown = writer.try_fix_write_end(250, 77).unwrap();
    assert_eq!(grown, at(2, 50, 250, 77));
    assert_eq!(log.bytes(&segment(2)).len(), 50, "f is cut off");
    assert!(log.has("000003.dat.rolldata"));
}

#[test]
fn emptying_after_a_kill_lands_on_an_old_segment() {
    let (log, mut writer) = Log::with("ab");
    put(&mut writer, "cdef");
    writer.flush_buffer();
    drop(writer);
    let mut writer = log.writer().unwrap();
    assert_eq!(writer.state().write_end, at(1, 0, 100, 2));
    writer.empty().unwrap();
    assert_eq!(writer.state().write_end, at(2, 0, 100, 2));
    writer.put(&[b'Z'; 20]).unwrap();
    writer.flush(true).unwrap();
    let bytes = log.bytes(&segment(2));
    assert_eq!(bytes.len(), 100, "what is left of e and f follows");
}

#[test]
fn deleting_leaves_the_copy_and_what_lies_behind_the_end() {
    let (log, mut writer) = Log::with("ab");
    put(&mut writer, "cdef");
    writer.flush_buffer();
    drop(writer);
    let mut writer = log.writer().unwrap();
    writer.delete().unwrap();
    let left = [
        "000002.dat",
        "000002.dat.offsetmeta.dat",
        "meta.writer.dat.tmp",
    ];
    assert_eq!(log.names(), left);
    assert!(matches!(writer.put(b"x"), Err(LogError::Exiting)));
}

#[test]
fn a_refusal_has_effects() {
    let log = Log::new();
    let mut writer = log.writer().unwrap();
    assert!(writer.put(&[]).is_err());
    assert!(log.has("000000.dat"), "an empty segment");
    let nothing = writer.clean_old_data(CleanTarget::Offset(0), false, 0);
    assert!(nothing.is_err(), "there is no sidecar yet");
    put(&mut writer, "a");
    assert_eq!(writer.state().read_end.offset, 0);
    assert!(writer.rollback(60, 0).is_err());
    assert_eq!(writer.state().read_end.offset, 50, "it was flushed");
}

#[test]
fn the_stale_tail_of_a_segment_comes_back_when_it_is_rolled() {
    let log = Log::new();
    let mut writer = log.writer().unwrap();
    writer.put(&[b'a'; 20]).unwrap();
    writer.flush(true).unwrap();
    put(&mut writer, "bc");
    writer.flush_buffer();
    drop(writer);
    let mut writer = log.writer().unwrap();
    writer.put(&[b'Z'; 90]).unwrap();
    put(&mut writer, "d");
    writer.flush(true).unwrap();
    let mut reader = log.reader_from_start(writer.state().read_end);
    let told = "what is left of c is taken for a message";
    assert_eq!(drain(&mut reader), "aZ!", "{told}");
}

#[test]
fn an_empty_sidecar_stops_retention_and_skipping() {
    let (log, mut writer) = Log::with("abcdefgh");
    log.place(&sidecar(1), []);
    let position = CleanTarget::Position(at(2, 0, 200, 4));
    for to in [position, CleanTarget::Offset(250)] {
        assert!(writer.clean_old_data(to, false, 0).is_err());
    }
    assert!(log.has("000000.dat"), "nothing went");
    let mut reader = log.reader_from_start(writer.state().read_end);
    log.place(&segment(1), *b"\0\0\0\x2ecc");
    assert_eq!(drain(&mut reader), "ab!");
    reader.confirm_all().unwrap();
    for _ in 0..2 {
        assert!(reader.skip_to_next().is_err());
        assert_eq!(reader.state().confirmed, at(1, 0, 100, 2));
    }
}

#[test]
fn a_failed_sync_of_the_segment_is_told_once_and_the_next_one_syncs_nothing() {
    let log = Log::new();
    let mut writer = log.failing_writer(&ONE_SEGMENT, &["1 sync on *0.dat: EIO"]);
    put(&mut writer, "a");
    assert!(matches!(writer.flush(true), Err(LogError::Io(_))));
    writer.flush(true).unwrap();
    assert!(!log.has("meta.writer.dat"), "nothing was owed");
    put(&mut writer, "b");
    writer.flush(true).unwrap();
    assert_eq!(log.bytes(WRITER_META), b"2\n0,100,100\n\xae\x83");
}

#[test]
fn a_meta_that_cannot_be_written_goes_unnoticed() {
    let log = Log::new();
    let faults = ["2- open on *meta.writer.dat: EMFILE"];
    let mut writer = log.failing_writer(&OPTIONS, &faults);
    put(&mut writer, "a");
    writer.flush(true).unwrap();
    writer.close();
    assert!(!log.has("meta.writer.dat"));
    let state = log.writer().unwrap().state();
    assert_eq!(state.write_end, LogPosition::default());
}
