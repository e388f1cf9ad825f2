//! A move of a log that a crash cut off: it is finished by a second call, and the log is looked at
//! where it is then.

use super::program::LogCase;
use super::session::LOG;
use super::tail::LogTail;
use crate::explore::machine::with_seen;
use crate::explore::session::DIRECTORY;
use crate::scenario::{LogOp, WriterOp};
use crate::simfs::SimFs;
use crashline::fs::{Fs, list_names};
use std::path::{Path, PathBuf};

/// The file that is moved last.
const LAST: &str = "diskqueue.meta.writer.dat";

/// The directories to which the program moves its log.
fn targets<'c>(case: &LogCase<'c>) -> impl Iterator<Item = &'c str> {
    case.program.steps.iter().filter_map(|op| match op {
        LogOp::Writer(WriterOp::RemoveTo { directory }) => Some(directory.as_str()),
        LogOp::Writer(_) | LogOp::Reader(..) | LogOp::Snapshot(_) | LogOp::Kill => None,
    })
}

fn path_of(target: &str) -> PathBuf {
    Path::new(DIRECTORY).with_file_name(target)
}

/// Where files of the log have arrived, and the last one has not, or has kept its old name too.
pub(super) fn moved_in_part<'c>(case: &LogCase<'c>, sim: &SimFs) -> Option<&'c str> {
    let last = format!("{LOG}.{LAST}");
    let identity = |path: PathBuf| sim.stat(&path).ok().map(|stat| stat.identity);
    let here = identity(Path::new(DIRECTORY).join(&last));
    targets(case).find(|target| {
        let target = path_of(target);
        let arrived = list_names(sim, &target).unwrap_or_default();
        let there = identity(target.join(&last));
        !arrived.is_empty() && (there.is_none() || there == here)
    })
}

impl LogTail<'_, '_> {
    /// Opens the log where it was, moves it again, and goes where it is then.
    pub(super) fn move_again(&mut self, target: &str) {
        let remove = WriterOp::RemoveTo {
            directory: target.to_owned(),
        };
        for (what, op) in [("the open", WriterOp::Open), ("moving it again", remove)] {
            let outcome = self.call(&LogOp::Writer(op));
            self.recovery.moved_on(what, &outcome);
            if self.recovery.is_broken() {
                return;
            }
        }
        let planted = &self.case.scenario.planted;
        let files = self.session.machine.files(planted, false);
        with_seen(&files, |files| {
            self.recovery.left_behind(LOG, target, files, planted);
        });
        self.session.go_to(path_of(target));
    }
}
