//! Damage to every byte: nothing panics, undamaged messages come in order, and losses are told.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
#![expect(clippy::indexing_slicing, reason = "a wrong index is a failed test")]

use super::support::{Disk, Files, fixtures, records, segment_names};
use crashline::diskqueue::{LossKind, Options};

/// Ways to damage a file; each gives the damaged bytes and where the damage starts.
fn damages(bytes: &[u8]) -> Vec<(String, Vec<u8>, usize)> {
    let mut damages = Vec::new();
    for at in 0..bytes.len() {
        let mut flipped = bytes.to_vec();
        flipped[at] ^= 1 << (at % 8);
        damages.push((format!("bit {} of byte {at} flipped", at % 8), flipped, at));
        damages.push((format!("cut to {at} bytes"), bytes[..at].to_vec(), at));
        if bytes[at] != 0 {
            let mut zeroed = bytes.to_vec();
            zeroed[at..].fill(0);
            damages.push((format!("zeros from byte {at}"), zeroed, at));
        }
    }
    damages
}

/// A damaged meta may bring back what was read, and costs no message.
fn check_metas(title: &str, files: &Files, queue: &str, options: Options, unread: &[Vec<u8>]) {
    let held: Vec<Vec<u8>> = records(files, queue)
        .into_iter()
        .map(|(_, body)| body)
        .collect();
    let meta = format!("{queue}.diskqueue.meta.dat");
    let Some(index) = files.iter().position(|(name, _)| *name == meta) else {
        return;
    };
    for (how, bytes, _) in damages(&files[index].1) {
        let mut damaged = files.clone();
        damaged[index].1 = bytes;
        let disk = Disk::with(&damaged);
        let (messages, losses) = disk.open_and_drain(queue, options);
        let context = format!("{title}: the meta {how}: {losses:?}");
        assert!(held.ends_with(&messages), "{context}: not what is held");
        assert!(messages.ends_with(unread), "{context}: a message is lost");
    }
    let mut without = files.clone();
    without.remove(index);
    let (messages, _) = Disk::with(&without).open_and_drain(queue, options);
    assert!(messages == held, "{title}: without meta everything comes");
}

#[test]
fn every_byte_of_the_originals_metas() {
    for fixture in fixtures() {
        let expected = &fixture.expected;
        let unread = expected.unread();
        let options = expected.options();
        check_metas(
            &fixture.title,
            &fixture.files,
            &expected.name,
            options,
            &unread,
        );
    }
}

/// Damage in a segment without sums: what lies before it and in later segments comes.
#[test]
fn every_byte_of_the_originals_segments() {
    for fixture in fixtures() {
        let queue = &fixture.expected.name;
        let options = fixture.expected.options();
        let disk = Disk::with(&fixture.files);
        let (whole, _) = disk.open_and_drain(queue, options);
        let all = records(&fixture.files, queue);
        let delivered = &all[all.len() - whole.len()..];
        for name in segment_names(&fixture.files, queue) {
            let index = fixture
                .files
                .iter()
                .position(|file| file.0 == name)
                .unwrap();
            for (how, bytes, at) in damages(&fixture.files[index].1) {
                let mut damaged = fixture.files.clone();
                damaged[index].1 = bytes;
                let (messages, losses) = Disk::with(&damaged).open_and_drain(queue, options);
                let context = format!("{}: {name} {how}: {losses:?}", fixture.title);
                let before = delivered
                    .iter()
                    .take_while(|(place, body)| {
                        place.0 < name || place.0 == name && place.1 + 4 + body.len() <= at
                    })
                    .map(|(_, body)| body.clone())
                    .collect::<Vec<_>>();
                let after = delivered
                    .iter()
                    .filter(|(place, _)| place.0 > name)
                    .map(|(_, body)| body.clone())
                    .collect::<Vec<_>>();
                assert!(messages.starts_with(&before), "{context}: the front");
                assert!(messages.ends_with(&after), "{context}: the end");
                // A changed length may merge records: then no byte is missing.
                let size =
                    |bodies: &[Vec<u8>]| bodies.iter().map(|body| 4 + body.len()).sum::<usize>();
                let came = size(&messages[before.len()..messages.len() - after.len()]);
                let had: Vec<_> = delivered.iter().map(|(_, body)| body.clone()).collect();
                let had = size(&had[before.len()..had.len() - after.len()]);
                let shrank = damaged[index].1.len() < fixture.files[index].1.len();
                if came < had && !shrank {
                    assert!(!losses.is_empty(), "{context}: {came} of {had} bytes came");
                }
            }
        }
    }
}

fn small() -> Options {
    Options {
        segment_bytes_max: 200,
        sync_every: 5,
        ..Options::default()
    }
}

