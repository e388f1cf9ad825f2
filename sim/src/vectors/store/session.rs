//! Running one vector; and stage `operations`: one call after the other, each with its answer.

use super::super::run::Disk;
use super::super::stages::Lost;
use super::super::vector::{Bytes, Name, Stage, StoreOptions, TableEntry, Vector};
use super::bench::{Bench, told_losses, told_table, words};
use super::calls::Call;
use super::files::{compare, directories_of};
use super::stages::{AllowedCalls, AllowedStore, Answer, Applied, Source, Step, StoreError};
use super::{directory, format};
use crate::fault::FaultPlan;
use crashline::fs::{OpenMode, write_all_at};
use crashline::offsets::{self, Error, MessageQueue, OffsetStore, Opened, Persisted, Quirks};
use std::collections::BTreeMap;

/// Runs a vector of the offset store in the empty directory of `disk`.
pub(in super::super) fn run(vector: &Vector, disk: &Disk, quirks: Quirks) -> Result<(), String> {
    match vector.stage {
        Stage::Parse => format::read(vector),
        Stage::Write => format::write(vector),
        Stage::Read | Stage::Recover => {
            let allowed: AllowedStore = vector.allowed()?;
            let is_whole = allowed.losses.is_empty() && allowed.source == Source::Main;
            if vector.stage == Stage::Read && !is_whole {
                return Err("a directory to read has lost nothing".to_owned());
            }
            directory::run(&Bench::new(vector, disk, quirks)?, &allowed)
        }
        Stage::Operations => operations(&Bench::new(vector, disk, quirks)?, &vector.allowed()?),
        Stage::ParseMeta | Stage::CrashImages | Stage::Threads | Stage::Damage => {
            Err("an offset store has no vectors of this stage".to_owned())
        }
    }
}

fn operations(bench: &Bench, allowed: &AllowedCalls) -> Result<(), String> {
    let mut session = Session {
        bench,
        stores: BTreeMap::new(),
    };
    for (number, step) in (1..).zip(&allowed.steps) {
        let about = |problem: String| format!("step {number} ({:?}): {problem}", step.call);
        let seen = session.apply(step).map_err(about)?;
        let wanted = Seen {
            answer: step.answer.clone(),
            applied: step.applied,
            losses: step.losses.clone(),
            kept_aside: step.kept_aside,
        };
        if seen != wanted {
            return Err(about(format!("it answers {seen:?}")));
        }
        if let Some(memory) = &step.memory {
            let held = session.memory(&step.store).map_err(about)?;
            if held != *memory {
                return Err(about(format!("memory holds {held:?}")));
            }
        }
    }
    drop(session);
    if let Some(files) = &allowed.files_after {
        compare(bench, files)?;
    }
    match (&allowed.directories_after, directories_of(bench)?) {
        (Some(wanted), found) if *wanted != found => Err(format!("there are {found:?}")),
        (Some(_) | None, _) => Ok(()),
    }
}

/// What came of a step.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    answer: Answer,
    applied: Applied,
    losses: Vec<Lost>,
    kept_aside: u64,
}

impl Seen {
    fn of(answer: Answer) -> Self {
        Self {
            answer,
            applied: Applied::Nothing,
            losses: Vec::new(),
            kept_aside: 0,
        }
    }

    fn failed(error: &Error) -> Result<Self, String> {
        let applied = match error.applied() {
            offsets::Applied::Nothing => Applied::Nothing,
            offsets::Applied::Everything => Applied::Everything,
            offsets::Applied::Leading(_) => return Err(words(error)),
        };
        Ok(Self {
            applied,
            losses: told_losses(error.losses()),
            ..Self::of(Answer::Error(StoreError::of(error)))
        })
    }
}

struct Session<'a> {
    bench: &'a Bench,
    stores: BTreeMap<String, OffsetStore>,
}

