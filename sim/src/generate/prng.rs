//! The only random numbers there are: their stream is part of the scenario format, so it never
//! changes with a library.

/// A generator of the SplitMix64 family; equal seeds give equal streams.
#[derive(Debug, Clone)]
pub struct Prng {
    state: u64,
}

impl Prng {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// A stream of its own, told apart by a name: what is drawn from it changes nothing in others.
    #[must_use]
    pub fn named(seed: u64, name: &str) -> Self {
        let start = 0xcbf2_9ce4_8422_2325 ^ mixed(seed);
        let hash = name.bytes().fold(start, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self { state: mixed(hash) }
    }

    /// The next 64 bits.
    pub fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.state)
    }

    /// A number below `bound`, every one equally likely up to one part in 2^32.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "there is no number below 0");
        let high = (u128::from(self.draw()) * u128::from(bound)) >> 64;
        u32::try_from(high).expect("it is below a bound of 32 bits")
    }
}

/// Spreads every bit over all.
fn mixed(word: u64) -> u64 {
    let mut word = word;
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_never_changes() {
        let mut prng = Prng::new(1);
        let stream: Vec<u64> = (0..3).map(|_| prng.draw()).collect();
        let expected = [
            0x910a_2dec_8902_5cc1,
            0xbeeb_8da1_658e_ec67,
            0xf893_a2ee_fb32_555e,
        ];
        assert_eq!(stream, expected);
    }

    #[test]
    fn named_streams_differ() {
        let first = Prng::named(1, "sizes").draw();
        assert_ne!(first, Prng::named(1, "steps").draw());
        assert_ne!(first, Prng::named(2, "sizes").draw());
        assert_eq!(first, Prng::named(1, "sizes").draw());
    }

    #[test]
    fn every_number_below_the_bound_comes() {
        let mut prng = Prng::new(7);
        let mut seen = [0_u32; 5];
        for _ in 0..1000 {
            seen[prng.below(5) as usize] += 1;
        }
        assert!(seen.iter().all(|count| *count > 150), "{seen:?}");
    }
}
