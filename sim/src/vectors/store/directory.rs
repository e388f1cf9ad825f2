//! Stages `read` and `recover`: directories, and what comes out of them.

use super::super::run::Disk;
use super::super::vector::Vector;
use super::bench::{Bench, table_of, told_losses, told_table, words};
use super::files::{compare, files_of};
use super::stages::{AllowedStore, Source, StoreError};
use crashline::offsets::{Error, MessageQueue, OffsetStore, Opened, Quirks, ReadFrom, Table};

/// Has no offset in any directory of a vector; then it gets this one.
fn next_queue() -> (MessageQueue, i64) {
    (MessageQueue::new("next", "b", 0), 1)
}

/// Opens for reading only, which must change nothing, and then for good; both show the same. Then
/// the store goes on by a persist.
pub(super) fn run(bench: &Bench, allowed: &AllowedStore) -> Result<(), String> {
    let before = files_of(bench)?;
    let looked = bench.look(&bench.options).map_err(words)?;
    let about = |problem| format!("for reading only: {problem}");
    let kept_aside = allowed.kept_aside_before.unwrap_or(allowed.kept_aside);
    is_as_allowed(&looked, allowed, kept_aside).map_err(about)?;
    if files_of(bench)? != before {
        return Err("opening for reading only changed the directory".to_owned());
    }
    let opened = bench.open(&bench.options).map_err(words)?;
    is_as_allowed(&opened, allowed, allowed.kept_aside)?;
    compare(bench, &allowed.files_opened).map_err(|problem| format!("opened: {problem}"))?;
    let mut store = opened.store;
    reads(&mut store, allowed)?;
    let (queue, offset) = next_queue();
    store.update(&queue, offset, true).map_err(words)?;
    let mut table = table_of(&allowed.table);
    match (store.persist_all(), allowed.persist) {
        (Ok(done), None) if done.wrote && done.losses.is_empty() => {
            table.insert(queue, offset);
        }
        (Err(error), Some(class)) if StoreError::of(&error) == class => {}
        (other, _) => return Err(format!("the persist says {other:?}")),
    }
    compare(bench, &allowed.files_persisted).map_err(|problem| format!("persisted: {problem}"))?;
    drop(store);
    comes_back(bench, &table)
}

fn is_as_allowed(opened: &Opened, allowed: &AllowedStore, kept_aside: u64) -> Result<(), String> {
    let table = opened.store.table().map_err(words)?;
    if Source::from(opened.source) != allowed.source || told_table(table) != allowed.table {
        return Err(format!("it takes {:?} and holds {table:?}", opened.source));
    }
    if told_losses(&opened.losses) != allowed.losses {
        return Err(format!("it reports {:?}", opened.losses));
    }
    match opened.kept_aside == kept_aside {
        true => Ok(()),
        false => Err(format!("{} files are kept aside", opened.kept_aside)),
    }
}

/// The file says what memory does; of a queue that it does not hold it says so, unless nobody
/// knows. Losses were told by the open.
fn reads(store: &mut OffsetStore, allowed: &AllowedStore) -> Result<(), String> {
    let (missing, _) = next_queue();
    let is_known = allowed.source != Source::Lost;
    let mut wanted: Vec<(MessageQueue, Option<i64>)> = vec![(missing, None)];
    let table = table_of(&allowed.table).into_iter();
    wanted.extend(table.map(|(queue, offset)| (queue, Some(offset))));
    for (queue, offset) in wanted {
        for from in [ReadFrom::Store, ReadFrom::MemoryThenStore] {
            let fits = match store.read(&queue, from) {
                Ok(found) => is_known && found == offset,
                Err(Error::BothDamaged { losses }) => !is_known && losses.is_empty(),
                Err(_) => false,
            };
            if !fits {
                return Err(format!("a read of {queue:?} from {from:?} is wrong"));
            }
        }
    }
    Ok(())
}

/// What was persisted is there again.
fn comes_back(bench: &Bench, table: &Table) -> Result<(), String> {
    let again = bench.open(&bench.options).map_err(words)?;
    let found = again.store.table().map_err(words)?;
    match found == table {
        true => Ok(()),
        false => Err(format!("opened again it holds {found:?}")),
    }
}

/// Opens, persists one queue's offset, lets the process die and opens again: what the first open
/// found is there, and that offset (O7).
pub(in super::super) fn goes_on(vector: &Vector, disk: &Disk) -> Result<(), String> {
    let allowed: AllowedStore = vector.allowed()?;
    let bench = Bench::new(vector, disk, Quirks::default())?;
    let mut store = bench.open(&bench.options).map_err(words)?.store;
    let mut table = store.table().map_err(words)?.clone();
    let (queue, offset) = next_queue();
    store.update(&queue, offset, true).map_err(words)?;
    match (store.persist(std::slice::from_ref(&queue)), allowed.persist) {
        (Ok(done), None) if done.wrote => {
            table.insert(queue, offset);
        }
        (Err(error), Some(class)) if StoreError::of(&error) == class => {}
        (other, _) => return Err(format!("the persist says {other:?}")),
    }
    drop(store);
    comes_back(&bench, &table)
}
