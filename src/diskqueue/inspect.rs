//! Shows what recovery would deliver from a directory, without writing to it.

use super::error::{Error, Loss};
use super::meta::MetaState;
use super::names::{Role, owner};
use super::noted::BootView;
use super::options::Options;
use super::position::Position;
use super::queue::DiskQueue;
use super::store::Store;
use super::survey::Survey;
use crate::fs::Fs;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::sync::Arc;

/// How the process that had the queue open is taken to have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Assumption {
    /// It was killed: what it wrote is there.
    Kill,
    /// The machine went down: what was not synced is not believed.
    PowerCut,
}

/// One thing that recovery would find, in the order in which it meets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding<'a> {
    /// What is known of the queue before the first message.
    Queue {
        /// How many messages will be delivered, unless damage is met.
        depth: u64,
        /// Where the first of them stands.
        read: Position,
        /// Where the log ends.
        end: Position,
    },
    /// A message that would be delivered.
    Message {
        /// Where its record stands.
        position: Position,
        /// The message.
        body: &'a [u8],
    },
    /// Bytes that would not be delivered.
    Gap(&'a Loss),
    /// Anything else worth knowing, in words.
    Note(&'a str),
}

/// The names of all queues that have a segment or a meta in `directory`, sorted.
///
/// # Errors
/// That of listing the directory.
pub fn queues(fs: &dyn Fs, directory: &Path) -> Result<Vec<OsString>, Error> {
    let mut queues = BTreeSet::new();
    let see = &mut |name: &OsStr| {
        // A queue without a name is nobody's.
        if let Some((queue, Role::Segment(_) | Role::Meta)) = owner(name.as_bytes())
            && !queue.is_empty()
        {
            queues.insert(queue.to_vec());
        }
    };
    fs.list_dir(directory, see)
        .map_err(|error| Error::io("list", directory, error))?;
    Ok(queues.into_iter().map(OsString::from_vec).collect())
}

/// Tells `on_finding` everything that recovering the queue `name` would find.
///
/// # Errors
/// That of reading the files.
pub fn inspect(
    fs: &Arc<dyn Fs>,
    directory: &Path,
    name: &OsStr,
    assumption: Assumption,
    on_finding: &mut dyn FnMut(Finding<'_>),
) -> Result<(), Error> {
    let options = Options::default();
    let mut store = Store::new(Arc::clone(fs), directory, name, options.quirks);
    describe(&Survey::take(&mut store, name)?, on_finding);
    let view = match assumption {
        Assumption::Kill => BootView::This,
        Assumption::PowerCut => BootView::Another,
    };
    let opened = DiskQueue::look(Arc::clone(fs), directory, name, options, Some(view))?;
    let mut queue = opened.queue;
    on_finding(Finding::Queue {
        depth: queue.depth,
        read: queue.reader.position(),
        end: queue.writer.position(),
    });
    for loss in &opened.losses {
        on_finding(Finding::Gap(loss));
    }
    loop {
        match queue.locate() {
            Ok(None) => return Ok(()),
            Ok(Some(located)) => {
                let segment = queue.reader.position().segment;
                on_finding(Finding::Message {
                    position: Position::new(segment, located.offset),
                    body: queue.reader.body(located, &queue.writer),
                });
                queue.reader.pass(located);
            }
            Err(Error::Damage { losses }) => {
                for loss in &losses {
                    on_finding(Finding::Gap(loss));
                }
            }
            Err(error) => return Err(error),
        }
    }
}

fn describe(survey: &Survey, on_finding: &mut dyn FnMut(Finding<'_>)) {
    let words = match survey.meta {
        MetaState::Absent => "there is no meta: all complete records count".to_owned(),
        MetaState::Damaged => "the meta is damaged: all complete records count".to_owned(),
        MetaState::Bare(_) => "the meta has no note: an original wrote last".to_owned(),
        MetaState::Noted(_, note) => {
            let state = if note.closed {
                "closed cleanly"
            } else {
                "not closed"
            };
            let generation = note.generation;
            format!("the meta is whole: {state}, generation {generation}")
        }
    };
    on_finding(Finding::Note(&words));
    let mut quarantined = survey.quarantined.clone();
    quarantined.sort_unstable();
    for name in quarantined {
        let words = format!("quarantined, and not looked into: {}", name.display());
        on_finding(Finding::Note(&words));
    }
    if !survey.temporaries.is_empty() {
        let words = format!("temporary files are left: {}", survey.temporaries.len());
        on_finding(Finding::Note(&words));
    }
}
