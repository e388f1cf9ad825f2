//! The bytes of an input become the directory of a segmented log, as `open_log_directory.rs` says.

use crate::{seal_blocks, seal_log_meta};
use crashline::fs::{Fs, OpenMode, write_all_at};
use crashline_sim::simfs::SimFs;
use std::path::Path;

/// Files of the log `log`, of its readers, of a log that looks like it, and of nobody.
const NAMES: &[&str] = &[
    "log.diskqueue.meta.writer.dat",
    "log.diskqueue.meta.writer.dat.tmp",
    "log.diskqueue.meta.extra.dat",
    "log.diskqueue.cuts",
    "log.diskqueue.lock",
    "log.diskqueue.000000.dat",
    "log.diskqueue.000001.dat",
    "log.diskqueue.000002.dat",
    "log.diskqueue.000003.dat",
    "log.diskqueue.000000.dat.offsetmeta.dat",
    "log.diskqueue.000001.dat.offsetmeta.dat",
    "log.diskqueue.000002.dat.offsetmeta.dat",
    "log.diskqueue.000000.sums",
    "log.diskqueue.000001.sums",
    "log.diskqueue.000003.sums",
    "r.diskqueue.meta.v2.reader.dat",
    "r.diskqueue.meta.v2.reader.copy",
    "r.diskqueue.meta.reader.dat",
    "log.diskqueue.reader.r.lock",
    "log:c.diskqueue.meta.v2.reader.dat",
    "log.diskqueue.000002.dat.rolldata",
    "log.diskqueue.000007.dat",
    "log.diskqueue.000003.dat.bad",
    "log.diskqueue.meta.writer.dat.12.corrupt",
    "log.diskqueue.meta.extra.spare",
    "log.diskqueue.999990.dat",
    "log.diskqueue.000999991.dat",
    "log.diskqueue.9223372036854775806.dat",
    "log.diskqueue.000004.dat",
    "log2.diskqueue.meta.writer.dat",
    "notes.txt",
];
/// Set in the byte that chooses a name: make the file's checksums right.
const SEALED: u8 = 0x80;
/// Stands in a sealed meta for the boot of this run.
const BOOT: &[u8] = b"BOOTBOOTBOOTBOOTBOOTBOOTBOOTBOOT";

/// Writes the files of an input into a new directory.
pub fn write(sim: &SimFs, directory: &Path, mut input: &[u8]) {
    sim.create_dir(directory).expect("the root is there");
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
        let path = directory.join(name);
        let file = sim
            .open(&path, OpenMode::Truncate, 0o600)
            .expect("a new file opens");
        write_all_at(&*file, 0, &bytes).expect("there is space");
    }
}

fn seal(sim: &SimFs, name: &str, bytes: &mut Vec<u8>) {
    if name.contains("meta.extra") {
        seal_log_meta::seal_start_meta(bytes, 1);
    } else if name.contains(".meta.") {
        let boot = sim.boot_id().expect("the simulated disk knows its boot");
        let boot: String = boot.0.iter().map(|byte| format!("{byte:02x}")).collect();
        let place = bytes.windows(BOOT.len()).position(|window| window == BOOT);
        if let Some(place) = place {
            bytes.splice(place..place + BOOT.len(), boot.into_bytes());
        }
        seal_log_meta::seal_log_meta(bytes);
    } else {
        seal_blocks::seal_blocks(bytes);
    }
}
