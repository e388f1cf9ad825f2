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

/// Exactly `count` lower case hex digits, 16 at most.
pub(crate) fn parse_hex(digits: &[u8], count: usize) -> Option<u64> {
    debug_assert!(count <= 16, "16 digits fill 64 bits");
    if digits.len() != count {
        return None;
    }
    let (mut number, mut all) = (0, 0);
    for digit in digits {
        let value = hex_value(*digit);
        number = number << 4 | u64::from(value);
        all |= value;
    }
    (all < NO_DIGIT).then_some(number)
}

pub(crate) fn parse_boot(digits: &[u8]) -> Option<BootId> {
    let mut id = [0; 16];
    if digits.len() != 2 * id.len() {
        return None;
    }
    let mut all = 0;
    for (byte, [high, low]) in id.iter_mut().zip(digits.as_chunks::<2>().0) {
        let (high, low) = (hex_value(*high), hex_value(*low));
        *byte = high << 4 | low;
        all |= high | low;
    }
    (all < NO_DIGIT).then_some(BootId(id))
}

const HEX_DIGITS: &[u8; 16] = b"0123456789abcdef";

/// What a byte that is no digit has for a value: digits have less, also several or-ed together.
const NO_DIGIT: u8 = 16;

/// The value of every byte as a lower case hex digit.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const HEX_VALUES: [u8; 256] = {
    let mut values = [NO_DIGIT; 256];
    let mut value: u8 = 0;
    while value < NO_DIGIT {
        values[HEX_DIGITS[value as usize] as usize] = value;
        value += 1;
    }
    values
};

fn hex_value(digit: u8) -> u8 {
    HEX_VALUES
        .get(usize::from(digit))
        .copied()
        .unwrap_or(NO_DIGIT)
}

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
