//! Any bytes as an offset file of either client, as they are and with a note: parsing does not
//! panic, what it takes is written and read back as it is in every form, a note changes nothing of
//! what is read, and vouches for nothing that was changed.
#![no_main]

#[path = "../common/seal_offsets.rs"]
mod seal_offsets;

use crashline::offsets::Dialect;
use crashline::offsets::format::{Document, Layout, Noted, ParseError, encode, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    // The first byte says which bit of a written file is changed.
    let (choice, bytes) = match input.split_first() {
        Some((choice, bytes)) => (usize::from(*choice), bytes),
        None => return,
    };
    let bare = parse(bytes);
    match &bare {
        Ok(document) => must_come_back(document, choice),
        Err(error) => must_be_a_place(error, bytes),
    }
    let mut sealed = bytes.to_vec();
    seal_offsets::seal_offsets(&mut sealed);
    match (parse(&sealed), bare) {
        (Ok(noted), Ok(bare)) => {
            assert!(noted.noted && !bare.noted);
            assert_eq!((noted.table, noted.dialect), (bare.table, bare.dialect));
        }
        // White space behind the last brace, or a note that was there before.
        (Err(error), _) => must_be_a_place(&error, &sealed),
        // The last brace was missing.
        (Ok(noted), Err(_)) => must_come_back(&noted, choice),
    }
});

/// What is wrong stands within the file or at its end, and the line and column are of this place.
fn must_be_a_place(error: &ParseError, bytes: &[u8]) {
    let before = &bytes[..error.offset];
    let lines: Vec<&[u8]> = before.split(|byte| *byte == b'\n').collect();
    assert_eq!(error.line, lines.len(), "{error}");
    assert_eq!(error.column, lines[lines.len() - 1].len() + 1, "{error}");
}

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
