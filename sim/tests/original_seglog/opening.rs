//! What goes wrong at an open: each test is named after it, and keeps it so.

use super::support::{
    DATA, Log, OLD_READER_META, OPTIONS, READER_META, START_META, WRITER_META, at, drain, put,
    segment, sidecar, tell_end,
};
use crashline_sim::originals::seglog::{LogError, Writer};
use crashline_sim::scenario::{CleanTarget, LogPosition};
use std::path::Path;

#[test]
fn a_reader_meta_that_cannot_be_read_skips_to_the_end() {
    let (log, mut writer) = Log::with("abcdefghij");
    let end = writer.state().read_end;
    let mut reader = log.reader_from_start(end);
    reader.try_read_one().unwrap();
    reader.confirm_all().unwrap();
    reader.close();
    writer.close();
    let sound = log.bytes(READER_META);
    assert_eq!(sound, b"1\n10\n0,50,50\n5,0,500\n\xae\x83");
    assert_eq!(log.reader(end).state().depth, 9);
    let text = &sound[..sound.len() - 2];
    for damaged in [[text, &[0, 0]].concat(), vec![], vec![0; sound.len()]] {
        log.place(READER_META, damaged);
        let mut reader = log.reader(end);
        assert_eq!(reader.state().depth, 0);
        assert_eq!(drain(&mut reader), "");
    }
    log.place(READER_META, text);
    assert_eq!(log.reader(end).state().depth, 9, "no seal: it is old");
    log.place(READER_META, [&sound[..], b"more"].concat());
    assert_eq!(log.reader(end).state().depth, 9, "nobody looks further");
}

#[test]
fn an_old_reader_meta_takes_the_place_of_a_damaged_one() {
    let (log, writer) = Log::with("abcdefghij");
    log.place(READER_META, *b"9\n10\n4,50,450\n5,0,500\n\0\0");
    log.place(OLD_READER_META, *b"1\n10\n0,50,50\n5,0,500\n");
    let mut reader = log.reader(writer.state().read_end);
    assert_eq!(drain(&mut reader), "bcdefghij");
    let new = log.bytes(READER_META);
    assert_eq!(new, b"1\n10\n0,50,50\n5,0,500\n\xae\x83");
}

#[test]
fn a_writer_meta_that_is_no_text_never_opens_although_its_copy_is_good() {
    let (log, writer) = Log::with("abcdefghij");
    drop(writer);
    for damaged in [vec![], b"10".to_vec(), vec![0; 20]] {
        log.place(WRITER_META, damaged.clone());
        for _ in 0..3 {
            assert!(log.writer().is_err());
            assert_eq!(log.bytes(WRITER_META), damaged);
        }
    }
}

#[test]
fn a_writer_meta_without_its_seal_opens_at_the_second_try() {
    let (log, writer) = Log::with("abcdefghij");
    drop(writer);
    log.place(WRITER_META, *b"9\n4,50,450\n\0\0");
    let to_read = Writer::open_for_reading(log.fs(), Path::new(DATA), "l", &OPTIONS);
    assert!(matches!(to_read, Err(LogError::Unsealed)));
    assert!(
        !log.has("meta.writer.dat.0.corrupt"),
        "that changed nothing"
    );
    assert!(matches!(log.writer(), Err(LogError::Unsealed)));
    let state = log.writer().unwrap().state();
    assert_eq!(state.write_end, at(5, 0, 500, 10), "as the copy says");
    assert!(log.has("meta.writer.dat.0.corrupt"));
}

#[test]
fn without_a_writer_meta_segment_zero_is_overwritten() {
    let (log, writer) = Log::with("abcdefghij");
    drop(writer);
    log.remove(WRITER_META);
    let mut writer = log.writer().unwrap();
    assert_eq!(writer.state().write_end, LogPosition::default());
    writer.put(&[b'Z'; 20]).unwrap();
    writer.flush(true).unwrap();
    let mut reader = log.reader_from_start(writer.state().read_end);
    assert_eq!(drain(&mut reader), "Z");
    assert_eq!(log.bytes(&segment(0)).len(), 100, "the rest of it is old");
}

fn start(log: &Log) -> Result<LogPosition, LogError> {
    log.writer().map(|writer| writer.state().queue_start)
}

