//! Calls from numbers: few names, so that they meet; mostly small offsets, sometimes across pages.

use super::step::{FileCall, FileStep};
use crashline::fs::{OpenMode, SyncKind};

const FILES: [&str; 6] = ["a", "b", "c", "d/a", "d/b", "d/e/a"];
const DIRECTORIES: [&str; 4] = ["d", "d/e", "e", "."];
const MODES: [OpenMode; 5] = [
    OpenMode::Read,
    OpenMode::Write,
    OpenMode::Create,
    OpenMode::CreateNew,
    OpenMode::Truncate,
];

/// Draws one call; `draw` gives a number below its argument.
pub fn draw_step(draw: &mut dyn FnMut(u32) -> u32) -> FileStep {
    match draw(24) {
        0..=3 => FileStep::Open {
            path: any_path(draw),
            mode: pick(&MODES, draw),
        },
        4 => FileStep::Close {
            handle: handle(draw),
        },
        5..=13 => FileStep::OnFile {
            handle: handle(draw),
            call: file_call(draw),
        },
        14..=16 => FileStep::Rename {
            source: any_path(draw),
            target: any_path(draw),
            replace: draw(4) > 0,
        },
        17 => FileStep::Remove {
            path: any_path(draw),
        },
        18 => FileStep::CreateDir {
            path: any_path(draw),
        },
        19 => FileStep::SyncDir {
            path: pick(&DIRECTORIES, draw),
        },
        _ => look(draw),
    }
}

fn file_call(draw: &mut dyn FnMut(u32) -> u32) -> FileCall {
    match draw(9) {
        0..=4 => FileCall::Write {
            offset: offset(draw),
            size: size(draw),
            byte: u8::try_from(1 + draw(200)).unwrap_or(1),
        },
        5 => FileCall::Read {
            offset: offset(draw),
            size: size(draw),
        },
        6 => FileCall::SetSize { size: offset(draw) },
        _ => FileCall::Sync {
            kind: if draw(2) == 0 {
                SyncKind::Data
            } else {
                SyncKind::All
            },
        },
    }
}

/// Calls that change nothing, and locks.
fn look(draw: &mut dyn FnMut(u32) -> u32) -> FileStep {
    match draw(6) {
        0 => FileStep::OnFile {
            handle: handle(draw),
            call: FileCall::Size,
        },
        1 => FileStep::Stat {
            path: any_path(draw),
        },
        2 => FileStep::IsSame {
            left: any_path(draw),
            right: any_path(draw),
        },
        3 => FileStep::List {
            path: any_path(draw),
        },
        4 => FileStep::Lock {
            path: pick(&FILES, draw),
        },
        _ => FileStep::Unlock,
    }
}

fn pick<T: Copy>(all: &[T], draw: &mut dyn FnMut(u32) -> u32) -> T {
    let count = u32::try_from(all.len()).expect("short lists");
    let at = draw(count) as usize;
    *all.get(at).expect("drawn below the length")
}

fn any_path(draw: &mut dyn FnMut(u32) -> u32) -> &'static str {
    if draw(5) == 0 {
        pick(&DIRECTORIES, draw)
    } else {
        pick(&FILES, draw)
    }
}

fn handle(draw: &mut dyn FnMut(u32) -> u32) -> usize {
    draw(4) as usize
}

fn offset(draw: &mut dyn FnMut(u32) -> u32) -> u64 {
    u64::from(match draw(8) {
        0 => 0,
        1 => 512 * draw(4),
        2 => 4096 * draw(3),
        3 => draw(20_000),
        _ => draw(1500),
    })
}

fn size(draw: &mut dyn FnMut(u32) -> u32) -> usize {
    let size = match draw(8) {
        0 => 0,
        1 => 512,
        2 => draw(10_000),
        _ => draw(700),
    };
    size as usize
}
