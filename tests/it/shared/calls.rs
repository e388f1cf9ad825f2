//! Single operations of the shared handle.

use super::support::{SyncFs, Syncs, share, share_real};
use crashline::diskqueue::{Applied, Error, Options};
use crashline::fs::Fs;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

/// Longer than any test may take.
const LONG: Duration = Duration::from_secs(60);

#[test]
fn a_close_wakes_all_blocked_reads_and_ends_all_later_calls() {
    let directory = tempfile::tempdir().unwrap();
    let queue = share_real(directory.path(), Options::default());
    thread::scope(|scope| {
        let blocked: Vec<_> = (0..3).map(|_| scope.spawn(|| queue.read())).collect();
        let timed = scope.spawn(|| queue.read_timeout(LONG));
        queue.close().unwrap();
        for reader in blocked {
            assert!(matches!(reader.join().unwrap(), Err(Error::Closed)));
        }
        assert!(matches!(timed.join().unwrap(), Err(Error::Closed)));
    });
    assert!(matches!(queue.put(b"late"), Err(Error::Closed)));
    assert!(matches!(queue.try_read(), Err(Error::Closed)));
    assert!(matches!(queue.sync(), Err(Error::Closed)));
    assert!(matches!(queue.close(), Err(Error::Closed)));
    assert!(matches!(queue.start_ticker(LONG), Err(Error::Closed)));
}

#[test]
fn a_blocked_read_wakes_for_a_put() {
    let directory = tempfile::tempdir().unwrap();
    let queue = share_real(directory.path(), Options::default());
    thread::scope(|scope| {
        let reader = scope.spawn(|| queue.read());
        queue.put(b"first").unwrap();
        assert_eq!(reader.join().unwrap().unwrap(), b"first");
        let reader = scope.spawn(|| queue.read_timeout(LONG));
        queue.put_batch(&["second", "third"]).unwrap();
        assert_eq!(reader.join().unwrap().unwrap().unwrap(), b"second");
    });
    assert_eq!(queue.peek().unwrap().unwrap(), b"third");
    assert_eq!(queue.depth().unwrap(), 1);
    queue.empty().unwrap();
    assert_eq!(queue.depth().unwrap(), 0);
    assert_eq!(queue.try_read().unwrap(), None);
    let timeout = Duration::from_millis(1);
    assert_eq!(queue.read_timeout(timeout).unwrap(), None);
    queue.delete().unwrap();
    assert!(matches!(queue.depth(), Err(Error::Closed)));
}

#[test]
fn a_refused_message_is_its_own_producers() {
    let directory = tempfile::tempdir().unwrap();
    let options = Options {
        message_bytes_max: 4,
        ..Options::default()
    };
    let queue = share_real(directory.path(), options);
    thread::scope(|scope| {
        let good = scope.spawn(|| (0..500).try_for_each(|_| queue.put(b"good")));
        for _ in 0..500 {
            let refused = queue.put_batch(&["ok", "too large"]);
            assert!(matches!(refused, Err(Error::MessageSize { size: 9, .. })));
        }
        good.join().unwrap().unwrap();
    });
    assert_eq!(queue.depth().unwrap(), 500);
}

#[test]
fn producers_that_meet_share_a_sync() {
    const PRODUCERS: u64 = 16;
    const PUTS: u64 = 20;
    let directory = tempfile::tempdir().unwrap();
    let syncs = Arc::new(Syncs {
        pause: Duration::from_millis(2),
        ..Syncs::default()
    });
    let fs: Arc<dyn Fs> = Arc::new(SyncFs(Arc::clone(&syncs)));
    let options = Options {
        sync_every: 1,
        ..Options::default()
    };
    let queue = share(fs, directory.path(), options);
    let before = syncs.count.load(Ordering::Relaxed);
    thread::scope(|scope| {
        for _ in 0..PRODUCERS {
            scope.spawn(|| (0..PUTS).for_each(|_| queue.put(b"durable").unwrap()));
        }
    });
    // A file is synced for the segment, and a put alone costs one such sync.
    let made = syncs.count.load(Ordering::Relaxed) - before;
    assert!(made < PRODUCERS * PUTS / 2, "{made} fsyncs");
    assert_eq!(queue.depth().unwrap(), PRODUCERS * PUTS);
}

#[test]
fn the_error_of_an_owed_sync_reaches_the_next_sync() {
    let directory = tempfile::tempdir().unwrap();
    let syncs = Arc::new(Syncs::default());
    let fs: Arc<dyn Fs> = Arc::new(SyncFs(Arc::clone(&syncs)));
    let options = Options {
        sync_every: 1,
        ..Options::default()
    };
    let queue = share(fs, directory.path(), options);
    syncs.fails.store(true, Ordering::Relaxed);
    queue.put(b"acknowledged all the same").unwrap();
    syncs.fails.store(false, Ordering::Relaxed);
    let told = queue.sync().unwrap_err();
    assert!(matches!(told, Error::Io { .. }), "{told}");
    assert_eq!(told.applied(), Applied::Nothing);
    queue.sync().unwrap();
    queue.close().unwrap();
}

#[test]
fn the_background_thread_syncs_and_ends_with_the_last_handle() {
    let directory = tempfile::tempdir().unwrap();
    let syncs = Arc::new(Syncs::default());
    let fs: Arc<dyn Fs> = Arc::new(SyncFs(Arc::clone(&syncs)));
    let options = Options {
        sync_timeout_ms: 1,
        ..Options::default()
    };
    let queue = share(Arc::clone(&fs), directory.path(), options);
    queue.start_ticker(Duration::from_millis(1)).unwrap();
    let second = queue.start_ticker(Duration::from_millis(1));
    assert!(matches!(second, Err(Error::Refused { .. })));
    let before = syncs.count.load(Ordering::Relaxed);
    queue.put(b"synced soon").unwrap();
    while syncs.count.load(Ordering::Relaxed) == before {
        thread::sleep(Duration::from_millis(1));
    }
    let clone = queue.clone();
    drop(queue);
    assert_eq!(clone.depth().unwrap(), 1);
    // The lock goes with the last handle, although the thread was not asked to end.
    drop(clone);
    let again = share(fs, directory.path(), options);
    assert_eq!(again.depth().unwrap(), 1);
}

#[test]
fn a_panic_inside_gives_the_queue_up_and_hangs_nobody() {
    let directory = tempfile::tempdir().unwrap();
    let syncs = Arc::new(Syncs::default());
    let fs: Arc<dyn Fs> = Arc::new(SyncFs(Arc::clone(&syncs)));
    let queue = share(fs, directory.path(), Options::default());
    queue.put(b"kept").unwrap();
    thread::scope(|scope| {
        queue.try_read().unwrap();
        let blocked = scope.spawn(|| queue.read());
        syncs.panics.store(true, Ordering::Relaxed);
        assert!(scope.spawn(|| queue.sync()).join().is_err());
        assert!(matches!(blocked.join().unwrap(), Err(Error::Abandoned)));
    });
    assert!(matches!(queue.put(b"late"), Err(Error::Abandoned)));
    assert!(matches!(queue.close(), Err(Error::Abandoned)));
    drop(queue);
    let again = share_real(directory.path(), Options::default());
    assert_eq!(again.try_read().unwrap().unwrap(), b"kept");
}
