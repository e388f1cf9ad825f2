//! Any bytes as a segment without a meta: what recovery would deliver is what a walk over the
//! lengths finds, up to the first place that is no record or a run of empty ones.
#![no_main]

use crashline::diskqueue::format::{Frame, first_frame};
use crashline::diskqueue::{Assumption, Finding, inspect};
use crashline::fs::Fs;
use crashline_sim::simfs::{SimFs, TreeEntry};
use libfuzzer_sys::fuzz_target;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const DIRECTORY: &str = "/data";
/// So many empty records in a row are a hole, as `corpus/formats/diskqueue.md` says.
const HOLE_RECORDS: usize = 8;

fuzz_target!(|input: &[u8]| {
    let expected = walk(input);
    let directory = PathBuf::from(DIRECTORY);
    let segment = directory.join("queue.diskqueue.000000.dat");
    let tree = [
        (directory, TreeEntry::Directory),
        (segment, TreeEntry::File(input.to_vec())),
    ];
    let fs: Arc<dyn Fs> = Arc::new(SimFs::from_tree(&tree).expect("the tree can be made"));
    let mut found = Vec::new();
    let mut depth = None;
    let name = OsStr::new("queue");
    inspect(
        &fs,
        Path::new(DIRECTORY),
        name,
        Assumption::Kill,
        &mut |finding| match finding {
            Finding::Message { body, .. } => found.push(body.to_vec()),
            Finding::Queue { depth: told, .. } => depth = Some(told),
            Finding::Gap(_) | Finding::Note(_) => {}
        },
    )
    .expect("nothing fails");
    assert_eq!(depth, Some(found.len() as u64));
    assert_eq!(found, expected);
});

fn walk(segment: &[u8]) -> Vec<Vec<u8>> {
    let mut bodies = Vec::new();
    let mut rest = segment;
    while !rest.starts_with(&[0; 4 * HOLE_RECORDS])
        && let Some((length, tail)) = rest.split_first_chunk::<4>()
        && let Ok(length) = usize::try_from(i32::from_be_bytes(*length))
        && let Some((body, tail)) = tail.split_at_checked(length)
    {
        assert_eq!(
            first_frame(rest),
            Frame::Record {
                length: length as u32
            }
        );
        bodies.push(body.to_vec());
        rest = tail;
    }
    let is_hole = rest.starts_with(&[0; 4 * HOLE_RECORDS]);
    assert_eq!(matches!(first_frame(rest), Frame::Record { .. }), is_hole);
    bodies
}