/// Directories of our engine: closed or dropped, with a part read, empty messages among them.
fn own_directories() -> Vec<(String, Files, Vec<Vec<u8>>)> {
    let mut directories = Vec::new();
    for closed in [true, false] {
        let disk = Disk::with(&Vec::new());
        let mut queue = disk.open("q", small()).unwrap().queue;
        let message = |number: u8| vec![number; usize::from(number % 7) * 6];
        for number in 0..33 {
            queue.put(&message(number)).unwrap();
        }
        for number in 0..9 {
            assert_eq!(queue.read().unwrap(), Some(message(number)));
        }
        queue.sync().unwrap();
        let unread = (9..33).map(message).collect();
        if closed {
            queue.close().unwrap();
        }
        drop(queue);
        directories.push((format!("closed: {closed}"), disk.files(), unread));
    }
    directories
}

#[test]
fn every_byte_of_our_metas() {
    for (title, files, unread) in own_directories() {
        check_metas(&title, &files, "q", small(), &unread);
    }
}

/// With sums every flip is seen and costs exactly its record; a cut costs what it cut off.
#[test]
fn every_byte_of_our_segments() {
    for (title, files, unread) in own_directories() {
        let all = records(&files, "q");
        let delivered = &all[all.len() - unread.len()..];
        for name in segment_names(&files, "q") {
            let index = files.iter().position(|file| file.0 == name).unwrap();
            let size = files[index].1.len();
            for (how, bytes, at) in damages(&files[index].1) {
                let flip = how.starts_with("bit");
                let mut damaged = files.clone();
                damaged[index].1 = bytes;
                let is_hit = |place: &(String, usize), body: &Vec<u8>| {
                    let end = place.1 + 4 + body.len();
                    place.0 == name && at < end && (!flip || place.1 <= at)
                };
                // Zeros over zeros change nothing: only what differs is damage.
                let is_changed = |place: &(String, usize), body: &Vec<u8>| {
                    let range = place.1..place.1 + 4 + body.len();
                    damaged[index].1.get(range.clone()) != files[index].1.get(range)
                };
                let left: Vec<Vec<u8>> = delivered
                    .iter()
                    .filter(|(place, body)| !(is_hit(place, body) && is_changed(place, body)))
                    .map(|(_, body)| body.clone())
                    .collect();
                let disk = Disk::with(&damaged);
                let (messages, losses) = disk.open_and_drain("q", small());
                let context = format!("{title}: {name} ({size} bytes) {how}: {losses:?}");
                assert!(
                    messages == left,
                    "{context}: {} of {}",
                    messages.len(),
                    left.len()
                );
                let lost = (unread.len() - left.len()) as u64;
                let told: u64 = losses.iter().filter_map(|loss| loss.messages).sum();
                let unknown = losses.iter().any(|loss| loss.messages.is_none());
                assert!(
                    told == lost || unknown && told < lost,
                    "{context}: {lost} lost"
                );
                assert!(losses.iter().all(|loss| loss.kind == LossKind::Damaged));
                assert!(losses.iter().all(|loss| *loss.file == *name), "{context}");
            }
        }
    }
}

/// Sums only vouch: without them, or with damaged ones, every message comes.
#[test]
fn every_byte_of_our_sums() {
    for (title, files, unread) in own_directories() {
        for index in 0..files.len() {
            let name = files[index].0.clone();
            if !name.ends_with(".sums") {
                continue;
            }
            for (how, bytes, _) in damages(&files[index].1) {
                let mut damaged = files.clone();
                damaged[index].1 = bytes;
                let (messages, losses) = Disk::with(&damaged).open_and_drain("q", small());
                assert!(messages == unread, "{title}: {name} {how}: {losses:?}");
                assert!(losses.is_empty(), "{title}: {name} {how}: {losses:?}");
            }
            let mut without = files.clone();
            without.remove(index);
            let (messages, losses) = Disk::with(&without).open_and_drain("q", small());
            assert!(
                messages == unread && losses.is_empty(),
                "{title}: without {name}"
            );
        }
    }
}

/// A loss is reported once, its bytes are kept, and the next run knows of nothing.
#[test]
fn what_was_reported_is_over() {
    let (_, files, unread) = own_directories().swap_remove(0);
    for name in segment_names(&files, "q") {
        let index = files.iter().position(|file| file.0 == name).unwrap();
        for at in 0..files[index].1.len() {
            let mut damaged = files.clone();
            damaged[index].1[at] ^= 0x10;
            let disk = Disk::with(&damaged);
            let (messages, losses) = disk.open_and_drain("q", small());
            assert!(losses.len() <= 1, "byte {at} of {name}: {losses:?}");
            assert_eq!(
                messages.len() + losses.len(),
                unread.len(),
                "byte {at} of {name}"
            );
            let kept = disk
                .files()
                .into_iter()
                .filter(|file| file.0.contains(".bad"));
            let kept: Vec<(String, Vec<u8>)> = kept.collect();
            assert_eq!(kept.len(), losses.len(), "byte {at} of {name}");
            for ((_, bytes), loss) in kept.iter().zip(&losses) {
                assert_eq!(bytes.len() as u64, loss.size);
            }
            let (again, losses) = disk.open_and_drain("q", small());
            assert!(
                again.is_empty() && losses.is_empty(),
                "byte {at} of {name}: {losses:?}"
            );
        }
    }
}
