//! Without a crash the simulated disk answers as the real one, call by call.

use crashline::fs::{Fs, RealFs};
use crashline_sim::generate::Prng;
use crashline_sim::simfs::SimFs;
use crashline_sim::simfs::compare::compare;
use std::path::Path;

/// Sequences in a normal run; `CRASHLINE_SEQUENCES` asks for another number.
const SEQUENCES: u64 = 300;

#[test]
fn random_calls_get_the_same_answers() {
    let sequences = std::env::var("CRASHLINE_SEQUENCES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(SEQUENCES);
    // Memory, where there is such a place: the calls are what is compared, not the disk.
    let memory = Path::new("/dev/shm");
    let real = if RealFs.stat(memory).is_ok() {
        tempfile::tempdir_in(memory).unwrap()
    } else {
        tempfile::tempdir().unwrap()
    };
    for seed in 0..sequences {
        let mut prng = Prng::named(seed, "compare");
        let real_root = real.path().join(seed.to_string());
        RealFs.create_dir(&real_root).unwrap();
        let sim = SimFs::new();
        let sim_root = Path::new("/root");
        sim.create_dir(sim_root).unwrap();
        let result = compare((&sim, sim_root), (&RealFs, &real_root), 60, &mut |bound| {
            prng.below(bound)
        });
        if let Err(difference) = result {
            panic!("seed {seed}: {difference:#?}");
        }
    }
}
