//! Reads a JSON object the way Go's decoder fills a struct: keys match in any case, a later one
//! wins, what is not known is passed over, `null` changes nothing, and an integer is written
//! without fraction and exponent.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;
use std::io;

/// A key of an object.
#[derive(Debug)]
pub(super) struct Key(String);

impl Key {
    /// Whether it names the field; the long s and the sign for Kelvin are letters, too.
    pub(super) fn is(&self, field: &str) -> bool {
        let folded = |one: char| match one {
            '\u{17f}' => 's',
            '\u{212a}' => 'k',
            other => other.to_ascii_lowercase(),
        };
        self.0.chars().map(folded).eq(field.chars().map(folded))
    }
}

/// The members of an object in order, each with the text of its value.
#[derive(Debug)]
pub(super) struct Members(Vec<(Key, Box<RawValue>)>);

impl Members {
    /// Takes an object, or `null`, which has no members.
    pub(super) fn parse(text: &str) -> io::Result<Self> {
        let members: Option<Self> = serde_json::from_str(text)?;
        Ok(members.unwrap_or(Self(Vec::new())))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&Key, &str)> {
        self.0.iter().map(|(key, value)| (key, value.get()))
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some((key, value)) = map.next_entry()? {
                    members.push((Key(key), value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// Whether a value is `null`.
pub(super) fn is_null(value: &str) -> bool {
    value == "null"
}

/// Takes an integer.
pub(super) fn parse_integer(value: &str) -> io::Result<i64> {
    value
        .parse()
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "this is no integer"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_match_in_any_case() {
        for (key, matches) in [
            ("SegOffset", true),
            ("segoffset", true),
            ("\u{17f}egOff\u{17f}et", true),
            ("SegOffse", false),
            ("SegOffset ", false),
        ] {
            assert_eq!(Key(key.to_owned()).is("SegOffset"), matches, "{key}");
        }
    }

    #[test]
    fn integers_have_neither_fraction_nor_exponent() {
        for (text, value) in [
            ("0", Some(0)),
            ("-0", Some(0)),
            ("-12", Some(-12)),
            ("1.0", None),
            ("1e3", None),
            ("\"1\"", None),
            ("9223372036854775808", None),
        ] {
            assert_eq!(parse_integer(text).ok(), value, "{text}");
        }
    }

    #[test]
    fn only_an_object_or_null_has_members() {
        assert_eq!(Members::parse("null").unwrap().iter().count(), 0);
        assert_eq!(
            Members::parse("{\"a\":1,\"a\":{}}").unwrap().iter().count(),
            2
        );
        for text in ["", "[]", "5", "{\"a\":1", "{} x", "{\"a\":01}"] {
            assert!(Members::parse(text).is_err(), "{text}");
        }
    }
}
