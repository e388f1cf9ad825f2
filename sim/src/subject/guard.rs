//! Calls into a subject that may panic: a panic becomes an answer, and prints nothing.

use crate::scenario::{Applied, Failure, FailureKind};
use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Calls `body`; a panic inside gives `Err` with a failure of kind `Panic`. The object that
/// panicked must be dropped, as a process that died would be.
pub(crate) fn guarded<T>(body: impl FnOnce() -> T) -> Result<T, Failure> {
    silence_expected_panics();
    QUIET.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(body));
    QUIET.set(false);
    result.map_err(|payload| Failure {
        kind: FailureKind::Panic,
        applied: Applied::Unknown,
        message: format!("panicked: {}", words_of(payload.as_ref())),
    })
}

/// The default hook prints every panic; those of a subject under test are findings, not noise.
fn silence_expected_panics() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                previous(info);
            }
        }));
    });
}

fn words_of(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|words| (*words).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without words".to_owned())
}
