//! The sidecar of a finished segment: `COUNT\nSTART,END\n`, the count at its end and the virtual
//! offsets of its start and end. A cache: a wrong one is derived from what else there is.

use super::noted::decimals;

/// What a sidecar tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sidecar {
    /// Messages put before the end of the segment.
    pub count: u64,
    /// The virtual offset of its first byte.
    pub start: u64,
    /// The virtual offset behind its last byte.
    pub end: u64,
}

/// Judges a whole file; `None` for anything but a sidecar whose end is not before its start.
#[must_use]
pub fn parse(bytes: &[u8]) -> Option<Sidecar> {
    let [count, start, end] = decimals(bytes, b"\n,\n")?;
    (start <= end).then_some(Sidecar { count, start, end })
}

/// The bytes of a sidecar.
#[must_use]
pub fn encode(sidecar: &Sidecar) -> Vec<u8> {
    let Sidecar { count, start, end } = sidecar;
    format!("{count}\n{start},{end}\n").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_ones_count() {
        let sidecar = parse(b"20\n0,1082\n").expect("it is whole");
        assert_eq!(encode(&sidecar), b"20\n0,1082\n");
        for wrong in [
            &b""[..],
            b"20\n0,108",
            b"20\n9,8\n",
            b"20\n0,1082\n\n",
            b"2 0\n0,1\n",
        ] {
            assert_eq!(parse(wrong), None, "{}", wrong.escape_ascii());
        }
    }
}
