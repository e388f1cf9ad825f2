//! Pieces of JSON, read from the front: white space, strings, whole numbers, and values that are
//! passed over. Linear in the bytes; nothing recurses, and nesting is bounded.

use std::fmt;

/// How deep a value that is passed over may be nested.
const DEPTH_MAX: usize = 64;

/// Why bytes are not an offset file, and where.
///
/// | row | wrong is | the place |
/// |---|---|---|
/// | E1 | something that is missing | where it had to be, behind white space |
/// | E2 | a control byte, a bracket, what stands behind the object | this byte |
/// | E3 | a string without an end | the end of the file |
/// | E4 | an escape | its backslash |
/// | E5 | a string that is no UTF-8 | its first byte |
/// | E6 | a number that is not whole, or does not fit | its first byte |
/// | E7 | what is there twice, an unknown field, a note | its first byte |
/// | E8 | a key that lacks a field | behind its brace |
/// | E9 | a table that is missing | the end of the file |
/// | E10 | a key of the Go client | its first byte |
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// Bytes before the place; what is wrong within a key of the Go client is placed at that key.
    pub offset: usize,
    /// The line of the place, from 1.
    pub line: usize,
    /// Bytes of that line up to the place, from 1.
    pub column: usize,
    /// What is wrong.
    pub reason: &'static str,
}

impl fmt::Display for ParseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            offset,
            line,
            column,
            reason,
        } = self;
        write!(
            formatter,
            "{reason} at line {line}, column {column} (byte {offset})"
        )
    }
}

impl std::error::Error for ParseError {}

/// A place in some bytes.
#[derive(Debug, Clone)]
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Bytes before the place.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// What is wrong here.
    pub(super) fn error<T>(&self, reason: &'static str) -> Result<T, ParseError> {
        self.error_at(self.at, reason)
    }

    /// What is wrong at this offset.
    pub(super) fn error_at<T>(&self, offset: usize, reason: &'static str) -> Result<T, ParseError> {
        let before = self.bytes.get(..offset).unwrap_or(self.bytes);
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let start = before.iter().rposition(|byte| *byte == b'\n');
        Err(ParseError {
            offset: before.len(),
            line,
            column: before.len() - start.map_or(0, |newline| newline + 1) + 1,
            reason,
        })
    }

    /// The next byte that is no white space, which stays.
    pub(super) fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.byte() {
            self.at += 1;
        }
        self.byte()
    }

    /// Passes this byte, if it is the next one that is no white space.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Passes this byte, or says what is missing.
    pub(super) fn expect(&mut self, byte: u8, reason: &'static str) -> Result<(), ParseError> {
        if self.take(byte) {
            Ok(())
        } else {
            self.error(reason)
        }
    }

    /// Whether nothing but white space is left.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// A string, without its quotes and escapes.
    pub(super) fn string(&mut self) -> Result<String, ParseError> {
        self.expect(b'"', "a string is missing")?;
        let start = self.at;
        let mut text = Vec::new();
        loop {
            match self.byte() {
                Some(b'"') => break,
                Some(b'\\') => self.escape(&mut text)?,
                Some(byte) if byte >= b' ' => {
                    text.push(byte);
                    self.at += 1;
                }
                Some(_) => return self.error("a control byte stands in a string"),
                None => return self.error("a string has no end"),
            }
        }
        self.at += 1;
        match String::from_utf8(text) {
            Ok(text) => Ok(text),
            Err(_) => self.error_at(start, "a string is not UTF-8"),
        }
    }

    fn escape(&mut self, text: &mut Vec<u8>) -> Result<(), ParseError> {
        let start = self.at;
        self.at += 1;
        let byte = match self.byte() {
            Some(byte @ (b'"' | b'\\' | b'/')) => byte,
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                self.at += 1;
                let Some(character) = self.character() else {
                    return self.error_at(start, "an escape stands for no character");
                };
                let mut buffer = [0; 4];
                text.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
                return Ok(());
            }
            _ => return self.error_at(start, "an escape is none of JSON's"),
        };
        text.push(byte);
        self.at += 1;
        Ok(())
    }

    /// Behind `\u`: four digits, or a pair of surrogates.
    fn character(&mut self) -> Option<char> {
        let first = self.four_digits()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first);
        }
        let rest = self.bytes.get(self.at..)?;
        if !rest.starts_with(b"\\u") {
            return None;
        }
        self.at += 2;
        let second = self.four_digits()?;
        if !(0xdc00..0xe000).contains(&second) {
            return None;
        }
        char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00))
    }

    fn four_digits(&mut self) -> Option<u32> {
        let digits = self.bytes.get(self.at..self.at + 4)?;
        let mut number = 0;
        for digit in digits {
            number = number * 16 + char::from(*digit).to_digit(16)?;
        }
        self.at += 4;
        Some(number)
    }

    /// A whole number of 64 bits with its sign.
    pub(super) fn integer(&mut self) -> Result<i64, ParseError> {
        self.peek();
        let start = self.at;
        let is_negative = self.take(b'-');
        let digits_start = self.at;
        let mut number: Option<i64> = Some(0);
        while let Some(digit @ b'0'..=b'9') = self.byte() {
            let digit = i64::from(digit - b'0');
            // Counted downwards, since there is one more negative number than positive ones.
            number = number
                .and_then(|number| number.checked_mul(10))
                .and_then(|number| number.checked_sub(digit));
            self.at += 1;
        }
        let digits = self.bytes.get(digits_start..self.at).unwrap_or_default();
        match digits {
            [] => return self.error_at(start, "a whole number is missing"),
            [b'0', _, ..] => return self.error_at(start, "a number begins with a zero"),
            _ => {}
        }
        if let Some(b'.' | b'e' | b'E') = self.byte() {
            return self.error_at(start, "a number is not whole");
        }
        let number = match is_negative {
            true => number,
            false => number.and_then(i64::checked_neg),
        };
        match number {
            Some(number) => Ok(number),
            None => self.error_at(start, "a number does not fit 64 bits"),
        }
    }

    /// Passes a value of any kind. Brackets must match; what stands between them is not looked at
    /// more closely than that its strings end.
    pub(super) fn pass_value(&mut self) -> Result<(), ParseError> {
        let mut open = Vec::new();
        loop {
            match self.peek() {
                Some(b'"') => drop(self.string()?),
                Some(bracket @ (b'{' | b'[')) => {
                    if open.len() == DEPTH_MAX {
                        return self.error("a value is nested too deep");
                    }
                    open.push(if bracket == b'{' { b'}' } else { b']' });
                    self.at += 1;
                }
                Some(bracket @ (b'}' | b']')) => {
                    if open.pop() != Some(bracket) {
                        return self.error("a bracket does not match");
                    }
                    self.at += 1;
                }
                Some(b',' | b':') if !open.is_empty() => self.at += 1,
                Some(_) => self.pass_word()?,
                None => return self.error("a value has no end"),
            }
            if open.is_empty() {
                return Ok(());
            }
        }
    }

    /// Passes a number, `true`, `false` or `null`.
    fn pass_word(&mut self) -> Result<(), ParseError> {
        let start = self.at;
        while let Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'-' | b'.') = self.byte() {
            self.at += 1;
        }
        if self.at == start {
            return self.error("a value is missing");
        }
        Ok(())
    }
}
