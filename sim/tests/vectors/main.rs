//! Every vector of the corpus under its own name, on the simulated disk and on the real one:
//! `cargo test -p crashline-sim --test vectors NAME` runs one.

mod page;
mod power;
mod schemas;

use crashline::diskqueue::Quirks;
use crashline::fs::{Fs, RealFs};
use crashline_sim::simfs::{SimFs, TreeEntry};
use crashline_sim::vectors::{Collection, Disk, Stage, Vector, goes_on, run};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/vectors");
    let collection = Collection::load(&RealFs, &folder).expect("the corpus can be read");
    let all = collection.vectors.iter();
    let vectors: Vec<Vector> = all.filter(|one| !one.is_superseded()).cloned().collect();
    let vectors = Arc::new(vectors);
    let mut trials = Vec::new();
    for vector in vectors.iter() {
        let on_sim = vector.clone();
        let on_real = vector.clone();
        trials.push(Trial::test(
            format!("{}::simulated", vector.id),
            move || run(&on_sim, &simulated(), Quirks::default()).map_err(Failed::from),
        ));
        // Damage has dozens of directories, and a real disk shows nothing more of them.
        if vector.stage != Stage::Damage {
            trials.push(Trial::test(format!("{}::real", vector.id), move || {
                on_real_disk(&on_real).map_err(Failed::from)
            }));
        }
    }
    let is_directory = |stage| matches!(stage, Stage::Read | Stage::Recover | Stage::CrashImages);
    for vector in vectors.iter().filter(|vector| is_directory(vector.stage)) {
        let vector = vector.clone();
        trials.push(Trial::test(format!("{}::goes_on", vector.id), move || {
            goes_on(&vector, &simulated(), Quirks::default()).map_err(Failed::from)
        }));
    }
    trials.push(Trial::test("nothing_changed_that_never_may", move || {
        let problems = collection.problems()?;
        assert!(problems.is_empty(), "{}", problems.join("\n"));
        Ok(())
    }));
    trials.extend(schemas::trials());
    trials.extend(page::trials(&vectors));
    trials.extend(power::trials(&vectors));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A simulated disk with an empty data directory.
fn simulated() -> Disk {
    let directory = PathBuf::from("/data");
    let tree = [(directory.clone(), TreeEntry::Directory)];
    let fs: Arc<dyn Fs> = Arc::new(SimFs::from_tree(&tree).expect("the tree can be made"));
    Disk {
        fs,
        directory,
        own_boot: false,
    }
}

fn on_real_disk(vector: &Vector) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let knows_boot = vector
        .boot
        .as_ref()
        .is_some_and(|boot| !boot.starts_with('-'));
    let disk = Disk {
        fs: Arc::new(RealFs),
        directory: folder.path().to_owned(),
        // Written files name the boot: once that of the vector, and here that of the machine.
        own_boot: vector.engine == "diskqueue" && vector.stage == Stage::Write && knows_boot,
    };
    run(vector, &disk, Quirks::default())
}
