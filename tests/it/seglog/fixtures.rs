//! Directories that the original left are opened, compared, and then used on.

use super::support::{Disk, fixtures};

#[test]
fn every_fixture_opens_to_what_its_description_says() {
    for fixture in fixtures() {
        let title = &fixture.title;
        let disk = Disk::with(&fixture.files);
        let before = disk.files();
        let looked = disk.look("topic-0", fixture.options);
        assert_eq!(disk.files(), before, "{title}: looking writes nothing");
        for opened in [looked, disk.open("topic-0", fixture.options).unwrap()] {
            assert!(opened.losses.is_empty(), "{title}: {:?}", opened.losses);
            let writer = opened.writer;
            assert_eq!(writer.queue_start(), fixture.start, "{title}");
            assert_eq!(writer.write_end(), fixture.end, "{title}");
            assert_eq!(writer.read_end().position, fixture.end, "{title}");
            assert_eq!(
                disk.messages("topic-0", &writer),
                fixture.messages,
                "{title}"
            );
        }
    }
}

#[test]
fn every_fixture_is_used_on() {
    for fixture in fixtures() {
        let title = &fixture.title;
        let disk = Disk::with(&fixture.files);
        let reopen = || {
            let opened = disk.open("topic-0", fixture.options).unwrap();
            assert!(opened.losses.is_empty(), "{title}: {:?}", opened.losses);
            opened.writer
        };
        let mut writer = reopen();
        let mut expected = fixture.messages.clone();
        for size in [1, 200, 700, 30] {
            let message = vec![7; size];
            writer.put(&message).unwrap();
            expected.push(message);
        }
        writer.close().unwrap();
        let mut writer = reopen();
        assert_eq!(disk.messages("topic-0", &writer), expected, "{title}");

        // Taken back across a segment's end, then into what the original wrote.
        for taken in [2, 3] {
            let size: usize = {
                let taken = expected.iter().rev().take(taken);
                taken.map(|message| 4 + message.len()).sum()
            };
            let offset = writer.write_end().offset - size as u64;
            let end = writer.rollback(offset, taken as u64).unwrap();
            expected.truncate(expected.len() - taken);
            assert_eq!(end.offset, offset, "{title}");
            assert_eq!(disk.messages("topic-0", &writer), expected, "{title}");
        }
        writer.put(b"again").unwrap();
        expected.push(b"again".to_vec());
        writer.flush(true).unwrap();
        drop(writer);
        let writer = reopen();
        assert_eq!(disk.messages("topic-0", &writer), expected, "{title}");
        assert_eq!(writer.queue_start(), fixture.start, "{title}");
    }
}
