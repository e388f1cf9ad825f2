//! The text form, both ways, and what is wrong with it.

use super::*;
use crate::scenario::{
    CrashChoice, CrashKind, FifoOptions, Fill, LogOp, LogOptions, LogPosition, PlantedKind,
    ReaderOp, RunKind, Step, WriterOp,
};

fn scenario() -> Scenario {
    let open = Action::Open {
        options: Some(FifoOptions::default()),
    };
    Scenario {
        format: FORMAT,
        engine: "diskqueue".to_owned(),
        options: FifoOptions::default(),
        quirks: vec!["one".to_owned()],
        profile: "posix-min".to_owned(),
        run: RunKind::Errors,
        with_dir_sync: true,
        seed: u64::MAX,
        steps: vec![
            Step::queue(Action::Put { size: 8 }),
            Step::queue(Action::PutBatch { sizes: vec![1, 2] }),
            Step {
                object: "reader".to_owned(),
                action: Action::Read,
            },
            Step::queue(Action::Tick { now_ms: 7 }),
            Step::queue(Action::Kill),
            Step::queue(open),
        ],
        log: None,
        offsets: None,
        cluster: None,
        faults: vec!["a fault".to_owned()],
        damage: vec!["a damage".to_owned()],
        planted: vec![Planted {
            name: "a name".to_owned(),
            kind: PlantedKind::File,
            text: "bytes".to_owned(),
        }],
        crashes: vec![CrashChoice {
            point: 3,
            marks: 2,
            kind: CrashKind::PowerCut,
            lost: vec![1, 2],
            fill: Some(Fill::Stale),
        }],
    }
}

#[test]
fn text_and_scenario_are_one() {
    let whole = scenario();
    assert_eq!(Scenario::parse(&whole.to_text()), Ok(whole.clone()));
    let small = Scenario {
        quirks: Vec::new(),
        with_dir_sync: false,
        faults: Vec::new(),
        damage: Vec::new(),
        planted: Vec::new(),
        crashes: Vec::new(),
        ..whole
    };
    let text = small.to_text();
    assert_eq!(Scenario::parse(&text), Ok(small));
    assert!(
        text.contains("\n    {\"op\":\"put\",\"size\":8},\n"),
        "{text}"
    );
}

fn log() -> Scenario {
    let end = LogPosition::SHOWN;
    let tell = ReaderOp::UpdateQueueEnd { end, force: false };
    let steps = vec![
        LogOp::Writer(WriterOp::Open),
        LogOp::Reader("a".to_owned(), tell),
        LogOp::Kill,
    ];
    let options = LogOptions::default();
    Scenario {
        options: FifoOptions::default(),
        steps: Vec::new(),
        log: Some(LogProgram { options, steps }),
        ..scenario()
    }
}

#[test]
fn a_log_has_a_program_of_its_own() {
    let text = log().to_text();
    assert_eq!(Scenario::parse(&text), Ok(log()));
    assert!(
        text.contains("\n      {\"writer\":{\"op\":\"open\"}},\n"),
        "{text}"
    );
    for (from, to, expected) in [
        ("[\"a\"", "[\"../a\"", "`../a` is no name"),
        ("\"seed\":", "\"steps\": [], \"seed\":", "beside `log`"),
        ("\"log\":", "\"lag\":", "missing field `options`"),
        ("\"op\":\"open\"", "\"op\":\"open\",\"size\":1", "size"),
    ] {
        let error = Scenario::parse(&text.replacen(from, to, 1)).unwrap_err();
        assert!(error.contains(expected), "{to}: {error}");
    }
}

#[test]
fn what_is_wrong_is_said_in_a_sentence() {
    let good = scenario().to_text();
    let cases = [
        ("\"format\": 1", "\"format\": 2", "format 2"),
        ("\"format\": 1,", "", "`format` is missing"),
        (
            "\"size\":8",
            "\"size\":8,\"sice\":9",
            "`sice` in `/steps/0/`",
        ),
        ("\"seed\":", "\"sead\": 1, \"seed\":", "sead"),
        (
            "\"seed\":",
            "\"seed\": 1, \"seed\":",
            "duplicate field `seed`",
        ),
        ("\"op\":\"read\"", "\"op\":\"reed\"", "reed"),
        ("\"size\":8", "\"size\":-8", "-8"),
        ("\"size\":8", "\"size\":4000000000", "268435456"),
        ("\"engine\": \"diskqueue\"", "\"engine\": \"\"", "name"),
        ("\"a name\"", "\"a/name\"", "a/name"),
        ("\"point\":3", "\"point\":3,\"pint\":3", "pint"),
        (
            "\"message_bytes_min\":0",
            "\"message_bytes_min\":4000000000",
            "above",
        ),
        (
            "\"segment_bytes_max\":104857600",
            "\"segment_bytes_max\":0",
            "at least 1",
        ),
        ("{", "", "no JSON"),
    ];
    for (from, to, expected) in cases {
        assert!(good.contains(from), "{from} in {good}");
        let error = Scenario::parse(&good.replacen(from, to, 1)).unwrap_err();
        assert!(error.contains(expected), "{to}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn what_says_nothing_may_be_written_or_left_out() {
    let text = scenario().to_text();
    let longer = text.replace("\"op\":\"kill\"", "\"object\":\"queue\",\"op\":\"kill\"");
    assert_ne!(text, longer);
    assert_eq!(Scenario::parse(&longer), Ok(scenario()));
}
