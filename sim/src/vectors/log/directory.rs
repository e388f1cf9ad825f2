//! Stages `read`, `recover` and `damage`: directories, and what comes out of them.

use super::super::after::{compare_files, files_of};
use super::super::run::Disk;
use super::super::vector::{Bytes, FileEntry, Stage, Vector};
use super::bench::{Bench, drain, open_losses, words};
use super::stages::{AllowedDamage, AllowedLog, AllowedReader, Case, Change, Place, Told};
use super::{meta, session};
use crashline::seglog::{LogWriter, LossKind};

/// Runs a vector of the segmented log in the empty directory of `disk`.
pub(in super::super) fn run(vector: &Vector, disk: &Disk) -> Result<(), String> {
    match vector.stage {
        Stage::ParseMeta => meta::run(vector),
        Stage::Read | Stage::Recover => {
            let allowed: AllowedLog = vector.allowed()?;
            let is_read = vector.stage == Stage::Read;
            let has_losses = !allowed.open_losses.is_empty() || !allowed.read_losses.is_empty();
            if is_read && has_losses {
                return Err("a directory to read has no losses".to_owned());
            }
            whole(&Bench::new(vector, disk)?, &allowed)
        }
        Stage::Write | Stage::Operations => {
            session::run(&Bench::new(vector, disk)?, &vector.allowed()?)
        }
        Stage::Damage => damage(vector, disk),
        Stage::Parse | Stage::CrashImages | Stage::Threads => {
            Err("a log has no vectors of this stage".to_owned())
        }
    }
}

/// Opens for reading only, which must change nothing, and then for good; both show the same.
fn whole(bench: &Bench, allowed: &AllowedLog) -> Result<(), String> {
    let before = files_of(bench.fs.as_ref(), &bench.directory)?;
    let looked = bench.look(&bench.options).map_err(words)?;
    let about = |problem| format!("for reading only: {problem}");
    is_as_allowed(bench, &looked.writer, allowed).map_err(about)?;
    if files_of(bench.fs.as_ref(), &bench.directory)? != before {
        return Err("opening for reading only changed the directory".to_owned());
    }
    let opened = bench.open(&bench.options).map_err(words)?;
    for losses in [&looked.losses, &opened.losses] {
        if open_losses(losses) != allowed.open_losses {
            return Err(format!("opening reports {losses:?}"));
        }
    }
    let mut writer = opened.writer;
    is_as_allowed(bench, &writer, allowed)?;
    for reader in &allowed.readers {
        reads_on(bench, &writer, reader, &allowed.messages)
            .map_err(|problem| format!("reader {}: {problem}", reader.name))?;
    }
    writer.close().map_err(words)?;
    match &allowed.files_after {
        None => Ok(()),
        Some(files) => compare_files(files_of(bench.fs.as_ref(), &bench.directory)?, files, false),
    }
}

fn is_as_allowed(bench: &Bench, writer: &LogWriter, allowed: &AllowedLog) -> Result<(), String> {
    let (start, end) = (writer.queue_start(), writer.write_end());
    if (Place::from(start), Place::from(end)) != (allowed.start, allowed.end) {
        return Err(format!("it goes from {start:?} to {end:?}"));
    }
    let mut snapshot = bench.snapshot(writer).map_err(words)?;
    let (messages, losses) = drain(|| snapshot.read_one())?;
    if messages != allowed.messages {
        return Err(format!("the snapshot reads {}", told(&messages)));
    }
    if losses != allowed.read_losses {
        return Err(format!("the snapshot reports {losses:?}"));
    }
    Ok(())
}

fn reads_on(
    bench: &Bench,
    writer: &LogWriter,
    allowed: &AllowedReader,
    messages: &[Told],
) -> Result<(), String> {
    let opened = bench
        .reader(&allowed.name, writer, &bench.options)
        .map_err(words)?;
    if open_losses(&opened.losses) != allowed.open_losses {
        return Err(format!("opening reports {:?}", opened.losses));
    }
    let mut reader = opened.reader;
    let at = reader.confirmed();
    if Place::from(at) != allowed.at || reader.read_position() != at {
        return Err(format!("it stands at {at:?}"));
    }
    let (found, _) = drain(|| reader.try_read_one())?;
    let behind = messages
        .iter()
        .filter(|message| message.offset >= at.offset);
    match found.iter().eq(behind) {
        true => Ok(()),
        false => Err(format!("it reads {}", told(&found))),
    }
}

