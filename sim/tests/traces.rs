//! Every recorded trace of the original, replayed on its twin.

use crashline::fs::{Fs, RealFs};
use crashline_sim::trace::{Trace, replay_twin};
use std::path::{Path, PathBuf};

fn trace_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/traces/nsqio");
    let names = RealFs
        .list_dir(&folder)
        .expect("the traces are in the tree");
    names.iter().map(|name| folder.join(name)).collect()
}

#[test]
fn the_twin_does_what_was_recorded_at_every_step() {
    let files = trace_files();
    assert_eq!(files.len(), 125, "traces are missing");
    for path in files {
        let trace = Trace::load(&RealFs, &path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        assert_eq!(replay_twin(&trace).unwrap(), Ok(()), "{path:?}");
    }
}
