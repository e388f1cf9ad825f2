//! Any bytes as an offset file of either client: parsing does not panic, what it takes is written
//! and read back as it is in every form, and a note never vouches for what was changed.
#![no_main]

use crashline::offsets::Dialect;
use crashline::offsets::format::{Document, Layout, Noted, encode, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    // The first byte says which bit of a written file is changed.
    let (choice, bytes) = match input.split_first() {
        Some((choice, bytes)) => (*choice, bytes),
        None => return,
    };
    match parse(bytes) {
        Ok(document) => must_come_back(&document, usize::from(choice)),
        Err(error) => {
            assert!(error.offset <= bytes.len(), "{error}");
            assert!(error.line >= 1 && error.column >= 1, "{error}");
            assert!(error.column <= error.offset + 1, "{error}");
        }
    }
});

fn must_come_back(document: &Document, choice: usize) {
    for dialect in [Dialect::Go, Dialect::Java] {
        for layout in [Layout::Plain, Layout::Indented] {
            for noted in [Noted::Yes, Noted::No] {
                let mut written = encode(&document.table, dialect, layout, noted);
                let again = parse(&written).expect("what is written can be read");
                assert_eq!(again.table, document.table);
                assert_eq!(again.noted, noted == Noted::Yes);
                if noted == Noted::Yes {
                    let at = choice * 7 % written.len();
                    written[at] ^= 1 << (choice % 8);
                    assert!(parse(&written).is_err(), "byte {at}");
                }
            }
        }
    }
}
