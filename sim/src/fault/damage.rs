//! [`Damage`]: what happened to a file behind its owner's back, and its text form.
//!
//! The name comes last and is the rest of the line, with bytes that are not printable ASCII (and
//! the backslash) written as in Rust's byte strings.

use std::fmt;
use std::str::FromStr;

/// Zeros that damage appends at most: they are held in memory.
const APPENDED_MAX: u64 = 16 * 1024 * 1024;

/// One change of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Damage {
    /// A bit is another one.
    Flip {
        /// The file's name in the directory.
        name: Vec<u8>,
        /// Which byte.
        offset: u64,
        /// Which bit, from the lowest.
        bit: u8,
    },
    /// The file ends earlier.
    Cut {
        /// The file's name in the directory.
        name: Vec<u8>,
        /// Its new size.
        size: u64,
    },
    /// Bytes are zero.
    Zeros {
        /// The file's name in the directory.
        name: Vec<u8>,
        /// The first one.
        start: u64,
        /// Behind the last one.
        end: u64,
    },
    /// The file is gone.
    Remove {
        /// The file's name in the directory.
        name: Vec<u8>,
    },
    /// The file is as it was at an earlier moment of the recording.
    Older {
        /// The file's name in the directory.
        name: Vec<u8>,
        /// After so many effects.
        effects: u32,
    },
    /// Zeros stand behind the file's end.
    Append {
        /// The file's name in the directory.
        name: Vec<u8>,
        /// How many.
        count: u64,
    },
}

impl Damage {
    /// The file's name in the directory.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        match self {
            Self::Flip { name, .. }
            | Self::Cut { name, .. }
            | Self::Zeros { name, .. }
            | Self::Remove { name }
            | Self::Older { name, .. }
            | Self::Append { name, .. } => name,
        }
    }

    /// The name of its kind in [`super::KINDS`].
    #[must_use]
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::Flip { .. } => "damage-flip",
            Self::Cut { .. } => "damage-cut",
            Self::Zeros { .. } => "damage-zeros",
            Self::Remove { .. } => "damage-remove",
            Self::Older { .. } => "damage-older",
            Self::Append { .. } => "damage-append",
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flip { offset, bit, .. } => {
                write!(formatter, "flip bit {bit} of byte {offset} in ")?;
            }
            Self::Cut { size, .. } => write!(formatter, "cut at {size} in ")?,
            Self::Zeros { start, end, .. } => write!(formatter, "zeros from {start} to {end} in ")?,
            Self::Remove { .. } => formatter.write_str("remove ")?,
            Self::Older { effects, .. } => {
                write!(formatter, "older as of effect {effects} in ")?;
            }
            Self::Append { count, .. } => write!(formatter, "append {count} zeros in ")?,
        }
        write!(formatter, "{}", self.name().escape_ascii())
    }
}

impl FromStr for Damage {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(name) = text.strip_prefix("remove ") {
            return Ok(Self::Remove {
                name: unescape(name)?,
            });
        }
        let (what, name) = text
            .split_once(" in ")
            .ok_or_else(|| format!("damage `{text}` names no file"))?;
        let name = unescape(name)?;
        let words: Vec<&str> = what.split(' ').collect();
        let number = |word: &str| {
            word.parse::<u64>()
                .map_err(|_| format!("damage `{text}`: `{word}` is no number"))
        };
        match words.as_slice() {
            ["flip", "bit", bit, "of", "byte", offset] => Ok(Self::Flip {
                name,
                offset: number(offset)?,
                bit: bit
                    .parse()
                    .ok()
                    .filter(|bit| *bit < 8)
                    .ok_or_else(|| format!("damage `{text}`: a byte has bits 0 to 7"))?,
            }),
            ["cut", "at", size] => Ok(Self::Cut {
                name,
                size: number(size)?,
            }),
            ["zeros", "from", start, "to", end] => Ok(Self::Zeros {
                name,
                start: number(start)?,
                end: number(end)?,
            }),
            ["older", "as", "of", "effect", effects] => Ok(Self::Older {
                name,
                effects: u32::try_from(number(effects)?).unwrap_or(u32::MAX),
            }),
            ["append", count, "zeros"] => Ok(Self::Append {
                name,
                count: Some(number(count)?)
                    .filter(|count| *count <= APPENDED_MAX)
                    .ok_or_else(|| {
                        format!("damage `{text}`: at most {APPENDED_MAX} zeros are appended")
                    })?,
            }),
            _ => Err(format!("damage `{text}` is not understood")),
        }
    }
}

/// Undoes `escape_ascii`.
fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut name = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            name.push(byte);
            continue;
        }
        name.push(match rest.next() {
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(b'n') => b'\n',
            Some(plain @ (b'\'' | b'"' | b'\\')) => plain,
            Some(b'x') => {
                let digits = [rest.next().unwrap_or(0), rest.next().unwrap_or(0)];
                std::str::from_utf8(&digits)
                    .ok()
                    .and_then(|digits| u8::from_str_radix(digits, 16).ok())
                    .ok_or_else(|| format!("`{text}` has a wrong escape"))?
            }
            _ => return Err(format!("`{text}` has a wrong escape")),
        });
    }
    if name.is_empty() || name.contains(&b'/') {
        return Err(format!("`{text}` is no file name"));
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_survives_being_read_and_written() {
        for text in [
            "flip bit 7 of byte 17 in queue.dat",
            "cut at 0 in a name with in it",
            "zeros from 0 to 512 in queue.dat",
            "remove queue \\xff\\\\.dat",
            "older as of effect 12 in queue.dat",
            "append 64 zeros in \\x00",
        ] {
            assert_eq!(text.parse::<Damage>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for text in [
            "",
            "remove ",
            "remove a/b",
            "flip bit 8 of byte 1 in a",
            "flip bit 1 of byte x in a",
            "cut at 3",
            "append 16777217 zeros in a",
            "burn in a",
            "remove a\\q",
        ] {
            assert!(text.parse::<Damage>().is_err(), "{text}");
        }
    }
}