#[test]
fn a_start_meta_that_is_lost_costs_messages_or_the_log() {
    let (log, mut writer) = Log::with("abcdefghijkl");
    let target = CleanTarget::Position(at(3, 0, 300, 6));
    writer.clean_old_data(target, false, 0).unwrap();
    drop(writer);
    let text = b"{\"SegOffset\":{\"FileNum\":3,\"Pos\":0},\"VirtualOffset\":300,\"TotalMsgCnt\":6}";
    assert_eq!(log.bytes(START_META), text);
    log.place(START_META, []);
    assert_eq!(start(&log).unwrap(), at(3, 0, 300, 6));

    log.place(START_META, []);
    log.place(&sidecar(2), []);
    for _ in 0..2 {
        assert!(start(&log).is_err(), "for ever");
    }
    log.remove(&sidecar(2));
    let skipped = "two messages are skipped";
    assert_eq!(start(&log).unwrap(), at(4, 0, 400, 8), "{skipped}");

    let stale = b"{\"SegOffset\":{\"FileNum\":0,\"Pos\":0},\"VirtualOffset\":0,\"TotalMsgCnt\":0}";
    log.place(START_META, *stale);
    assert_eq!(start(&log).unwrap(), LogPosition::default());
}

/// One bit turns a key into one that is not known, and its number into zero.
#[test]
fn a_flipped_bit_in_the_start_meta_is_taken() {
    let keys = ["SegOffset", "FileNum", "VirtualOffset", "TotalMsgCnt"];
    let text = |[place, segment, offset, count]: [&str; 4]| {
        format!("{{\"{place}\":{{\"{segment}\":3,\"Pos\":0}},\"{offset}\":300,\"{count}\":6}}")
    };
    let loaded = |text: &str| {
        let (log, writer) = Log::with("abcdefghijkl");
        drop(writer);
        log.place(START_META, text);
        start(&log).unwrap()
    };
    let changed = |index: usize, key: &'static str| {
        let mut keys = keys;
        keys[index] = key;
        loaded(&text(keys))
    };
    assert_eq!(loaded(&text(keys)), at(3, 0, 300, 6));
    assert_eq!(changed(3, "TotalMsgCn\\u0074"), at(3, 0, 300, 6));
    assert_eq!(changed(3, "totalmsgcnt"), at(3, 0, 300, 6));
    assert_eq!(changed(3, "TotalMsgCnu"), at(3, 0, 300, 0));
    assert_eq!(changed(2, "VirtualOgfset"), at(3, 0, 0, 6));
    assert_eq!(changed(0, "SegOffreu"), at(0, 0, 300, 6));
    let whole = text(keys);
    assert_eq!(loaded(&whole.replace(":6", ":null")), at(3, 0, 300, 0));
    let scanned = LogPosition::default();
    assert_eq!(loaded(&whole.replace(":6", ":6.0")), scanned, "no integer");
    assert_eq!(loaded(&format!("{whole}\0")), scanned, "something follows");
}

#[test]
fn a_reader_ahead_of_the_writer_misses_or_gets_other_messages() {
    let (log, mut writer) = Log::with("abcd");
    let old = log.bytes(WRITER_META);
    put(&mut writer, "efgh");
    writer.flush(true).unwrap();
    let mut reader = log.reader_from_start(writer.state().read_end);
    assert_eq!(drain(&mut reader), "abcdefgh");
    reader.confirm_all().unwrap();
    reader.flush(true);
    drop((reader, writer));
    log.place(WRITER_META, old);
    let mut writer = log.writer().unwrap();
    let opened = log.reader(writer.state().read_end).state();
    assert_eq!(opened.confirmed, at(2, 0, 200, 4), "forced back at open");

    let mut ahead = log.reader(at(4, 0, 400, 8));
    put(&mut writer, "Z");
    writer.flush(true).unwrap();
    assert!(!tell_end(&mut ahead, writer.state().read_end));
    assert_eq!(drain(&mut ahead), "", "Z is never delivered");
    let overwritten = log.bytes(&segment(2));
    assert!(overwritten.starts_with(b"\0\0\0\x2eZ"), "this was e");
}

#[test]
fn a_reader_opened_on_a_backlog_says_that_it_waits() {
    let (log, mut writer) = Log::with("ab");
    let end = writer.state().read_end;
    log.reader_from_start(end).close();
    let mut reader = log.reader(end);
    assert_eq!((reader.state().depth, reader.state().waiting), (2, true));
    put(&mut writer, "c");
    writer.flush(false).unwrap();
    tell_end(&mut reader, writer.state().read_end);
    assert_eq!((reader.state().depth, reader.state().waiting), (3, false));
}
