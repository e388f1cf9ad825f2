//! Putting, flushing, rolling, closing and opening again, without crashes.

use super::support::{Disk, at, message, record, small};
use crashline::fs::{Fs, OpenMode, RealFs, list_names};
use crashline::seglog::{Applied, CleanTarget, Error, LogOptions, LogReader, LogWriter};
use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

#[test]
fn a_new_log_is_empty_and_its_metas_are_there_before_a_segment() {
    let disk = Disk::empty();
    let mut writer = disk.writer();
    assert_eq!(writer.write_end(), at(0, 0, 0, 0));
    assert_eq!(writer.queue_start(), at(0, 0, 0, 0));
    assert_eq!(disk.names_with("000000"), Vec::<String>::new());
    let metas = disk.after_power_cut().names_with("meta.writer.dat");
    assert_eq!(metas.len(), 2, "{metas:?}");
    writer.close().unwrap();
    writer.close().unwrap();
    assert!(matches!(writer.put(b"x"), Err(Error::Closed)));
    assert_eq!(disk.writer().write_end(), at(0, 0, 0, 0));
}

#[test]
fn offsets_and_counts_grow_by_what_was_written_across_rolls_and_reopens() {
    let disk = Disk::empty();
    let mut writer = disk.writer();
    let mut expected = Vec::new();
    let mut offset = 0;
    for number in 0..120 {
        let body = message(number);
        let put = writer.put(&body).unwrap();
        assert_eq!(put.offset, offset);
        assert_eq!(put.size, 4 + body.len() as u64);
        offset += put.size;
        expected.push(body);
        assert_eq!(put.end, writer.write_end());
        assert_eq!(put.end.offset, offset);
        assert_eq!(put.end.count, expected.len() as u64);
        assert!(put.end.position < 50, "a full segment is left: {put:?}");
        match number % 7 {
            0 => writer.flush(false).unwrap(),
            3 => writer.flush(true).unwrap(),
            5 => assert!(writer.flush_buffer().unwrap() || put.end.position == 0),
            _ => {}
        }
        if number % 11 == 0 {
            writer.close().unwrap();
            writer = disk.writer();
            assert_eq!(writer.write_end(), put.end);
            assert_eq!(writer.read_end().position, put.end);
        }
    }
    writer.flush(true).unwrap();
    assert!(writer.write_end().segment > 15);
    assert_eq!(disk.messages("L", &writer), expected);
    let disk = disk.after_power_cut();
    let writer = disk.writer();
    assert_eq!(disk.messages("L", &writer), expected);
}

#[test]
fn readers_see_what_was_flushed_or_rolled() {
    let disk = Disk::empty();
    let mut writer = disk.writer();
    writer.put(b"one").unwrap();
    assert_eq!(writer.read_end().position, at(0, 0, 0, 0));
    assert!(writer.flush_buffer().unwrap());
    assert!(!writer.flush_buffer().unwrap());
    assert_eq!(writer.read_end().position, at(0, 7, 7, 1));
    writer.put(&[7; 60]).unwrap();
    assert_eq!(writer.read_end().position, at(1, 0, 71, 2));
    assert_eq!(disk.messages("L", &writer).len(), 2);
    let sidecar = disk.file("L.diskqueue.000000.dat.offsetmeta.dat");
    assert_eq!(sidecar.unwrap(), b"2\n0,71\n");
}

#[test]
fn the_meta_of_a_flush_is_what_an_original_reads() {
    let disk = Disk::empty();
    let mut writer = disk.writer();
    writer.put(b"one").unwrap();
    writer.flush(false).unwrap();
    let meta = disk.file("L.diskqueue.meta.writer.dat").unwrap();
    assert!(meta.starts_with(b"1\n0,7,7\n\xae\x83\n"));
    let copy = disk.file("L.diskqueue.meta.writer.dat.tmp").unwrap();
    assert!(
        copy.starts_with(b"0\n0,0,0\n\xae\x83\n"),
        "it is not durable"
    );
    writer.flush(true).unwrap();
    let copy = disk.file("L.diskqueue.meta.writer.dat.tmp").unwrap();
    assert!(copy.starts_with(b"1\n0,7,7\n\xae\x83\n"));
    let calls = disk.0.call_count();
    writer.flush(true).unwrap();
    writer.flush(false).unwrap();
    assert_eq!(disk.0.call_count(), calls, "nothing is to be flushed");
}

#[test]
fn a_batch_is_whole_records_with_their_count_in_one_segment() {
    let disk = Disk::empty();
    let mut writer = disk.writer();
    let bodies: Vec<Vec<u8>> = (0..30).map(message).collect();
    let batch: Vec<u8> = bodies.iter().flat_map(|body| record(body)).collect();
    for (bytes, count) in [
        (&batch[..], 29),
        (&batch[..], 31),
        (&batch[..batch.len() - 1], 30),
        (&batch[1..], 30),
        (&[0, 0, 0, 0], 1),
        (&[], 1),
    ] {
        let refused = writer.put_raw(bytes, count);
        assert!(matches!(refused, Err(Error::Refused { .. })));
    }
    assert_eq!(writer.write_end(), at(0, 0, 0, 0));
    let put = writer.put_raw(&batch, 30).unwrap();
    assert_eq!(put.size, batch.len() as u64);
    assert_eq!(put.end, at(1, 0, batch.len() as u64, 30));
    assert_eq!(writer.put_raw(&[], 0).unwrap().end, put.end);
    assert_eq!(disk.messages("L", &writer), bodies);
}

