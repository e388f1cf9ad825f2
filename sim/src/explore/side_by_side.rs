//! The same work for many things, on a few threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Does `work` for all of `things`, so many at a time; the results are in the order of the things.
pub fn side_by_side<T: Sync, R: Send>(
    things: &[T],
    at_a_time: usize,
    work: &(dyn Fn(&T) -> R + Sync),
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..at_a_time.max(1) {
            scope.spawn(|| {
                while let index = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(thing) = things.get(index)
                {
                    let result = work(thing);
                    let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                    results.insert(index, result);
                }
            });
        }
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_values().collect()
}
