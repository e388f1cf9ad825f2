//! Numbers as text: decimal as the original writes them, hex in the note.

use crate::fs::BootId;

/// The largest segment number, offset, depth and count: what the originals keep in a signed 64-bit
/// number.
pub const NUMBER_MAX: u64 = i64::MAX as u64;

/// Digits without sign or superfluous zeros, at most [`NUMBER_MAX`].
pub(crate) fn parse_decimal(digits: &[u8]) -> Option<u64> {
    let is_canonical = match digits {
        [] => false,
        [b'0'] => true,
        [first, ..] => *first != b'0' && digits.iter().all(u8::is_ascii_digit),
    };
    if !is_canonical {
        return None;
    }
    let number = digits.iter().try_fold(0_u64, |number, digit| {
        number.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
    })?;
    (number <= NUMBER_MAX).then_some(number)
}

/// Exactly `count` lower case hex digits: 8 or 16.
pub(crate) fn parse_hex(digits: &[u8], count: usize) -> Option<u64> {
    debug_assert!(matches!(count, 8 | 16), "one or two words of eight digits");
    if digits.len() != count {
        return None;
    }
    let (words, _) = digits.as_chunks::<8>();
    words.iter().try_fold(0, |number: u64, word| {
        Some(number << 32 | u64::from(eight_digits(*word)?))
    })
}

/// The 32 digits of a boot.
pub(crate) fn parse_boot(digits: &[u8]) -> Option<BootId> {
    let mut id = [0; 16];
    if digits.len() != 2 * id.len() {
        return None;
    }
    let (words, _) = digits.as_chunks::<8>();
    for (bytes, word) in id.as_chunks_mut::<4>().0.iter_mut().zip(words) {
        *bytes = eight_digits(*word)?.to_be_bytes();
    }
    Some(BootId(id))
}

/// The value of eight lower case hex digits, looked at as one word: a meta has hundreds of them.
fn eight_digits(digits: [u8; 8]) -> Option<u32> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let word = u64::from_be_bytes(digits);
    // A letter has this bit, a digit has not; what is neither is not what its value is written as.
    let letters = word >> 6 & ONES;
    let values = (word & (0x0f * ONES)) + 9 * letters;
    let are_above_nine = (values + 6 * ONES) >> 4 & ONES;
    let written = values + u64::from(b'0') * ONES + u64::from(b'a' - b'9' - 1) * are_above_nine;
    if values & (0xf0 * ONES) != 0 || written != word {
        return None;
    }
    let pairs = (values | values >> 4) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs | pairs >> 8) & 0x0000_ffff_0000_ffff;
    u32::try_from((fours | fours >> 16) & 0xffff_ffff).ok()
}

const HEX_DIGITS: &[u8; 16] = b"0123456789abcdef";

fn hex_digit(value: u8) -> u8 {
    HEX_DIGITS
        .get(usize::from(value & 15))
        .copied()
        .unwrap_or(b'0')
}

/// A text of fixed size, filled from the front.
pub(crate) struct Text<const SIZE: usize> {
    bytes: [u8; SIZE],
    used: usize,
}

impl<const SIZE: usize> Text<SIZE> {
    /// Spaces.
    pub(crate) fn new() -> Self {
        Self {
            bytes: [b' '; SIZE],
            used: 0,
        }
    }

    /// The text, spaces where nothing was pushed.
    pub(crate) fn bytes(&self) -> &[u8; SIZE] {
        &self.bytes
    }

    /// Goes on at this offset, behind all that was pushed.
    pub(crate) fn go_to(&mut self, offset: usize) {
        debug_assert!(self.used <= offset, "what was pushed stays");
        self.used = offset;
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let room = self.bytes.get_mut(self.used..self.used + bytes.len());
        room.expect("the size of the text bounds what is pushed")
            .copy_from_slice(bytes);
        self.used += bytes.len();
    }

    pub(crate) fn push_decimal(&mut self, number: u64) {
        let mut digits = [b'0'; 20];
        let mut rest = number;
        let mut first = digits.len();
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + u8::try_from(rest % 10).expect("a digit is below 10");
            rest /= 10;
            first -= 1;
            if rest == 0 {
                break;
            }
        }
        self.push(digits.get(first..).unwrap_or_default());
    }

    pub(crate) fn push_hex(&mut self, bytes: &[u8]) {
        let room = self.bytes.get_mut(self.used..self.used + 2 * bytes.len());
        let room = room.expect("the size of the text bounds what is pushed");
        for (pair, byte) in room.as_chunks_mut::<2>().0.iter_mut().zip(bytes) {
            *pair = [hex_digit(byte >> 4), hex_digit(*byte)];
        }
        self.used += 2 * bytes.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand, one digit after the other.
    fn value(digits: &[u8]) -> Option<u64> {
        let text = std::str::from_utf8(digits).ok()?;
        let is_canonical = text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        u64::from_str_radix(text, 16).ok().filter(|_| is_canonical)
    }

    #[test]
    fn every_byte_in_every_place_is_a_digit_or_none() {
        let digits = *b"0189abef76543210";
        for place in 0..16 {
            for byte in 0..=u8::MAX {
                let mut digits = digits;
                digits[place] = byte;
                assert_eq!(parse_hex(&digits, 16), value(&digits), "{digits:?}");
                assert_eq!(
                    parse_hex(&digits[..8], 8),
                    value(&digits[..8]),
                    "{digits:?}"
                );
            }
        }
        assert_eq!(parse_hex(&digits[..15], 16), None);
        assert_eq!(parse_hex(&digits, 8), None);
    }

    #[test]
    fn a_boot_comes_back() {
        let id = BootId(*b"\x00\x01\x7f\x80\xfe\xff\xab\xcd0123456\x9a");
        let mut text = Text::<32>::new();
        text.push_hex(&id.0);
        assert_eq!(parse_boot(text.bytes()), Some(id));
        for place in 0..32 {
            let mut digits = *text.bytes();
            digits[place] = b'g';
            assert_eq!(parse_boot(&digits), None, "{place}");
        }
        assert_eq!(parse_boot(&text.bytes()[..31]), None);
    }
}
