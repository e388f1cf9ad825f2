//! A reader beside a log that grows, rolls, is rolled back, cleaned and emptied, against a model
//! that counts messages and nothing else.
#![expect(
    clippy::unwrap_used,
    reason = "a wrong index or a failed unwrap is a failed test"
)]

use super::log::{DATA, Log, segment_name, sidecar_name, sums_name};
use super::reader_random::Numbers;
use crashline::diskqueue::format::{Entry, Salt, write_seal, write_sums_blocks};
use crashline::fs::{Fs, OpenMode, write_all_at};
use crashline::seglog::format::{Sidecar, encode_sidecar};
use crashline::seglog::{Confirm, Error, LogReader, Position};
use std::path::Path;

/// What the log is, by counts; its bytes are in `log`.
pub(super) struct World {
    pub(super) log: Log,
    /// Where each generation began.
    pub(super) cuts: Vec<(u64, Position)>,
    pub(super) numbers: Numbers,
}

impl World {
    fn new(seed: u64) -> Self {
        let log = Log::new(&[&["first", "second"], &["third"]]);
        Self {
            log,
            cuts: Vec::new(),
            numbers: Numbers(seed),
        }
    }

    pub(super) fn start(&self) -> u64 {
        self.log.note.start.count
    }

    /// The place before the message of this count.
    pub(super) fn place(&self, count: u64) -> Position {
        let at = self.log.messages.iter().find(|(at, _)| at.count == count);
        at.map_or(self.log.end, |(at, _)| *at)
    }

    fn lowest_cut(&self, since: u64) -> Position {
        let cuts = self
            .cuts
            .iter()
            .filter(|(generation, _)| *generation > since);
        let lowest = cuts.map(|(_, at)| *at).min_by_key(|at| at.offset);
        lowest.unwrap_or(Position {
            offset: u64::MAX,
            ..Position::default()
        })
    }

    /// Writes the file of a segment in place, as a writer does, and its sums.
    fn write_segment(&self, number: u64, is_finished: bool) {
        let salt = Salt::new(self.log.note.generation, number);
        let (mut bytes, mut entries) = (Vec::new(), Vec::new());
        for (place, body) in self
            .log
            .messages
            .iter()
            .filter(|(at, _)| at.segment == number)
        {
            let length = u32::try_from(body.len()).unwrap();
            let mut record = length.to_be_bytes().to_vec();
            record.extend_from_slice(body);
            let sum = salt.sum(place.position, &record);
            entries.push(Entry { length, sum });
            bytes.extend(record);
        }
        let mut sums = Vec::new();
        write_sums_blocks(&salt, 0, &entries, &mut sums);
        if is_finished {
            write_seal(&salt, bytes.len() as u64, &mut sums);
        }
        for (name, bytes) in [(segment_name(number), bytes), (sums_name(number), sums)] {
            let path = Path::new(DATA).join(name);
            let file = self.log.disk.open(&path, OpenMode::Create, 0o644).unwrap();
            file.set_size(0).unwrap();
            write_all_at(file.as_ref(), 0, &bytes).unwrap();
        }
    }

    fn append(&mut self) {
        for _ in 0..=self.numbers.below(2) {
            let size = 1 + self.numbers.below(9);
            let body = format!("{}-{}", self.log.note.generation, "x".repeat(size)).into_bytes();
            let bytes = body.len() as u64 + 4;
            self.log.messages.push((self.log.end, body));
            self.log.end.position += bytes;
            self.log.end.offset += bytes;
            self.log.end.count += 1;
        }
        self.write_segment(self.log.end.segment, false);
    }

    fn roll(&mut self) {
        let end = self.log.end;
        if end.position == 0 {
            return;
        }
        self.write_segment(end.segment, true);
        let sidecar = Sidecar {
            count: end.count,
            start: end.offset - end.position,
            end: end.offset,
        };
        let bytes = encode_sidecar(&sidecar);
        self.log.set(&sidecar_name(end.segment), &bytes);
        self.log.end.segment += 1;
        self.log.end.position = 0;
    }

    fn begin_generation(&mut self) {
        self.log.note.generation += 1;
        self.cuts.push((self.log.note.generation, self.log.end));
        self.log.write_cuts(&self.cuts);
    }

    fn roll_back(&mut self) {
        let to = self.start() + self.numbers.below(6) as u64;
        let last = self.log.end.segment;
        self.log.end = self.place(to);
        self.log.messages.retain(|(at, _)| at.count < to);
        self.begin_generation();
        self.log.write_metas();
        for segment in self.log.end.segment..=last {
            self.log.erase(&sidecar_name(segment));
            if segment > self.log.end.segment {
                self.log.erase(&segment_name(segment));
                self.log.erase(&sums_name(segment));
            }
        }
        self.write_segment(self.log.end.segment, false);
    }

    fn move_start(&mut self, to: Position) {
        let first = self.log.note.start.segment;
        self.log.note.start = to;
        self.log.write_metas();
        self.log.messages.retain(|(at, _)| at.count >= to.count);
        for segment in first..to.segment {
            self.log.erase(&segment_name(segment));
            self.log.erase(&sums_name(segment));
        }
    }

    fn clean(&mut self) {
        let next = self.log.note.start.segment + 1;
        let to = self.log.messages.iter().find(|(at, _)| at.segment == next);
        if let Some((to, _)) = to.cloned() {
            self.move_start(to);
        }
    }

