//! Snapshots: they read what is there, land on message borders, and pass damage once.

use super::log::{DATA, Log, NAME, THREE, fixtures, segment_name, sidecar_name, sums_name};
use crashline::seglog::{End, Error, Loss, Message, Position, Snapshot};
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

/// Reads to the end, going on behind damage.
fn drain(snapshot: &mut Snapshot) -> (Vec<Message>, Vec<Loss>) {
    let (mut messages, mut losses) = (Vec::new(), Vec::new());
    loop {
        match snapshot.read_one() {
            Ok(Some(message)) => messages.push(message),
            Ok(None) => break,
            Err(Error::Damage { losses: met }) => losses.extend(met),
            Err(error) => panic!("reading failed: {error}"),
        }
    }
    losses.extend(snapshot.take_losses());
    (messages, losses)
}

fn is_refused<T: std::fmt::Debug>(result: Result<T, Error>) -> bool {
    matches!(result, Err(Error::Refused { .. }))
}

#[test]
fn everything_is_read_in_order_and_in_one_form() {
    let log = Log::new(THREE);
    let mut snapshot = log.snapshot();
    for (number, expected) in log.expected(0..8).into_iter().enumerate() {
        assert_eq!(snapshot.position(), log.place(number), "before {number}");
        assert_eq!(snapshot.read_one().unwrap(), Some(expected), "{number}");
    }
    assert_eq!(snapshot.position(), log.end);
    assert_eq!(snapshot.read_one().unwrap(), None);
    assert!(snapshot.take_losses().is_empty());
}

#[test]
fn every_fixture_is_read_as_its_description_says() {
    for fixture in fixtures() {
        let title = &fixture.title;
        let fs = Arc::new(fixture.disk());
        let log = OsStr::new("topic-0");
        let open = || Snapshot::open(fs.clone(), Path::new(DATA), log, fixture.start, fixture.end);
        let mut snapshot = open().unwrap();
        assert_eq!(
            drain(&mut snapshot),
            (fixture.messages.clone(), Vec::new()),
            "{title}"
        );
        assert_eq!(snapshot.position(), fixture.end.position, "{title}");

        let size = fixture.end.position.offset - fixture.start.offset;
        let mut snapshot = open().unwrap();
        let raw = snapshot.read_raw(u32::try_from(size).unwrap()).unwrap();
        let mut expected = Vec::new();
        for message in &fixture.messages {
            let length = u32::try_from(message.bytes.len()).unwrap();
            expected.extend_from_slice(&length.to_be_bytes());
            expected.extend_from_slice(&message.bytes);
        }
        assert_eq!(raw, expected, "{title}");
        for message in &fixture.messages {
            snapshot
                .reset_seek_to(message.offset, Some(message.count_after - 1))
                .unwrap();
            assert_eq!(
                snapshot.read_one().unwrap().as_ref(),
                Some(message),
                "{title}"
            );
        }
    }
}

#[test]
fn nothing_behind_the_end_is_seen_wherever_it_lies() {
    let log = Log::new(THREE);
    for count in 0..=8 {
        let end = log.end_at(count);
        let mut snapshot = Snapshot::open(
            log.fs(),
            Path::new(DATA),
            OsStr::new(NAME),
            Position::default(),
            end,
        )
        .unwrap();
        assert_eq!(
            drain(&mut snapshot),
            (log.expected(0..count), Vec::new()),
            "{count}"
        );
        assert_eq!(snapshot.position(), end.position);
        let far = log.place(8);
        if count < 8 {
            assert!(
                is_refused(snapshot.seek_to(far.offset, Some(far.count))),
                "{count}"
            );
        }
        assert!(snapshot.update_queue_end(log.end()).unwrap() || count == 8);
        assert_eq!(
            drain(&mut snapshot),
            (log.expected(count..8), Vec::new()),
            "{count}"
        );
    }
}

#[test]
fn a_seek_lands_on_a_border_with_its_count_or_changes_nothing() {
    let log = Log::new(THREE);
    for from in 0..=8 {
        let mut snapshot = log.snapshot();
        for offset in 0..=log.end.offset + 1 {
            let border = (0..=8).find(|number| log.place(*number).offset == offset);
            snapshot
                .reset_seek_to(log.place(from).offset, None)
                .unwrap();
            let count = border.map_or(4, |number| number as u64);
            let result = snapshot.reset_seek_to(offset, Some(count));
            let Some(number) = border else {
                assert!(is_refused(result), "{from} to {offset}");
                assert_eq!(snapshot.position(), log.place(from));
                continue;
            };
            result.unwrap();
            assert_eq!(snapshot.position(), log.place(number), "{from} to {number}");
            assert!(is_refused(snapshot.reset_seek_to(offset, Some(count + 1))));
            assert_eq!(snapshot.position(), log.place(number));

            snapshot
                .reset_seek_to(log.place(from).offset, None)
                .unwrap();
            let result = snapshot.seek_to(offset, None);
            assert_eq!(
                is_refused(result),
                number < from,
                "forward {from} to {number}"
            );
            let there = log.place(number.max(from));
            assert_eq!(snapshot.position(), there);
            let rest = number.max(from)..8;
            assert_eq!(drain(&mut snapshot), (log.expected(rest), Vec::new()));
        }
    }
}