#[test]
fn refused_messages_and_options_change_nothing() {
    let disk = Disk::empty();
    let mut writer = disk.writer();
    let before = disk.files();
    for size in [0, 201] {
        let refused = writer.put(&vec![1; size]);
        assert!(matches!(refused, Err(Error::MessageSize { .. })));
    }
    writer.flush(true).unwrap();
    assert_eq!(disk.files(), before);
    let none = LogOptions {
        message_bytes_min: 0,
        ..small()
    };
    assert!(matches!(disk.open("L2", none), Err(Error::Refused { .. })));
    assert!(matches!(
        disk.open("a/b", small()),
        Err(Error::Refused { .. })
    ));
    let second = disk.open("L", small());
    assert!(matches!(second, Err(Error::Locked { .. })));
    drop(writer);
    disk.open("L", small()).unwrap();
}

#[test]
fn the_store_of_later_versions_is_not_written_beside() {
    let disk = Disk::empty();
    disk.fs().create_dir(&Disk::path("shared_meta")).unwrap();
    assert!(matches!(
        disk.open("L", small()),
        Err(Error::Refused { .. })
    ));
}

#[test]
fn an_open_for_reading_writes_nothing_and_shows_the_same() {
    let disk = Disk::empty();
    let mut writer = disk.writer();
    for number in 0..20 {
        writer.put(&message(number)).unwrap();
    }
    writer.flush(false).unwrap();
    let end = writer.write_end();
    drop(writer);
    disk.0.set_read_only(true);
    let mut looked = disk.look("L", small());
    assert_eq!(looked.writer.write_end(), end);
    assert_eq!(looked.writer.read_end().position, end);
    assert!(matches!(looked.writer.put(b"x"), Err(Error::ReadOnly)));
    assert!(matches!(looked.writer.flush(true), Err(Error::ReadOnly)));
    looked.writer.close().unwrap();
    disk.0.set_read_only(false);
    assert_eq!(disk.writer().write_end(), end);
}

fn fill(disk: &Disk, writer: &mut LogWriter) -> u64 {
    disk.0.set_free_space(0);
    let mut put = 0;
    while writer.put(&[9; 20]).is_ok() {
        put += 1;
        assert!(put < 10, "a segment is full before");
    }
    put
}

#[test]
fn a_full_disk_loses_nothing_that_was_acknowledged() {
    let disk = Disk::empty();
    let mut writer = disk.writer();
    writer.put(b"before").unwrap();
    writer.flush(true).unwrap();
    let put = fill(&disk, &mut writer);
    let end = writer.write_end();
    assert!(writer.flush(true).is_err());
    assert!(writer.flush(false).is_err());
    let error = writer.put(b"refused").unwrap_err();
    assert_eq!(error.applied(), Applied::Nothing);
    assert_eq!(writer.write_end(), end);
    disk.0.set_capacity(None);
    let after = writer.put(b"after").unwrap();
    assert_eq!(after.end.count, put + 2);
    writer.flush(true).unwrap();
    let messages = disk.messages("L", &writer);
    assert_eq!(messages.len() as u64, put + 2);
    assert_eq!(messages.last().unwrap(), b"after");
    writer.close().unwrap();
    let disk = disk.after_power_cut();
    assert_eq!(disk.messages("L", &disk.writer()), messages);
}

#[test]
fn a_full_disk_opens_cleans_and_closes() {
    let disk = Disk::empty();
    let mut writer = disk.writer();
    for number in 0..40 {
        writer.put(&message(number)).unwrap();
    }
    writer.flush(true).unwrap();
    writer.put(b"only in the cache").unwrap();
    writer.flush(false).unwrap();
    let end = writer.write_end();
    drop(writer);
    disk.0.set_free_space(0);
    let mut writer = disk.writer();
    assert_eq!(writer.write_end(), end);
    let target = CleanTarget::Offset(u64::MAX);
    let start = writer.clean_old_data(target, false, None, true).unwrap();
    assert_eq!(start.unwrap().segment, end.segment - 1);
    writer.close().unwrap();
    let disk = disk.after_power_cut();
    let mut writer = disk.writer();
    assert_eq!(Some(writer.queue_start()), start);
    assert_eq!(writer.write_end(), end);
    disk.0.set_capacity(None);
    writer.put(b"on").unwrap();
    writer.close().unwrap();
}

/// Who may read the log may read its locks too: one keeps the last generation, others register
/// readers.
#[test]
fn all_files_have_the_permissions_of_the_originals() {
    let directory = tempfile::tempdir().unwrap();
    let fs: Arc<dyn Fs> = Arc::new(RealFs);
    let (path, name) = (directory.path(), OsStr::new("L"));
    let opened = LogWriter::open(Arc::clone(&fs), path, name, small());
    let mut writer = opened.unwrap().writer;
    for number in 0..9 {
        writer.put(&message(number)).unwrap();
    }
    writer.flush(true).unwrap();
    let (reader, end) = (OsStr::new("L:c"), writer.read_end());
    LogReader::open(fs, path, name, reader, small(), end).unwrap();
    #[expect(clippy::disallowed_methods, reason = "the trait tells no permissions")]
    let mode = |name: &str| {
        let found = std::fs::metadata(path.join(name)).unwrap();
        found.permissions().mode() & 0o777
    };
    let of_segment = mode("L.diskqueue.000000.dat");
    assert_eq!(of_segment & 0o600, 0o600);
    let names = list_names(&RealFs, path).unwrap();
    assert!(names.len() > 8, "{names:?}");
    for name in names {
        let name = name.to_str().unwrap();
        assert_eq!(mode(name), of_segment, "{name}");
    }
    // Whatever the umask takes away, it is the same as of a file that is made with 0644.
    let made = RealFs.open(&path.join("made"), OpenMode::CreateNew, 0o644);
    drop(made.unwrap());
    assert_eq!(mode("made"), of_segment);
}
