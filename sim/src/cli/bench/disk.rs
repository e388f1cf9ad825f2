//! How fast the simulated disk takes writes of 4 KiB, with few and with many that are not synced.

use super::super::clock::ProcessorTime;
use super::super::failure::Failure;
use super::case::{Case, Goal, Ratio, Suite};
use super::reference::copies_and_hashes;
use crate::simfs::{PAGE_BYTES, SimFs};
use crashline::fs::{FsFile, OpenMode, SyncKind, write_all_at};
use std::io;
use std::path::Path;

const WRITES: u32 = 8_192;

/// Un-synced writes at most, in the two cases.
const FEW: u32 = 8;
const MANY: u32 = WRITES;

/// All cases.
pub(super) fn suite() -> Suite {
    let name = |unsynced: u32| format!("4 KiB writes, {unsynced} un-synced");
    let case = |unsynced: u32| {
        Case::new(name(unsynced), "writes/s", move || rate(unsynced))
            .with_goal(Goal::AtLeast(200_000.0))
    };
    let copies = "copies and hashes of 4 KiB";
    let reference = || Ok(copies_and_hashes(4_096));
    Suite {
        cases: vec![
            case(FEW),
            case(MANY),
            Case::new(copies, "copies/s", reference),
        ],
        ratios: vec![
            Ratio::new(
                "4 KiB writes, many over few un-synced",
                name(MANY),
                name(FEW),
            )
            .with_goal(Goal::AtLeast(0.8)),
            Ratio::new("4 KiB writes over copies and hashes", name(FEW), copies).with_floor(0.03),
        ],
    }
}

/// Writes a second, with so many un-synced at most.
fn rate(unsynced: u32) -> Result<f64, Failure> {
    let watch = ProcessorTime::start();
    write(unsynced).map_err(|error| Failure::internal(format!("the disk failed: {error}")))?;
    Ok(f64::from(WRITES) / watch.seconds())
}

fn write(unsynced: u32) -> io::Result<()> {
    let disk = SimFs::new();
    let file = disk.open_file(Path::new("/file"), OpenMode::Create)?;
    let page = [7; 4_096];
    for number in 0..WRITES {
        write_all_at(&file, u64::from(number) * PAGE_BYTES, &page)?;
        if (number + 1).is_multiple_of(unsynced) {
            file.sync(SyncKind::Data)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_backlogs_are_written() {
        for unsynced in [FEW, MANY] {
            assert!(rate(unsynced).unwrap() > 0.0);
        }
    }
}