#[test]
fn the_next_segment_is_skipped_to() {
    let log = Log::new(THREE);
    for (from, to) in [(0, 3), (1, 3), (2, 3), (3, 5), (4, 5)] {
        let mut snapshot = log.snapshot();
        snapshot.seek_to(log.place(from).offset, None).unwrap();
        snapshot.skip_to_next().unwrap();
        assert_eq!(snapshot.position(), log.place(to), "from {from}");
        assert_eq!(drain(&mut snapshot), (log.expected(to..8), Vec::new()));
    }
    let mut snapshot = log.snapshot();
    snapshot.seek_to(log.place(6).offset, None).unwrap();
    assert!(is_refused(snapshot.skip_to_next()));
    snapshot.seek_to_end().unwrap();
    assert_eq!(snapshot.position(), log.end);
}

#[test]
fn raw_bytes_come_in_any_size_and_never_beyond_the_end() {
    let log = Log::new(THREE);
    let all: Vec<u8> = (0..3)
        .flat_map(|segment| log.file(&segment_name(segment)).unwrap())
        .collect();
    for size in 1..=log.end.offset {
        let mut snapshot = log.snapshot();
        let mut read = Vec::new();
        loop {
            let before = snapshot.position();
            match snapshot.read_raw(u32::try_from(size).unwrap()) {
                Ok(bytes) => read.extend(bytes),
                Err(Error::Refused { .. }) => {
                    assert_eq!(snapshot.position(), before, "{size}");
                    break;
                }
                Err(error) => panic!("{size}: {error}"),
            }
            assert_eq!(snapshot.position().offset, read.len() as u64);
        }
        let whole = usize::try_from(log.end.offset / size * size).unwrap();
        assert_eq!(read, all[..whole], "{size}");
        let place = snapshot.position();
        let is_border = (0..=8).any(|number| log.place(number) == place);
        assert_eq!(is_refused(snapshot.read_one()), !is_border, "{size}");
    }
}

#[test]
fn a_changed_record_costs_itself_where_sums_vouch() {
    let log = Log::new(THREE);
    for (victim, (place, bytes)) in log.messages.iter().enumerate() {
        for byte in 0..bytes.len() + 4 {
            let log = Log::new(THREE);
            let at = usize::try_from(place.position).unwrap() + byte;
            log.change(&segment_name(place.segment), |bytes| bytes[at] ^= 0x41);
            let (messages, losses) = drain(&mut log.snapshot());
            let others = (0..8).filter(|number| *number != victim);
            assert_eq!(messages, log.expected(others), "byte {byte} of {victim}");
            let [loss] = losses.as_slice() else {
                panic!("one loss: {losses:?}");
            };
            assert_eq!(loss.file, *segment_name(place.segment));
            assert_eq!(
                (loss.offset, loss.size),
                (place.position, bytes.len() as u64 + 4)
            );
            assert_eq!(loss.messages, Some(1));
        }
    }
}

#[test]
fn without_sums_a_changed_length_costs_at_most_its_segment() {
    let log = Log::new(THREE);
    for (victim, (place, _)) in log.messages.iter().enumerate() {
        let log = Log::new(THREE);
        (0..3).for_each(|segment| log.erase(&sums_name(segment)));
        let at = usize::try_from(place.position).unwrap();
        log.change(&segment_name(place.segment), |bytes| bytes[at] = 0x7f);
        let (messages, losses) = drain(&mut log.snapshot());
        let is_kept =
            |number: &usize| log.messages[*number].0.segment != place.segment || *number < victim;
        assert_eq!(messages, log.expected((0..8).filter(is_kept)), "{victim}");
        let lost = 8 - messages.len() as u64;
        assert_eq!(losses.len(), 1);
        assert_eq!(losses[0].messages, Some(lost), "{victim}: {losses:?}");
    }
}

/// Removes segments, and the sidecars of some segments.
fn with_missing(missing: &[u64], sidecars: &[u64]) -> Log {
    let log = Log::new(&[
        &["one", "two"],
        &["three", "four"],
        &["five", "six"],
        &["seven", "eight"],
        &["nine", "ten"],
    ]);
    missing
        .iter()
        .for_each(|segment| log.erase(&segment_name(*segment)));
    sidecars
        .iter()
        .for_each(|segment| log.erase(&sidecar_name(*segment)));
    log
}

