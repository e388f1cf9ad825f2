//! Any bytes as a data directory: opening, draining, putting and closing neither panics nor
//! loops, and what is put then is delivered.
//!
//! Input: one byte of options; then files, each a byte that chooses the name and whether its
//! checksums are made right (else no input would get past them), two bytes of size, most
//! significant first, and so many bytes, or what is left. A file that comes twice is the last one.
#![no_main]

#[path = "../common/seal_blocks.rs"]
mod seal_blocks;
#[path = "../common/seal_meta.rs"]
mod seal_meta;

use crashline::fs::{Fs, OpenMode, write_all_at};
use crashline_sim::scenario::{Action, FailureKind, FifoOptions, Outcome, Reply};
use crashline_sim::simfs::SimFs;
use crashline_sim::subject::{DiskQueueSubject, Object, OpenRequest, Subject};
use libfuzzer_sys::fuzz_target;
use std::path::Path;
use std::sync::Arc;

const DIRECTORY: &str = "/data";

/// Files of the queue `queue`, of a queue that looks like it, and of nobody.
const NAMES: &[&str] = &[
    "queue.diskqueue.meta.dat",
    "queue.diskqueue.000000.dat",
    "queue.diskqueue.000001.dat",
    "queue.diskqueue.000002.dat",
    "queue.diskqueue.000000.sums",
    "queue.diskqueue.000001.sums",
    "queue.diskqueue.lock",
    "queue.diskqueue.meta.spare",
    "queue.diskqueue.000000.dat.bad",
    "queue.diskqueue.meta.dat.1234.tmp",
    "queue.diskqueue.9223372036854775807.dat",
    "queue.diskqueue.meta.dat.bad",
    "queue.diskqueue.000007.dat",
    "queue2.diskqueue.meta.dat",
    "queue.diskqueue.0.dat",
    "notes.txt",
];
/// Set in the byte that chooses a name: make the file's checksums right.
const SEALED: u8 = 0x80;
/// Stands in a sealed meta for the boot of this run.
const BOOT: &[u8] = b"BOOTBOOTBOOTBOOTBOOTBOOTBOOTBOOT";

fuzz_target!(|input: &[u8]| {
    let Some((choice, files)) = input.split_first() else {
        return;
    };
    let sim = SimFs::new();
    write_files(&sim, files);
    let options = options(*choice);
    use_queue(&sim, &options);
});

fn options(choice: u8) -> FifoOptions {
    FifoOptions {
        segment_bytes_max: 64 << (choice & 3),
        message_bytes_min: u32::from(choice >> 2 & 1),
        message_bytes_max: 1024,
        sync_every: u64::from(choice >> 3 & 3) + 1,
        sync_timeout_ms: 2000,
    }
}

fn write_files(sim: &SimFs, mut input: &[u8]) {
    sim.create_dir(Path::new(DIRECTORY))
        .expect("the root is there");
    while let Some(([choice, high, low], rest)) = input.split_first_chunk::<3>() {
        let size = usize::from(u16::from_be_bytes([*high, *low])).min(rest.len());
        let (bytes, rest) = rest.split_at(size);
        input = rest;
        let index = usize::from(choice & !SEALED) % NAMES.len();
        let name = NAMES.get(index).expect("the index is within the list");
        let mut bytes = bytes.to_vec();
        if choice & SEALED != 0 {
            seal(sim, name, &mut bytes);
        }
        let path = Path::new(DIRECTORY).join(name);
        let file = sim
            .open(&path, OpenMode::Truncate, 0o600)
            .expect("a new file opens");
        write_all_at(&*file, 0, &bytes).expect("there is space");
    }
}

/// Puts checksums right, as `corpus/formats/diskqueue.md` says.
fn seal(sim: &SimFs, name: &str, bytes: &mut Vec<u8>) {
    if name.contains(".meta.") {
        seal_meta(sim, bytes);
    } else {
        seal_blocks::seal_blocks(bytes);
    }
}

fn seal_meta(sim: &SimFs, bytes: &mut Vec<u8>) {
    let boot = sim.boot_id().expect("the simulated disk knows its boot");
    let boot: String = boot.0.iter().map(|byte| format!("{byte:02x}")).collect();
    let place = bytes.windows(BOOT.len()).position(|window| window == BOOT);
    if let Some(place) = place {
        bytes.splice(place..place + BOOT.len(), boot.into_bytes());
    }
    seal_meta::seal_meta(bytes);
}

/// Opens, drains, puts three, reads one, closes, opens again and reads the other two.
fn use_queue(sim: &SimFs, options: &FifoOptions) {
    let files: usize = sim.tree().len();
    sim.set_call_limit(Some(20_000 + 200 * files as u64));
    let Some(mut queue) = open(sim, options) else {
        return;
    };
    must_end(sim, &queue.drain(&mut |_| true));
    let messages = [b"one-1".to_vec(), b"two-2".to_vec(), b"three".to_vec()];
    for message in &messages {
        let put = Action::Put { size: 5 };
        let outcome = queue.apply(&put, std::slice::from_ref(message));
        assert!(outcome.result.is_ok(), "a put after recovery: {outcome:?}");
    }
    assert_eq!(read(&mut *queue), Some(messages[0].clone()));
    let closed = queue.apply(&Action::Close, &[]);
    assert!(closed.result.is_ok(), "a close after recovery: {closed:?}");
    drop(queue);
    let mut queue = open(sim, options).expect("a closed queue opens");
    let mut delivered = Vec::new();
    must_end(
        sim,
        &queue.drain(&mut |message| {
            delivered.push(message.to_vec());
            true
        }),
    );
    assert_eq!(delivered, messages[1..]);
    must_end(sim, &queue.apply(&Action::Close, &[]));
}

fn open(sim: &SimFs, options: &FifoOptions) -> Option<Box<dyn Object>> {
    let fs: Arc<dyn Fs> = Arc::new(sim.clone());
    let opened = DiskQueueSubject.open(&OpenRequest {
        fs: &fs,
        directory: Path::new(DIRECTORY),
        object: "queue",
        options,
        read_only: false,
        quirks: &[],
    });
    must_end(sim, &opened.outcome);
    opened.object
}

fn read(queue: &mut dyn Object) -> Option<Vec<u8>> {
    match queue.apply(&Action::Read, &[]).result {
        Ok(Reply::Message(message)) => Some(message),
        _ => None,
    }
}

/// An error is an answer; going on for ever is none.
fn must_end(sim: &SimFs, outcome: &Outcome) {
    assert!(
        !sim.cut_off(),
        "it makes file calls without end: {outcome:?}"
    );
    if let Err(failure) = &outcome.result {
        assert!(failure.kind != FailureKind::Panic, "{failure:?}");
    }
}