impl Session<'_> {
    fn apply(&mut self, step: &Step) -> Result<Seen, String> {
        let done = match &step.call {
            Call::Kill {}
            | Call::Fault { .. }
            | Call::Heal {}
            | Call::Place { .. }
            | Call::Erase { .. } => {
                self.around(&step.call)?;
                return Ok(Seen::of(Answer::Done));
            }
            Call::Open { options } => self.open(&step.store, options.as_ref(), true),
            Call::OpenReadOnly { options } => self.open(&step.store, options.as_ref(), false),
            Call::Read { .. }
            | Call::Update { .. }
            | Call::Persist { .. }
            | Call::PersistAll {}
            | Call::Remove { .. }
            | Call::Offsets { .. }
            | Call::Close {} => match self.stores.get_mut(&step.store) {
                Some(store) => on_store(store, &step.call),
                None => Err(Error::Closed),
            },
        };
        done.or_else(|error| Seen::failed(&error))
    }

    /// What happens around the stores.
    fn around(&mut self, call: &Call) -> Result<(), String> {
        if let Call::Fault { faults } = call {
            self.bench.faults.start(FaultPlan::parse(faults)?);
        } else if let Call::Heal {} = call {
            self.bench.faults.heal();
        } else if let Call::Place {
            name,
            data_b64,
            from_root,
        } = call
        {
            self.place(name, data_b64.as_ref(), *from_root)?;
        } else if let Call::Erase { name } = call {
            let path = self.bench.directory().join(name.to_os());
            self.bench.fs.remove_file(&path).map_err(words)?;
        } else {
            self.stores.clear();
        }
        Ok(())
    }

    fn place(&self, name: &Name, bytes: Option<&Bytes>, from_root: bool) -> Result<(), String> {
        let bench = self.bench;
        let directory = match from_root {
            true => bench.root.clone(),
            false => bench.directory(),
        };
        let path = directory.join(name.to_os());
        let placed = match bytes {
            None => bench.fs.create_dir(&path),
            Some(Bytes(bytes)) => bench
                .fs
                .open(&path, OpenMode::Truncate, 0o644)
                .and_then(|file| write_all_at(file.as_ref(), 0, bytes)),
        };
        placed.map_err(|error| format!("{}: {error}", path.display()))
    }

    /// What was open under the name is given up before.
    fn open(
        &mut self,
        name: &str,
        options: Option<&StoreOptions>,
        is_writable: bool,
    ) -> Result<Seen, Error> {
        self.stores.remove(name);
        let options = options.unwrap_or(&self.bench.options);
        let opened = match is_writable {
            true => self.bench.open(options),
            false => self.bench.look(options),
        };
        let Opened {
            store,
            source,
            losses,
            kept_aside,
        } = opened?;
        self.stores.insert(name.to_owned(), store);
        Ok(Seen {
            losses: told_losses(&losses),
            kept_aside,
            ..Seen::of(Answer::Source(source.into()))
        })
    }

    fn memory(&self, name: &str) -> Result<Vec<TableEntry>, String> {
        let store = self.stores.get(name).ok_or("it is not open")?;
        store.table().map(told_table).map_err(words)
    }
}

/// Makes one call on an open store. After a close it stays, so that what it answers then is seen.
fn on_store(store: &mut OffsetStore, call: &Call) -> Result<Seen, Error> {
    let wrote = |done: Persisted| Seen {
        losses: told_losses(&done.losses),
        ..Seen::of(Answer::Wrote(done.wrote))
    };
    let offset = |found: Option<i64>| Seen::of(found.map_or(Answer::Absent, Answer::Offset));
    match call {
        Call::Read { queue, from } => store.read(&queue.into(), (*from).into()).map(offset),
        Call::Update {
            queue,
            offset,
            increase_only,
        } => {
            let updated = store.update(&queue.into(), *offset, *increase_only);
            updated.map(|()| Seen::of(Answer::Done))
        }
        Call::Persist { queues } => {
            let queues: Vec<MessageQueue> = queues.iter().map(Into::into).collect();
            store.persist(&queues).map(wrote)
        }
        Call::PersistAll {} => store.persist_all().map(wrote),
        Call::Remove { queue } => store.remove(&queue.into()).map(offset),
        Call::Offsets { topic } => {
            let offsets = store.offsets(topic)?;
            Ok(Seen::of(Answer::Offsets(told_table(&offsets))))
        }
        Call::Close {} => store.close().map(|losses| Seen {
            losses: told_losses(&losses),
            ..Seen::of(Answer::Done)
        }),
        Call::Open { .. }
        | Call::OpenReadOnly { .. }
        | Call::Kill {}
        | Call::Place { .. }
        | Call::Erase { .. }
        | Call::Fault { .. }
        | Call::Heal {} => unreachable!("these need no open object"),
    }
}