#[test]
fn missing_segments_are_stepped_over_with_or_without_sidecars() {
    for missing in [&[0][..], &[1], &[1, 2], &[0, 1, 2, 3], &[2, 4], &[4]] {
        for sidecars in [&[][..], &[0], &[1], &[0, 1, 2, 3]] {
            let log = with_missing(missing, sidecars);
            let (messages, losses) = drain(&mut log.snapshot());
            let is_there = |number: &usize| !missing.contains(&(*number as u64 / 2));
            let mut expected = log.expected((0..10).filter(is_there));
            let lost = losses.iter().map(|loss| loss.messages).sum::<Option<u64>>();
            if missing == [2, 4] && sidecars.len() == 4 {
                // Nothing tells how many were in each.
                assert_eq!(lost, None);
                for (message, read) in expected.iter_mut().zip(&messages) {
                    message.count_after = message.count_after.min(read.count_after);
                }
            } else {
                assert_eq!(lost, Some(10 - messages.len() as u64), "{losses:?}");
            }
            assert_eq!(messages, expected, "{missing:?} {sidecars:?}");
            let runs = if missing == [2, 4] { 2 } else { 1 };
            assert_eq!(losses.len(), runs, "{missing:?} {sidecars:?}: {losses:?}");
        }
    }
}

#[test]
fn a_segment_that_was_cut_on_a_border_does_not_shift_what_follows() {
    for sidecars in [&[][..], &[1], &[0, 1, 2, 3]] {
        let log = with_missing(&[], sidecars);
        log.change(&segment_name(1), |bytes| bytes.truncate("three".len() + 4));
        let (messages, losses) = drain(&mut log.snapshot());
        let expected = log.expected((0..10).filter(|number| *number != 3));
        assert_eq!(messages, expected, "{sidecars:?}: {losses:?}");
        assert_eq!(losses.len(), 1);
        assert_eq!(losses[0].messages, Some(1));
    }
}

#[test]
fn a_wrong_sidecar_costs_nothing() {
    let good = with_missing(&[], &[]).file(&sidecar_name(1)).unwrap();
    for bit in 0..good.len() * 8 {
        let log = with_missing(&[], &[]);
        log.change(&sidecar_name(1), |bytes| bytes[bit / 8] ^= 1 << (bit % 8));
        let all = (log.expected(0..10), Vec::new());
        assert_eq!(drain(&mut log.snapshot()), all, "bit {bit}");
        for from in 0..4 {
            let mut snapshot = log.snapshot();
            snapshot.seek_to(log.place(from).offset, None).unwrap();
            snapshot.skip_to_next().unwrap();
            let next = if from < 2 { 2 } else { 4 };
            assert_eq!(
                snapshot.position(),
                log.place(next),
                "bit {bit}, from {from}"
            );
        }
        // It is needed, and wrong: the loss is never less than what is lost.
        log.erase(&segment_name(1));
        let (messages, losses) = drain(&mut log.snapshot());
        let expected = log.expected((0..10).filter(|number| !(2..4).contains(number)));
        assert_eq!(messages, expected, "bit {bit}: {losses:?}");
    }
}

#[test]
fn what_was_cut_off_is_not_seen_told_or_not() {
    let mut log = Log::new(THREE);
    let mut told = log.snapshot();
    let mut untold = log.snapshot();
    for snapshot in [&mut told, &mut untold] {
        // All of the segment is in memory now.
        snapshot.read_one().unwrap().unwrap();
    }
    let (cut, old_end) = (log.place(2), log.end());
    log.change(&segment_name(0), |bytes| {
        bytes.truncate(usize::try_from(cut.position).unwrap());
        bytes.extend_from_slice(b"\0\0\0\x03new\0\0\0\x05newer");
    });
    for segment in 1..3 {
        log.erase(&segment_name(segment));
        log.erase(&sums_name(segment));
    }
    log.erase(&sums_name(0));
    log.erase(&sidecar_name(0));
    log.note.generation += 1;
    log.end = cut;
    log.end.position += 16;
    log.end.offset += 16;
    log.end.count += 2;
    log.write_cuts(&[(log.note.generation, cut)]);
    log.write_metas();
    let next = untold.read_one().unwrap();
    assert_eq!(next.as_ref(), log.expected(1..2).first());
    assert_eq!(untold.read_one().unwrap(), None, "what follows was cut off");
    assert_eq!(untold.queue_end().position, cut, "all that is left of it");
    for snapshot in [&mut told, &mut untold] {
        assert!(snapshot.update_queue_end(log.end()).unwrap());
        let stale = End {
            generation: log.note.generation - 1,
            ..old_end
        };
        assert!(!snapshot.update_queue_end(stale).unwrap());
        let (messages, losses) = drain(snapshot);
        assert_eq!(losses, []);
        let bodies: Vec<&[u8]> = messages.iter().map(|message| &message.bytes[..]).collect();
        assert!(bodies.ends_with(&[b"new", b"newer"]), "{bodies:?}");
        assert_eq!(snapshot.position(), log.end);
    }
}
