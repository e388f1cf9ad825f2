//! How fast the simulated disk is, by itself: calls, writes with a backlog, states built, images
//! mounted. Prints a table; says nothing about engines.
//!
//! `cargo run --release --example disk_speed [MESSAGES...]`
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program that measures single calls and prints"
)]

use crashline::fs::{Fs, FsFile, OpenMode, SyncKind, list_names, read_file, write_all_at};
use crashline_sim::crash::{Image, Limits, Point, Profile, State, Visitor, Walker, profile};
use crashline_sim::simfs::{Recording, SimFs};
use std::hint::black_box;
use std::io;
use std::path::Path;

const DATA: &str = "/data/q.000000.dat";
const META: &str = "/data/q.meta";
const TEMPORARY: &str = "/data/q.meta.tmp";
const ROUNDS: usize = 7;

fn main() -> io::Result<()> {
    let counts: Vec<u32> = std::env::args()
        .skip(1)
        .filter_map(|argument| argument.parse().ok())
        .collect();
    calls()?;
    writes()?;
    let gate = profile("posix-min").ok_or(io::ErrorKind::NotFound)?;
    for messages in if counts.is_empty() {
        vec![64, 1024, 16_384]
    } else {
        counts
    } {
        let recording = queue(messages)?;
        build(&recording, gate, messages);
        mount(&recording, gate, messages);
    }
    Ok(())
}

/// Appends messages, and after every fourth syncs and replaces a small file.
fn queue(messages: u32) -> io::Result<Recording> {
    let fs = SimFs::new();
    fs.create_dir(Path::new("/data"))?;
    fs.sync_dir(Path::new("/"))?;
    let data = fs.open_file(Path::new(DATA), OpenMode::Create)?;
    fs.sync_dir(Path::new("/data"))?;
    for message in 0..messages {
        fs.mark(message * 2);
        let bytes = [u8::try_from(message % 251 + 1).unwrap_or(1); 76];
        write_all_at(&data, u64::from(message) * 76, &bytes)?;
        if message % 4 == 3 {
            data.sync(SyncKind::Data)?;
            persist(&fs, message)?;
        }
        fs.mark(message * 2 + 1);
    }
    Ok(fs.recording())
}

fn persist(fs: &SimFs, message: u32) -> io::Result<()> {
    let file = fs.open_file(Path::new(TEMPORARY), OpenMode::Truncate)?;
    write_all_at(
        &file,
        0,
        format!("{message}\n0,0\n0,{message}\n").as_bytes(),
    )?;
    file.sync(SyncKind::Data)?;
    fs.rename(Path::new(TEMPORARY), Path::new(META))?;
    fs.sync_dir(Path::new("/data"))
}

/// What this thread used so far, in nanoseconds: other programs do not disturb it.
fn processor_time() -> i64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec * 1_000_000_000 + now.tv_nsec
}

/// Median of some rounds, in nanoseconds for each of `count`.
fn median(count: u64, mut round: impl FnMut()) -> f64 {
    let mut times: Vec<i64> = (0..ROUNDS)
        .map(|_| {
            let start = processor_time();
            round();
            processor_time() - start
        })
        .collect();
    times.sort_unstable();
    let middle = times.get(ROUNDS / 2).copied().unwrap_or_default();
    u32::try_from(middle / 1000).map_or(f64::MAX, f64::from) * 1000.0
        / u32::try_from(count).map_or(f64::MAX, f64::from)
}

fn say(what: &str, nanoseconds: f64) {
    println!(
        "{what:<44} {nanoseconds:>9.0} ns  {:>12.0} /s",
        1e9 / nanoseconds
    );
}

/// Only builds, hashes and looks up.
#[derive(Default)]
struct Builds {
    images: u32,
    judged: u64,
}

impl Visitor for Builds {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        black_box(image.hash());
        self.images += 1;
        self.images
    }

    fn state(&mut self, _: &Point, _: &State<'_>, outcome: u32) {
        self.judged += u64::from(black_box(outcome) > 0);
    }
}

