//! `findings`: the originals on trial, as a page and the replay files that it names.

use super::Exit;
use super::args::FindingsArguments;
use super::failure::Failure;
use super::files::{read_text, remove_file, write_text};
use super::output::{Output, say};
use super::plan::cores;
use super::progress::{Watch, Way};
use super::stop::Stop;
use crate::findings::{ORIGINALS, Original, page, trial};
use crashline::fs::{RealFs, list_names};
use std::path::{Path, PathBuf};

/// The page beside which the files stand.
const PAGE: &str = "findings.md";

/// Runs the command.
pub(super) fn findings(
    arguments: &FindingsArguments,
    output: &mut Output,
) -> Result<Exit, Failure> {
    let stop = Stop::on_signals()?;
    let watch = Watch::start(&stop, None, Way::for_people());
    let mut trials = Vec::new();
    for original in ORIGINALS {
        let note = |progress| watch.note(progress);
        let jobs = arguments.jobs.unwrap_or_else(cores);
        match trial(original, jobs, &note, stop.flag()) {
            Ok(trial) => trials.push(trial),
            Err(_) if stop.interrupted() => return Ok(Exit::Interrupted),
            Err(error) => return Err(error.into()),
        }
    }
    let took = watch.finish();
    say(&format!("crashline: took {:.1} s", took.as_secs_f64()));
    let (text, mut files) = page(&trials);
    files.push((PAGE.to_owned(), text));
    if !arguments.keeping.writes() {
        return compare(&arguments.out, &files, output);
    }
    for (name, text) in &files {
        write_text(&arguments.out.join(name), text)?;
    }
    for path in stale(&arguments.out, &files) {
        remove_file(&path)?;
    }
    let place = arguments.out.join(PAGE);
    output.line(&format!(
        "{} and {} replay files",
        place.display(),
        files.len() - 1
    ))?;
    Ok(Exit::Pass)
}

/// Says which files are not what they should be.
fn compare(
    folder: &Path,
    files: &[(String, String)],
    output: &mut Output,
) -> Result<Exit, Failure> {
    let mut differ = 0;
    for (name, text) in files {
        let path = folder.join(name);
        let is_same = read_text(&path).is_ok_and(|there| there == *text);
        if !is_same {
            differ += 1;
            output.line(&format!("{} is not what was found", path.display()))?;
        }
    }
    for path in stale(folder, files) {
        differ += 1;
        output.line(&format!("{} is no longer found", path.display()))?;
    }
    output.line(&match differ {
        0 => format!("PASS: {} files are what was found", files.len()),
        _ => format!(
            "FAIL: {differ} of {} files differ; --write writes them anew",
            files.len()
        ),
    })?;
    Ok(if differ == 0 {
        Exit::Pass
    } else {
        Exit::Violation
    })
}

/// Replay files beside the page that stand for no finding.
fn stale(folder: &Path, files: &[(String, String)]) -> Vec<PathBuf> {
    let mut stale = Vec::new();
    for Original { engine, .. } in ORIGINALS {
        let directory = folder.join("findings").join(engine);
        // A directory that is not there holds nothing stale.
        for name in list_names(&RealFs, &directory).unwrap_or_default() {
            let path = format!("findings/{engine}/{}", name.to_string_lossy());
            let is_replay = path.ends_with(".json");
            if is_replay && !files.iter().any(|(known, _)| *known == path) {
                stale.push(folder.join(path));
            }
        }
    }
    stale
}