    fn empty(&mut self) {
        self.log.end.segment += 1;
        self.log.end.position = 0;
        self.begin_generation();
        self.move_start(self.log.end);
    }

    fn change(&mut self) {
        match self.numbers.below(12) {
            0..5 => self.append(),
            5..8 => self.roll(),
            8 | 9 => self.roll_back(),
            10 => self.clean(),
            _ => self.empty(),
        }
        self.log.write_metas();
    }
}

fn lower(one: Position, other: Position) -> Position {
    if other.offset <= one.offset {
        other
    } else {
        one
    }
}

fn higher(one: Position, other: Position) -> Position {
    if other.offset >= one.offset {
        other
    } else {
        one
    }
}

/// What a reader should say, forms of places apart.
pub(super) struct Model {
    confirmed: Position,
    read: Position,
    end: Position,
    generation: u64,
    pub(super) saved: (Position, u64),
}

impl Model {
    /// Every call that looks at the log lowers all places to what cuts left of them.
    fn catch_up(&mut self, world: &World) {
        let cut = world.lowest_cut(self.generation);
        for place in [&mut self.confirmed, &mut self.read, &mut self.end] {
            *place = higher(lower(*place, cut), world.log.note.start);
        }
        self.generation = world.log.note.generation;
    }

    pub(super) fn reopened(world: &World, saved: (Position, u64)) -> Self {
        let confirmed = lower(saved.0, world.lowest_cut(saved.1));
        let confirmed = higher(confirmed, world.log.note.start);
        Self {
            confirmed,
            read: confirmed,
            end: world.log.end,
            generation: world.log.note.generation,
            saved,
        }
    }
}

pub(super) fn use_reader(world: &mut World, reader: &mut LogReader, model: &mut Model) {
    let choice = world.numbers.below(9);
    if choice != 6 {
        model.catch_up(world);
    }
    match choice {
        0..3 => read_one(world, reader, model),
        3 => {
            reader.confirm_read(Confirm::AllRead).unwrap();
            model.confirmed = model.read;
        }
        4 => confirm(world, reader, model),
        5 => {
            let count = world.start() + world.numbers.below(8) as u64;
            let place = world.place(count);
            let result = reader.reset_read_to_offset(place.offset, Some(place.count));
            if place.offset <= model.end.offset {
                assert!(result.unwrap().is_same_place(&place));
                if place.offset < model.confirmed.offset {
                    model.saved = (place, model.generation);
                }
                model.confirmed = place;
                model.read = place;
            } else {
                assert!(matches!(result, Err(Error::Refused { .. })), "{result:?}");
            }
        }
        6 => {
            reader.flush(world.numbers.below(2) == 0).unwrap();
            model.saved = (model.confirmed, model.generation);
        }
        7 => {
            reader.update_queue_end(world.log.end(), false).unwrap();
            model.end = world.log.end;
        }
        _ => {
            let depth = reader.depth().unwrap();
            assert_eq!(depth, model.end.count - model.confirmed.count);
        }
    }
}

fn read_one(world: &World, reader: &mut LogReader, model: &mut Model) {
    let message = reader.try_read_one().unwrap();
    assert_eq!(message.is_some(), model.read.offset < model.end.offset);
    if let Some(message) = message {
        let mut messages = world.log.messages.iter();
        let found = messages.find(|(at, _)| at.offset == model.read.offset);
        assert_eq!(message.bytes, found.unwrap().1);
        assert_eq!(message.offset, model.read.offset);
        model.read = world.place(model.read.count + 1);
        assert_eq!(message.count_after, model.read.count);
    }
}

fn confirm(world: &mut World, reader: &mut LogReader, model: &mut Model) {
    let more = world.numbers.below(4) as u64;
    let place = world.place((model.confirmed.count + more).max(world.start()));
    let count = Some(place.count);
    let offset = place.offset;
    let result = reader.confirm_read(Confirm::UpTo { offset, count });
    if offset <= model.read.offset {
        result.unwrap();
        model.confirmed = higher(model.confirmed, place);
    } else {
        assert!(matches!(result, Err(Error::Refused { .. })), "{result:?}");
    }
}

pub(super) fn compare(world: &World, reader: &LogReader, model: &Model) {
    let places = [
        (reader.confirmed(), model.confirmed),
        (reader.read_position(), model.read),
        (reader.queue_end().position, model.end),
    ];
    for (one, other) in places {
        assert!(one.is_same_place(&other), "{one:?} {other:?}");
        // In the one form, once it was told.
        let is_told = reader.queue_end() == world.log.end();
        if is_told && one.offset >= world.log.note.start.offset {
            assert_eq!(one, world.place(one.count));
        }
    }
}

#[test]
fn a_reader_does_what_the_model_does() {
    for seed in 0..400 {
        let mut world = World::new(seed);
        let mut reader = world.log.reader();
        let at = world.log.end;
        let mut model = Model::reopened(&world, (at, world.log.note.generation));
        for _ in 0..120 {
            match world.numbers.below(8) {
                0..3 => world.change(),
                3 if world.numbers.below(4) == 0 => {
                    drop(reader);
                    reader = world.log.reader_to(world.log.end()).unwrap().reader;
                    model = Model::reopened(&world, model.saved);
                }
                _ => {
                    use_reader(&mut world, &mut reader, &mut model);
                    compare(&world, &reader, &model);
                }
            }
        }
        assert!(world.log.note.generation > 5, "the log was cut");
    }
}
