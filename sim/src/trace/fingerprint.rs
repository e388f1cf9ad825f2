//! How a trace tells what a directory holds: names with random parts masked, and fingerprints.

use super::disk::Files;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The size of a file, a colon, and the first twelve hex digits of its SHA-256.
pub(super) type Fingerprint = String;

/// What a trace tells of a directory: fingerprints by masked name.
pub(super) type Prints = BTreeMap<String, Fingerprint>;

/// So many hex digits of a hash are told.
const HASH_DIGITS: usize = 12;

/// The fingerprint of a file's bytes.
fn fingerprint(bytes: &[u8]) -> Fingerprint {
    let mut text = format!("{}:", bytes.len());
    for byte in Sha256::digest(bytes).iter().take(HASH_DIGITS / 2) {
        write!(text, "{byte:02x}").expect("writing to a string does not fail");
    }
    text
}

/// The endings of names that originals draw a number for, and twins count.
const NUMBERED_ENDINGS: [&str; 2] = [".tmp", ".corrupt"];

/// Replaces the number in the name of a temporary or corrupt file.
fn mask(name: &str) -> String {
    for ending in NUMBERED_ENDINGS {
        let parts = name
            .strip_suffix(ending)
            .and_then(|rest| rest.rsplit_once('.'));
        if let Some((before, number)) = parts
            && !number.is_empty()
            && number.bytes().all(|b| b.is_ascii_digit())
        {
            return format!("{before}.RANDOM{ending}");
        }
    }
    name.to_owned()
}

/// Takes over what a line tells as changed.
pub(super) fn change(prints: &mut Prints, new: Prints, gone: Vec<String>) -> Result<(), String> {
    for name in gone {
        if prints.remove(&name).is_none() {
            return Err(format!("`gone` names `{name}`, which was not there"));
        }
    }
    prints.extend(new);
    Ok(())
}

/// How the twin's directory differs from the recorded one.
pub(super) fn compare_files(recorded: &Prints, files: &Files) -> Result<(), String> {
    let files: Prints = files
        .iter()
        .map(|(name, bytes)| (mask(name), fingerprint(bytes)))
        .collect();
    for (name, recorded) in recorded {
        match files.get(name) {
            Some(found) if found == recorded => {}
            Some(found) => {
                return Err(format!(
                    "`{name}` was recorded as {recorded}, the twin's is {found}"
                ));
            }
            None => return Err(format!("`{name}` was recorded, the twin has none")),
        }
    }
    match files.keys().find(|name| !recorded.contains_key(*name)) {
        Some(name) => Err(format!("the twin has `{name}`, which was not recorded")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fingerprint_of_a_known_text() {
        assert_eq!(fingerprint(b"0\n0,0\n0,0\n"), "10:a1532a28a5ac");
    }

    #[test]
    fn only_numbers_of_temporary_and_corrupt_files_are_masked() {
        assert_eq!(
            mask("q.diskqueue.meta.dat.8674665223082153551.tmp"),
            "q.diskqueue.meta.dat.RANDOM.tmp"
        );
        assert_eq!(mask("q.diskqueue.000001.dat"), "q.diskqueue.000001.dat");
        assert_eq!(
            mask("l.diskqueue.meta.writer.dat.0.corrupt"),
            "l.diskqueue.meta.writer.dat.RANDOM.corrupt"
        );
        assert_eq!(mask("a.b.tmp"), "a.b.tmp");
    }
}
