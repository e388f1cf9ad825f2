//! Parsing takes time in proportion to the bytes, whatever they are (C3).
#![expect(clippy::disallowed_methods, reason = "what is measured here is time")]

use crashline::offsets::format::parse;
use std::time::{Duration, Instant};

/// A file is made so many times larger, and may take so many times longer. Time that grew with the
/// square of the bytes would be 256 times longer.
const LARGER: usize = 16;
const LONGER: u32 = 80;

/// Files that would be slow if anything were read more than once, of about so many pieces.
fn shapes(pieces: usize) -> Vec<(&'static str, String)> {
    let table = |inside: &str| format!("{{\"offsetTable\":{{{inside}}}}}");
    let long = "x".repeat(200);
    let keys = |key: &dyn Fn(usize) -> String| {
        let keys: Vec<String> = (0..pieces).map(key).collect();
        table(&keys.join(","))
    };
    let beside = |field: &str| format!("{{{}\"offsetTable\":{{}}}}", field.repeat(pieces));
    let in_a_string = |piece: &str| {
        format!(
            "{{\"a\":\"{}\",\"offsetTable\":{{}}}}",
            piece.repeat(pieces)
        )
    };
    let in_a_value =
        |piece: &str| format!("{{\"a\":[{}],\"offsetTable\":{{}}}}", piece.repeat(pieces));
    vec![
        (
            "keys of the Go client",
            keys(&|number| {
                let name = format!("\\\"topic\\\":\\\"{long}\\\",\\\"brokerName\\\":\\\"\\\"");
                format!("\"{{{name},\\\"queueId\\\":{number}}}\":1")
            }),
        ),
        (
            "keys of the Java client",
            keys(&|number| {
                format!("{{\"queueId\":{number},\"topic\":\"{long}\",\"brokerName\":\"\"}}:1")
            }),
        ),
        ("white space", in_a_value("\n \t")),
        (
            "an error behind many lines",
            format!("{}x", "\n".repeat(8 * pieces)),
        ),
        (
            "an error in a long key",
            table(&format!("\"{}\":1", "\\\\".repeat(pieces))),
        ),
        ("escapes", in_a_string("\\u4e3b\\\\")),
        ("letters", in_a_string("\u{4e3b}")),
        (
            "a torn string",
            format!("{{\"a\":\"{}", "\\n".repeat(pieces)),
        ),
        ("fields", beside("\"a\":1,")),
        ("fields like notes", beside("\"notes\":\"crashlin\",")),
        (
            "values like notes",
            in_a_value("{\"note\":\"crashline 1 \"},"),
        ),
        ("brackets", in_a_value("[{}],")),
        (
            "brackets without end",
            format!("{{\"a\":{}", "[".repeat(8 * pieces)),
        ),
        (
            "digits",
            table(&format!("\"x\":{}", "1".repeat(8 * pieces))),
        ),
    ]
}

/// Rounds after which a machine that others use as well has had a quiet moment.
const ROUNDS_MAX: usize = 200;

fn time_of(text: &str) -> Duration {
    let begin = Instant::now();
    let parsed = parse(text.as_bytes());
    let time = begin.elapsed();
    drop(parsed);
    time
}

/// Others on the machine only ever make it longer: the least times of both are compared, after as
/// many rounds as that takes.
#[test]
fn sixteen_times_the_bytes_take_about_sixteen_times_the_time() {
    // What is read in a moment is all moment: so much is added to the smaller time.
    let moment = Duration::from_micros(20);
    for ((what, small), (_, large)) in shapes(1_000).into_iter().zip(shapes(1_000 * LARGER)) {
        assert!(large.len() > small.len() * (LARGER - 1), "{what}");
        let (mut short, mut long) = (Duration::MAX, Duration::MAX);
        let is_linear = (0..ROUNDS_MAX).any(|_| {
            short = short.min(time_of(&small));
            long = long.min(time_of(&large));
            long < (short + moment) * LONGER
        });
        assert!(
            is_linear,
            "{what}: {} bytes took {short:?}, {} took {long:?}",
            small.len(),
            large.len()
        );
    }
}