fn build(recording: &Recording, gate: &Profile, messages: u32) {
    let mut walker = Walker::new();
    let mut walked = None;
    let mut walk = || {
        let mut visitor = Builds::default();
        walked = Some(walker.walk(recording, gate, &Limits::default(), 1, &mut visitor));
        black_box(visitor.judged);
    };
    walk();
    let each = median(1, walk);
    let Some(summary) = walked else { return };
    println!(
        "{messages} messages: {} points ({} sampled), {} judged, {} built, {} images",
        summary.points,
        summary.points_sampled,
        summary.states_judged,
        summary.states_built,
        summary.images
    );
    let per = |count: u64| each / u32::try_from(count).map_or(f64::MAX, f64::from);
    say("  a built state", per(summary.states_built));
    say("  a judged pair", per(summary.states_judged));
}

/// Also mounts every image and reads a little of it.
struct Mounts {
    images: u64,
}

impl Visitor for Mounts {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        let fs = image.mount();
        let bytes = read_file(&fs, Path::new(META), 100).unwrap_or_default();
        if let Ok(file) = fs.open_file(Path::new(DATA), OpenMode::Write) {
            write_all_at(&file, 0, &bytes).unwrap_or_default();
            file.sync(SyncKind::Data).unwrap_or_default();
        }
        self.images += 1;
        0
    }

    fn state(&mut self, _: &Point, _: &State<'_>, _: u32) {}
}

fn mount(recording: &Recording, gate: &Profile, _messages: u32) {
    let mut walker = Walker::new();
    let mut images = 1;
    let mut walk = || {
        let mut visitor = Mounts { images: 0 };
        walker.walk(recording, gate, &Limits::default(), 1, &mut visitor);
        images = visitor.images;
    };
    walk();
    let each = median(1, &mut walk);
    say(
        "  an image mounted, read, written, synced",
        each / u32::try_from(images).map_or(f64::MAX, f64::from),
    );
}

fn writes() -> io::Result<()> {
    for backlog in [8_u32, 1024, 8192] {
        let bytes = [7; 4096];
        let each = median(u64::from(backlog), || {
            let fs = SimFs::new();
            if let Ok(file) = fs.open_file(Path::new("/a"), OpenMode::Create) {
                for page in 0..u64::from(backlog) {
                    write_all_at(&file, page * 4096, &bytes).unwrap_or_default();
                }
            }
        });
        say(&format!("4 KiB write, {backlog} of them unsynced"), each);
    }
    Ok(())
}

fn calls() -> io::Result<()> {
    const COUNT: u64 = 2000;
    let fs = SimFs::new();
    let directory = Path::new("/data");
    fs.create_dir(directory)?;
    for number in 0..6 {
        let path = directory.join(format!("q.{number:06}.dat"));
        write_all_at(&fs.open_file(&path, OpenMode::Create)?, 0, &[1; 2000])?;
    }
    fs.settle();
    let path = Path::new(DATA);
    let repeat = |name: &str, call: &mut dyn FnMut(u64)| {
        let each = median(COUNT, || {
            for number in 0..COUNT {
                call(number);
            }
            fs.settle();
        });
        say(name, each);
    };
    repeat("boot_id", &mut |_| {
        black_box(fs.boot_id());
    });
    repeat("stat", &mut |_| {
        black_box(fs.stat(path).is_ok());
    });
    repeat("list_dir of 6", &mut |_| {
        black_box(list_names(&fs, directory).is_ok());
    });
    repeat("open and close", &mut |_| {
        black_box(fs.open(path, OpenMode::Write, 0).is_ok());
    });
    let file = fs.open_file(path, OpenMode::Write)?;
    let mut buffer = [0; 76];
    repeat("read_at 76 bytes", &mut |number| {
        black_box(file.read_at(number % 1900, &mut buffer).is_ok());
    });
    repeat("write_at 76 bytes", &mut |number| {
        black_box(file.write_at(number % 1900, &buffer).is_ok());
    });
    repeat("sync", &mut |_| {
        black_box(file.sync(SyncKind::Data).is_ok());
    });
    let other = directory.join("other");
    repeat("two renames", &mut |_| {
        black_box(fs.rename(path, &other).is_ok());
        black_box(fs.rename(&other, path).is_ok());
    });
    Ok(())
}