fn told(messages: &[Told]) -> String {
    let one = |one: &Told| format!("{} {} {:02x?}", one.offset, one.count, one.message_b64.0);
    messages.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Opens, puts a message, flushes it, lets the process die and opens again: what the first open
/// found is there, and then the message (L2).
pub(in super::super) fn goes_on(
    vector: &Vector,
    disk: &Disk,
    message: &[u8],
) -> Result<(), String> {
    let bench = Bench::new(vector, disk)?;
    let mut writer = bench.open(&bench.options).map_err(words)?.writer;
    let mut snapshot = bench.snapshot(&writer).map_err(words)?;
    let (mut wanted, _) = drain(|| snapshot.read_one())?;
    let put = writer.put(message).map_err(words)?;
    wanted.push(Told {
        offset: put.offset,
        count: writer.write_end().count,
        message_b64: Bytes(message.to_vec()),
    });
    writer.flush(false).map_err(words)?;
    let end = writer.write_end();
    drop(writer);
    let opened = bench.open(&bench.options).map_err(words)?;
    let is_promised = |kind| kind == LossKind::Damaged;
    let writer = opened.writer;
    if writer.write_end() != end {
        let losses = opened.losses.iter().any(|loss| is_promised(loss.kind));
        return Err(format!(
            "it ends at {:?}; losses: {losses}",
            writer.write_end()
        ));
    }
    let mut snapshot = bench.snapshot(&writer).map_err(words)?;
    let (messages, _) = drain(|| snapshot.read_one())?;
    match messages == wanted {
        true => Ok(()),
        false => Err(format!("after a put and a kill: {}", told(&messages))),
    }
}

/// Every case in a directory of its own, below that of the disk.
fn damage(vector: &Vector, disk: &Disk) -> Result<(), String> {
    let allowed: AllowedDamage = vector.allowed()?;
    let file = vector.file.as_deref().ok_or("it names no file")?;
    for (number, case) in allowed.cases.iter().enumerate() {
        let directory = disk.directory.join(format!("case-{number}"));
        disk.fs.create_dir(&directory).map_err(words)?;
        let disk = Disk {
            directory,
            ..disk.clone()
        };
        let mut vector = vector.clone();
        change(vector.files.get_or_insert_default(), file, &case.change)?;
        one_case(&Bench::new(&vector, &disk)?, case)
            .map_err(|problem| format!("case {number} ({:?}): {problem}", case.change))?;
    }
    Ok(())
}

fn change(files: &mut Vec<FileEntry>, name: &str, change: &Change) -> Result<(), String> {
    let is_it = |entry: &FileEntry| entry.name.to_os() == name;
    let at = files
        .iter()
        .position(is_it)
        .ok_or("the file is not there")?;
    if matches!(change, Change::Remove) {
        files.remove(at);
        return Ok(());
    }
    let bytes = files.get_mut(at).and_then(|entry| entry.data_b64.as_mut());
    let Bytes(bytes) = bytes.ok_or("the file has no bytes")?;
    let beyond = || "the change lies beyond the file".to_owned();
    match *change {
        Change::Remove => {}
        Change::Cut(size) if size < bytes.len() => bytes.truncate(size),
        Change::Cut(_) => return Err(beyond()),
        Change::Zero(from, to) => bytes.get_mut(from..to).ok_or_else(beyond)?.fill(0),
        Change::Flip(at, bit) => *bytes.get_mut(at).ok_or_else(beyond)? ^= 1 << (bit % 8),
    }
    Ok(())
}

fn one_case(bench: &Bench, case: &Case) -> Result<(), String> {
    let opened = bench.open(&bench.options).map_err(words)?;
    let writer = opened.writer;
    let mut losses = opened.losses;
    let (start, end) = (writer.queue_start(), writer.write_end());
    if !case.starts.contains(&start.into()) || !case.ends.contains(&end.into()) {
        return Err(format!("it goes from {start:?} to {end:?}"));
    }
    if let Some(name) = &case.reader {
        let opened = bench.reader(name, &writer, &bench.options).map_err(words)?;
        losses.extend(opened.losses);
        let at = opened.reader.confirmed();
        if !case.places.contains(&at.into()) {
            return Err(format!("the reader stands at {at:?}"));
        }
    }
    let reports = losses.iter().any(|loss| loss.kind == LossKind::Damaged);
    match case.reports.is_none_or(|wanted| wanted == reports) {
        true => Ok(()),
        false => Err(format!("it reports {losses:?}")),
    }
}
