//! Any bytes as the directory of a segmented log: looking and opening, reading and going on
//! neither panic nor loop, show the same each time, and what is put then is there.
//!
//! Input: one byte of options; then files, each a byte that chooses the name and whether its
//! checksums are made right (else no input would get past them), two bytes of size, most
//! significant first, and so many bytes, or what is left. A file that comes twice is the last one.
#![no_main]

#[path = "../common/log_files.rs"]
mod log_files;
#[path = "../common/noted_sums.rs"]
mod noted_sums;
#[path = "../common/seal_blocks.rs"]
mod seal_blocks;
#[path = "../common/seal_log_meta.rs"]
mod seal_log_meta;

use crashline::fs::{Fs, OpenMode, read_up_to};
use crashline::seglog::format::{WriterMeta, parse_writer_meta};
use crashline::seglog::{
    Error, LogOptions, LogReader, LogWriter, Message, OpenedWriter, Position, Snapshot,
    known_readers,
};
use crashline_sim::simfs::SimFs;
use libfuzzer_sys::fuzz_target;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

const DIRECTORY: &str = "/data";
const LOG: &str = "log";
const READERS: &[&str] = &["r", "log:c"];

/// The copies of the writer meta.
const METAS: &[&str] = &[
    "log.diskqueue.meta.writer.dat",
    "log.diskqueue.meta.writer.dat.tmp",
];
/// More messages, losses and refusals in a row than any input has.
const READS_MAX: usize = 20_000;

fuzz_target!(|input: &[u8]| {
    let Some((choice, files)) = input.split_first() else {
        return;
    };
    let sim = SimFs::new();
    log_files::write(&sim, Path::new(DIRECTORY), files);
    let count = sim.tree().len() as u64;
    sim.set_call_limit(Some(60_000 + 600 * count));
    let log = Log {
        fs: Arc::new(sim.clone()),
        sim,
        options: LogOptions {
            segment_bytes_max: 32 << (choice & 3),
            message_bytes_max: 1024,
            sync_every: u64::from(choice >> 2 & 1) + 1,
            auto_skip_damaged: choice >> 3 & 1 == 1,
            ..LogOptions::default()
        },
    };
    log.use_it();
});

struct Log {
    fs: Arc<dyn Fs>,
    sim: SimFs,
    options: LogOptions,
}

impl Log {
    fn use_it(&self) {
        let before = self.sim.tree();
        let looked = self.look();
        let (start, end) = (looked.writer.queue_start(), looked.writer.write_end());
        assert!(start.offset <= end.offset && start.segment <= end.segment);
        let mut shown = self.messages(&looked.writer);
        assert_eq!(self.sim.tree(), before, "looking changed something");
        let is_true = METAS.iter().all(|name| self.is_true_note(name));
        if !is_true {
            shown = self.messages(&self.open().writer);
        }
        for _ in 0..2 {
            let opened = self.open();
            let writer = opened.writer;
            assert_eq!((writer.queue_start(), writer.write_end()), (start, end));
            assert_eq!(self.messages(&writer), shown);
        }
        let (shown, damaged) = shown;
        let are_all = shown.len() as u64 == end.count - start.count;
        let is_whole = is_true && looked.losses.is_empty() && damaged == 0 && are_all;
        self.read(&shown, end, is_whole);
        self.go_on(end, is_whole);
    }

    /// Whether this copy of the writer meta, where it has a note, tells the truth about the sums.
    fn is_true_note(&self, name: &str) -> bool {
        let WriterMeta::Noted(_, note) = parse_writer_meta(&self.bytes(name)) else {
            return true;
        };
        // Its file with more digits is among no names here.
        let sums = self.bytes(&format!("{LOG}.diskqueue.{:06}.sums", note.durable.segment));
        noted_sums::are_as_noted(&sums, &note)
    }

    /// The bytes of a file; none where it is not there.
    fn bytes(&self, name: &str) -> Vec<u8> {
        let path = Path::new(DIRECTORY).join(name);
        let Ok(file) = self.fs.open(&path, OpenMode::Read, 0) else {
            return Vec::new();
        };
        let size = file.size().expect("nothing fails");
        let mut bytes = vec![0; usize::try_from(size).expect("inputs are small")];
        read_up_to(&*file, 0, &mut bytes).expect("nothing fails");
        bytes
    }

