//! Fault plans in their text form: which call fails how. The counts are guesses at how many calls
//! the steps make; a fault that no call meets does nothing.

use super::Choices;

/// Where faults strike.
#[derive(Debug, Clone, Copy)]
pub struct FaultFiles {
    /// What is written, synced and opened.
    written: &'static [&'static str],
    /// What is read.
    read: &'static [&'static str],
}

impl FaultFiles {
    /// Those of a queue: segments, the next meta, everything of ours, everything.
    pub const QUEUE: Self = Self {
        written: &["*.??????.dat", "*.??????.dat", "*.spare", "*.sums", "*"],
        read: &["*.??????.dat", "*.meta.dat", "*.sums", "*"],
    };

    /// Those of a log: segments, the metas of writer, start and readers, sidecars, files of ours.
    pub const LOG: Self = Self {
        written: &[
            "*.??????.dat",
            "*.??????.dat",
            "*.writer.dat",
            "*.writer.dat.tmp",
            "*.reader.dat",
            "*.reader.copy",
            "*.extra.spare",
            "*.offsetmeta.dat",
            "*.sums",
            "*.cuts",
            "*",
        ],
        read: &[
            "*.??????.dat",
            "*.writer.dat",
            "*.reader.dat",
            "*.offsetmeta.dat",
            "*.sums",
            "*",
        ],
    };
}

impl FaultFiles {
    /// Those of an offset store: the file, the next one, the backup.
    pub const OFFSETS: Self = Self {
        written: &["*.json*", "*.tmp", "*.bak", "*"],
        read: &["*.json", "*.bak", "*"],
    };
}

/// Draws a plan for a scenario of so many steps: one fault, seldom more.
pub fn fault_plan(choices: &mut Choices, files: FaultFiles, steps: u32) -> Vec<String> {
    let count = 1 + choices.weighted(&[6, 3, 1]);
    let mut lines: Vec<String> = (0..count).map(|_| fault(choices, files, steps)).collect();
    if choices.chance(1, 12) {
        lines.push("boot_id: unknown".to_owned());
    }
    lines
}

/// Draws faults that nobody is told of: wrong bits in what is read, writes that land elsewhere.
pub(super) fn silent_plan(choices: &mut Choices, steps: u32) -> Vec<String> {
    let first = which(choices, steps);
    let line = if choices.chance(1, 3) {
        let bytes = choices.pick(&[1, 12, 512, 4096]);
        format!("{first} write_at on *.??????.dat: misdirected by {bytes} bytes")
    } else {
        let file = choices.pick(&["*.??????.dat", "*.meta.dat", "*.sums"]);
        format!("{first} read_at on {file}: bit flip")
    };
    vec![line]
}

fn fault(choices: &mut Choices, files: FaultFiles, steps: u32) -> String {
    match choices.weighted(&[12, 12, 6, 4, 3, 3, 2, 2, 2]) {
        0 => sync(choices, files, steps),
        1 => write(choices, files, steps),
        2 => space(choices, steps),
        3 => read(choices, files, steps),
        4 => change_of_names(choices, steps),
        5 => open(choices, files, steps),
        6 => short(choices, steps),
        7 => format!("{} any on *: EINTR", which(choices, 6 * steps)),
        _ => {
            let from = choices.between(1, 4 * steps.max(1));
            let until = from + choices.between(0, 2 * steps);
            format!("{from}-{until} change on *: EROFS")
        }
    }
}

fn sync(choices: &mut Choices, files: FaultFiles, steps: u32) -> String {
    let file = choices.pick(files.written);
    let error = choices.pick(&["EIO", "EIO", "ENOSPC"]);
    let after = choices.pick(&["clean", "reverted", "next"]);
    format!(
        "{} sync on {file}: {error}, {after}",
        which(choices, steps / 4)
    )
}

fn write(choices: &mut Choices, files: FaultFiles, steps: u32) -> String {
    let file = choices.pick(files.written);
    let error = choices.pick(&["EIO", "ENOSPC", "ENOSPC", "EDQUOT"]);
    // Enough bytes for whole records are what tells a cut from a leftover.
    let after = match choices.pick(&[0, 1, 7, 24, 100, 512, 5000]) {
        0 => String::new(),
        bytes => format!(" after {bytes} bytes"),
    };
    format!(
        "{} write_at on {file}: {error}{after}",
        which(choices, 2 * steps)
    )
}

fn space(choices: &mut Choices, steps: u32) -> String {
    let kind = choices.pick(&["space", "space", "quota"]);
    let bytes = 4096 * choices.between(0, 4);
    let from = choices.between(1, 4 * steps.max(1));
    let until = from + choices.between(1, 10 * steps.max(1));
    format!("{kind}: {bytes} bytes from call {from} until call {until}")
}

fn read(choices: &mut Choices, files: FaultFiles, steps: u32) -> String {
    let file = choices.pick(files.read);
    if choices.chance(1, 3) {
        let first = choices.pick(&[0, 0, 1]);
        let last = first + choices.pick(&[0, 7]);
        let which = which(choices, steps);
        return format!("{which} read_at on {file}: bad sectors {first}-{last}");
    }
    format!("{} read_at on {file}: EIO", which(choices, steps))
}

fn change_of_names(choices: &mut Choices, steps: u32) -> String {
    let call = choices.pick(&[
        "rename",
        "remove_file",
        "sync_dir",
        "set_size",
        "list_dir",
        "stat",
    ]);
    let error = choices.pick(&["EIO", "ENOSPC"]);
    format!("{} {call} on *: {error}", which(choices, steps))
}

fn open(choices: &mut Choices, files: FaultFiles, steps: u32) -> String {
    let file = choices.pick(files.written);
    let error = choices.pick(&["EMFILE", "EACCES", "EIO"]);
    format!("{} open on {file}: {error}", which(choices, steps))
}

fn short(choices: &mut Choices, steps: u32) -> String {
    let call = choices.pick(&["write_at", "read_at"]);
    let bytes = choices.pick(&[1, 3, 10, 511]);
    // Few reads are made: those of the first open are among them.
    let calls = if choices.chance(1, 2) {
        2
    } else {
        steps.max(1)
    };
    let first = choices.between(1, calls);
    format!("{first}- {call} on *: short {bytes} bytes")
}

/// Which of the calls: one or a few in a row, often one of the first, since nobody knows whether
/// there are more.
fn which(choices: &mut Choices, calls: u32) -> String {
    let calls = if choices.chance(1, 2) {
        calls.min(4)
    } else {
        calls
    };
    let first = choices.between(1, calls.max(1));
    match choices.weighted(&[6, 3]) {
        0 => format!("{first}"),
        _ => format!("{first}-{}", first + choices.between(1, 4)),
    }
}
