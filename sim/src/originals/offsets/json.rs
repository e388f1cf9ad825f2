//! What the original's JSON library takes for JSON: pieces, read from the front.
//!
//! A field's name counts whatever the case of its letters, a string may be `null`, and one zero
//! byte behind a value ends the text.

/// The first piece that cannot be read fails the whole text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Malformed;

const DEPTH_MAX: u32 = 10_000;

/// A place in a text.
#[derive(Debug)]
pub(super) struct Json<'a> {
    rest: &'a [u8],
}

impl<'a> Json<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { rest: text }
    }

    /// The next byte; 0 stands for the end, too.
    fn byte(&mut self) -> u8 {
        match self.rest.split_first() {
            Some((first, rest)) => {
                self.rest = rest;
                *first
            }
            None => 0,
        }
    }

    /// The next byte that is no white space.
    pub(super) fn token(&mut self) -> u8 {
        self.peek();
        self.byte()
    }

    pub(super) fn peek(&mut self) -> u8 {
        while let [b' ' | b'\t' | b'\n' | b'\r', rest @ ..] = self.rest {
            self.rest = rest;
        }
        self.rest.first().copied().unwrap_or(0)
    }

    pub(super) fn expect(&mut self, byte: u8) -> Result<(), Malformed> {
        if self.token() == byte {
            Ok(())
        } else {
            Err(Malformed)
        }
    }

    /// Behind the value nothing may follow.
    pub(super) fn end(&mut self) -> Result<(), Malformed> {
        self.expect(0)
    }

    /// Passes these bytes.
    fn word(&mut self, word: &[u8]) -> Result<(), Malformed> {
        self.rest = self.rest.strip_prefix(word).ok_or(Malformed)?;
        Ok(())
    }

    /// Passes `null`, if that is next.
    pub(super) fn null(&mut self) -> Result<bool, Malformed> {
        if self.peek() != b'n' {
            return Ok(false);
        }
        self.word(b"null").map(|()| true)
    }

    /// Goes through the fields of an object; `null` is one without any. `field` reads the value.
    pub(super) fn object(
        &mut self,
        mut field: impl FnMut(&mut Self, &str) -> Result<(), Malformed>,
    ) -> Result<(), Malformed> {
        if self.null()? {
            return Ok(());
        }
        self.expect(b'{')?;
        if self.peek() == b'}' {
            return self.expect(b'}');
        }
        loop {
            if self.peek() != b'"' {
                return Err(Malformed);
            }
            let name = self.string()?;
            self.expect(b':')?;
            field(self, &name)?;
            match self.token() {
                b',' => {}
                b'}' => return Ok(()),
                _ => return Err(Malformed),
            }
        }
    }

    /// A string; `null` is the empty one.
    pub(super) fn string(&mut self) -> Result<String, Malformed> {
        if self.null()? {
            return Ok(String::new());
        }
        self.expect(b'"')?;
        let mut text = Vec::new();
        loop {
            match self.byte() {
                b'"' => return Ok(String::from_utf8_lossy(&text).into_owned()),
                b'\\' => self.escaped(&mut text)?,
                byte if byte < b' ' => return Err(Malformed),
                byte => text.push(byte),
            }
        }
    }

    fn escaped(&mut self, text: &mut Vec<u8>) -> Result<(), Malformed> {
        let byte = match self.byte() {
            byte @ (b'"' | b'\\' | b'/') => byte,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => return self.character(text),
            _ => return Err(Malformed),
        };
        text.push(byte);
        Ok(())
    }

    /// Behind `\u`. Half a pair of surrogates becomes the replacement character.
    fn character(&mut self, text: &mut Vec<u8>) -> Result<(), Malformed> {
        let mut unit = self.unit()?;
        loop {
            if !(0xd800..0xe000).contains(&unit) {
                push(text, char::from_u32(unit));
                return Ok(());
            }
            if !self.rest.starts_with(b"\\u") {
                push(text, None);
                return Ok(());
            }
            self.word(b"\\u")?;
            let second = self.unit()?;
            if unit < 0xdc00 && (0xdc00..0xe000).contains(&second) {
                let code = 0x1_0000 + ((unit - 0xd800) << 10) + (second - 0xdc00);
                push(text, char::from_u32(code));
                return Ok(());
            }
            push(text, None);
            unit = second;
        }
    }

    fn unit(&mut self) -> Result<u32, Malformed> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = char::from(self.byte()).to_digit(16).ok_or(Malformed)?;
            unit = unit * 16 + digit;
        }
        Ok(unit)
    }

    /// A whole number of 64 bits; `null` is 0.
    pub(super) fn integer(&mut self) -> Result<i64, Malformed> {
        if self.null()? {
            return Ok(0);
        }
        let is_negative = self.peek() == b'-';
        if is_negative {
            self.byte();
        }
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit());
        // A zero is a number by itself: what follows it is looked at as what follows a value.
        let count = match self.rest.first() {
            Some(b'0') => 1,
            _ => digits.count(),
        };
        let (digits, rest) = self.rest.split_at(count);
        self.rest = rest;
        if digits.is_empty() || rest.first() == Some(&b'.') {
            return Err(Malformed);
        }
        let mut number: i128 = 0;
        for digit in digits {
            number = number
                .saturating_mul(10)
                .saturating_add(i128::from(digit - b'0'));
        }
        i64::try_from(if is_negative { -number } else { number }).map_err(|_| Malformed)
    }

    /// Passes a value of any kind.
    pub(super) fn pass(&mut self) -> Result<(), Malformed> {
        let mut closing = Vec::new();
        loop {
            let value_ended = match self.peek() {
                b'"' => self.string().map(|_| true)?,
                b'n' => self.word(b"null").map(|()| true)?,
                b't' => self.word(b"true").map(|()| true)?,
                b'f' => self.word(b"false").map(|()| true)?,
                b'-' | b'0'..=b'9' => self.number().map(|()| true)?,
                bracket @ (b'{' | b'[') => self.open(bracket, &mut closing)?,
                _ => return Err(Malformed),
            };
            if value_ended && self.close(&mut closing)? {
                return Ok(());
            }
        }
    }

    /// Passes an opening bracket and what stands before the first value; says whether it was
    /// empty, and so a value that ended.
    fn open(&mut self, bracket: u8, closing: &mut Vec<u8>) -> Result<bool, Malformed> {
        if closing.len() == DEPTH_MAX as usize {
            return Err(Malformed);
        }
        self.expect(bracket)?;
        let end = if bracket == b'{' { b'}' } else { b']' };
        if self.peek() == end {
            self.byte();
            return Ok(true);
        }
        closing.push(end);
        self.name(end)?;
        Ok(false)
    }

    /// Passes the name of the next field, where the value stands in an object.
    fn name(&mut self, end: u8) -> Result<(), Malformed> {
        if end != b'}' {
            return Ok(());
        }
        if self.peek() != b'"' {
            return Err(Malformed);
        }
        self.string()?;
        self.expect(b':')
    }

    /// Behind a value: passes the brackets that close here; says whether all did.
    fn close(&mut self, closing: &mut Vec<u8>) -> Result<bool, Malformed> {
        while let Some(end) = closing.last().copied() {
            match self.token() {
                b',' => {
                    self.name(end)?;
                    return Ok(false);
                }
                byte if byte == end => drop(closing.pop()),
                _ => return Err(Malformed),
            }
        }
        Ok(true)
    }

    /// Passes a number, with fraction and exponent.
    fn number(&mut self) -> Result<(), Malformed> {
        let is_part = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let count = self.rest.iter().take_while(is_part).count();
        let (number, rest) = self.rest.split_at(count);
        self.rest = rest;
        let text = str::from_utf8(number).map_err(|_| Malformed)?;
        let digits = text.trim_start_matches('-');
        let behind_zero = digits.strip_prefix('0').unwrap_or_default();
        let has_zero = behind_zero.starts_with(|one: char| one.is_ascii_digit());
        match text.parse::<f64>() {
            Ok(_) if !has_zero && !text.starts_with('+') => Ok(()),
            Ok(_) | Err(_) => Err(Malformed),
        }
    }
}

fn push(text: &mut Vec<u8>, character: Option<char>) {
    let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
    let mut buffer = [0; 4];
    text.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
}
