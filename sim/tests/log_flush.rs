//! A flush of the log without fsync makes no more file calls than the original's.

use crashline::fs::Fs;
use crashline_sim::explore::{System, engine};
use crashline_sim::scenario::{LogOp, LogOptions, LogPayloads, WriterOp};
use crashline_sim::simfs::SimFs;
use crashline_sim::subject::LogRequest;
use std::path::Path;
use std::sync::Arc;

const FLUSH: WriterOp = WriterOp::Flush { fsync: false };
const SYNC: WriterOp = WriterOp::Flush { fsync: true };

/// The file calls of each flush without fsync.
fn calls_of_flushes(name: &str, options: &LogOptions, program: &[WriterOp]) -> Vec<u64> {
    let sim = SimFs::new();
    let directory = Path::new("/data");
    sim.create_dir(directory).expect("the disk is empty");
    let fs: Arc<dyn Fs> = Arc::new(sim.clone());
    let engine = engine(name).expect("there is such an engine");
    let System::Log(system) = engine.system else {
        panic!("it is no log");
    };
    let mut objects = system
        .subject
        .start(&LogRequest {
            fs: &fs,
            directory,
            log: "log",
            options,
            quirks: &[],
        })
        .expect("there are no quirks");
    let mut payloads = LogPayloads::default();
    let mut calls = Vec::new();
    for op in program {
        let op = LogOp::Writer(op.clone());
        let bytes = payloads.of(&op);
        let before = sim.call_count();
        let outcome = objects.apply(&op, &bytes);
        assert!(outcome.result.is_ok(), "{name}: {op:?}: {outcome:?}");
        if op == LogOp::Writer(FLUSH) {
            calls.push(sim.call_count() - before);
        }
    }
    calls
}

/// The engine's flushes beside the original's.
fn compare(options: &LogOptions, program: &[WriterOp]) {
    let original = calls_of_flushes("original-seglog", options, program);
    let engine = calls_of_flushes("seglog", options, program);
    assert!(original.iter().any(|calls| *calls > 0), "it writes");
    for (number, (engine, original)) in engine.iter().zip(&original).enumerate() {
        assert!(engine <= original, "flush {number}: {engine}, {original}");
    }
    assert_eq!(engine.len(), original.len());
}

/// An open, and so many rounds of puts of one size, each with a flush.
fn rounds(rounds: usize, puts: usize, size: u32) -> Vec<WriterOp> {
    let mut program = vec![WriterOp::Open];
    for _ in 0..rounds {
        program.extend(vec![WriterOp::Put { size }; puts]);
        program.push(FLUSH);
    }
    program
}

#[test]
fn of_few_messages() {
    compare(&LogOptions::default(), &rounds(20, 1, 100));
    compare(&LogOptions::default(), &rounds(20, 7, 3));
}

#[test]
fn of_more_than_a_buffer() {
    compare(&LogOptions::default(), &rounds(3, 2_500, 100));
    compare(&LogOptions::default(), &rounds(3, 2, 300_000));
    // More of them wait for a sync than may.
    compare(&LogOptions::default(), &rounds(20, 2_500, 100));
}

#[test]
fn of_nothing_new() {
    let mut program = rounds(1, 3, 100);
    program.extend([FLUSH, FLUSH, SYNC, FLUSH]);
    compare(&LogOptions::default(), &program);
}

#[test]
fn behind_what_was_synced_cut_or_opened_again() {
    let put = || WriterOp::Put { size: 96 };
    let mut program = rounds(2, 3, 96);
    program.extend([put(), SYNC, put(), FLUSH, put(), FLUSH]);
    let (offset, count) = (800, 2);
    program.extend([put(), FLUSH, WriterOp::Rollback { offset, count }]);
    program.extend([put(), FLUSH, put(), FLUSH]);
    program.extend([WriterOp::Close, WriterOp::Open, put(), FLUSH, put(), FLUSH]);
    compare(&LogOptions::default(), &program);
}

#[test]
fn where_segments_end() {
    for segment_bytes_max in [100, 250, 1_000] {
        let options = LogOptions {
            segment_bytes_max,
            ..LogOptions::default()
        };
        compare(&options, &rounds(30, 1, 60));
        compare(&options, &rounds(30, 3, 60));
    }
}