    /// Readers stand where they stood, once more, and read forward.
    fn read(&self, shown: &[(u64, u64)], log_end: Position, is_whole: bool) {
        let writer = self.open().writer;
        let directory = Path::new(DIRECTORY);
        let known = known_readers(Arc::clone(&self.fs), directory, OsStr::new(LOG));
        known.expect("nothing fails");
        for name in READERS {
            let open = || {
                let (fs, log, name) = (Arc::clone(&self.fs), OsStr::new(LOG), OsStr::new(name));
                let end = writer.read_end();
                let opened = LogReader::open(fs, directory, log, name, self.options, end);
                self.must_end();
                opened.expect("a reader opens").reader
            };
            let stood = open().confirmed();
            let mut reader = open();
            let again = reader.confirmed();
            // As below: segments and counts may contradict one another.
            let stands = again.is_same_place(&stood) || !is_whole && again.offset == stood.offset;
            assert!(stands, "{again:?}, where it stood at {stood:?}");
            let mut last = stood.offset;
            for message in self.drain(|| reader.try_read_one()).0 {
                assert!(message.offset >= last && message.offset < log_end.offset);
                last = message.offset + 1;
            }
            let read = reader.read_position();
            reader
                .confirm_read(crashline::seglog::Confirm::AllRead)
                .expect("it was read");
            reader.flush(true).expect("there is space");
            drop(reader);
            let now = open().confirmed();
            // Notes with counts that no log has there are believed, and contradict one another.
            let is_place = is_whole && shown.contains(&(stood.offset, stood.count));
            let is_kept = now.offset == read.offset && (now.count == read.count || !is_place);
            assert!(is_kept, "{now:?} after {read:?} was saved, from {stood:?}");
            self.move_about(&mut open());
        }
    }

    fn move_about(&self, reader: &mut LogReader) {
        let start = reader.reset_read_to_queue_start().expect("nothing fails");
        let asked = reader.reset_read_to_offset(start.offset + 5, Some(start.count + 1));
        assert!(!matches!(asked, Err(Error::Io { .. })), "{asked:?}");
        let next = reader.skip_to_next().expect("nothing fails");
        assert!(start.offset <= next.offset);
        reader.skip_read_to_end().expect("nothing fails");
        assert!(reader.is_waiting_more_data().expect("nothing fails"));
        self.must_end();
    }

    /// What is put is there after a kill, and what is taken back is not.
    fn go_on(&self, end: Position, is_whole: bool) {
        let mut writer = self.open().writer;
        for size in [3, 40, 5] {
            match writer.put(&vec![8; size]) {
                // A number at the limit.
                Err(Error::Exhausted { .. }) => return,
                put => assert_eq!(put.expect("there is space").size, 4 + size as u64),
            }
        }
        let grown = writer.write_end();
        assert_eq!(
            (grown.offset, grown.count),
            (end.offset + 60, end.count + 3)
        );
        writer.flush(false).expect("there is space");
        drop(writer);
        let mut writer = self.open().writer;
        assert!(writer.write_end().is_same_place(&grown));
        let cut = match writer.rollback(grown.offset - 9, 1) {
            // No record leads there over what is damaged, and no sum.
            Err(Error::Refused { .. }) if !is_whole => return,
            cut => cut.expect("it was put"),
        };
        assert_eq!((cut.offset, cut.count), (grown.offset - 9, grown.count - 1));
        writer.close().expect("there is space");
        let opened = self.open();
        assert!(opened.writer.write_end().is_same_place(&cut));
        // Files that do not fit one another, under a note that no log has, may hide it.
        if !is_whole {
            return;
        }
        let tail: Vec<u64> = self
            .messages(&opened.writer)
            .0
            .iter()
            .rev()
            .take(2)
            .map(|(offset, _)| *offset)
            .collect();
        assert_eq!(tail, [end.offset + 7, end.offset]);
    }

    fn look(&self) -> OpenedWriter {
        let (fs, directory) = (Arc::clone(&self.fs), Path::new(DIRECTORY));
        let opened = LogWriter::open_read_only(fs, directory, OsStr::new(LOG), self.options);
        self.must_end();
        opened.expect("it opens for reading")
    }

    fn open(&self) -> OpenedWriter {
        let (fs, directory) = (Arc::clone(&self.fs), Path::new(DIRECTORY));
        let opened = LogWriter::open(fs, directory, OsStr::new(LOG), self.options);
        self.must_end();
        opened.expect("it opens")
    }

    /// Offset and count before each message that a snapshot reads, and how often it meets damage.
    fn messages(&self, writer: &LogWriter) -> (Vec<(u64, u64)>, usize) {
        let (fs, directory) = (Arc::clone(&self.fs), Path::new(DIRECTORY));
        let (start, end) = (writer.queue_start(), writer.read_end());
        let snapshot = Snapshot::open(fs, directory, OsStr::new(LOG), start, end);
        let mut snapshot = snapshot.expect("start and end are places");
        let (messages, damaged) = self.drain(|| snapshot.read_one());
        let places = messages
            .iter()
            .map(|message| (message.offset, message.count_after - 1));
        (places.collect(), damaged)
    }

    /// All that comes, and how often damage did.
    fn drain(
        &self,
        mut next: impl FnMut() -> Result<Option<Message>, Error>,
    ) -> (Vec<Message>, usize) {
        let (mut messages, mut damaged) = (Vec::new(), 0);
        for _ in 0..READS_MAX {
            match next() {
                Ok(Some(message)) => messages.push(message),
                Ok(None) => return (messages, damaged),
                Err(Error::Damage { .. }) => damaged += 1,
                Err(error) => panic!("a read failed: {error}"),
            }
            self.must_end();
        }
        panic!("reading does not end");
    }

    fn must_end(&self) {
        assert!(!self.sim.cut_off(), "it makes file calls without end");
    }
}
