//! How a trace tells what a directory holds: names with random parts masked, and fingerprints.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// The size of a file, a colon, and the first twelve hex digits of its SHA-256.
pub(super) type Fingerprint = String;

/// So many hex digits of a hash are told.
const HASH_DIGITS: usize = 12;

/// The fingerprint of a file's bytes.
pub(super) fn fingerprint(bytes: &[u8]) -> Fingerprint {
    let mut text = format!("{}:", bytes.len());
    for byte in Sha256::digest(bytes).iter().take(HASH_DIGITS / 2) {
        write!(text, "{byte:02x}").expect("writing to a string does not fail");
    }
    text
}

/// Replaces the number of a temporary meta, which the original draws and the twin counts.
pub(super) fn mask(name: &str) -> String {
    let masked = name
        .strip_suffix(".tmp")
        .and_then(|rest| rest.rsplit_once('.'))
        .filter(|(_, number)| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
        .map(|(before, _)| format!("{before}.RANDOM.tmp"));
    masked.unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fingerprint_of_a_known_text() {
        assert_eq!(fingerprint(b"0\n0,0\n0,0\n"), "10:a1532a28a5ac");
    }

    #[test]
    fn only_numbers_of_temporary_files_are_masked() {
        assert_eq!(
            mask("q.diskqueue.meta.dat.8674665223082153551.tmp"),
            "q.diskqueue.meta.dat.RANDOM.tmp"
        );
        assert_eq!(mask("q.diskqueue.000001.dat"), "q.diskqueue.000001.dat");
        assert_eq!(mask("a.b.tmp"), "a.b.tmp");
    }
}
