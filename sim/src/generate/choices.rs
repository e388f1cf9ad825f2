//! One source of choices. A generator asks "a number below N" and nothing else; who answers, a
//! seed, recorded bytes or a walk through all answers, it cannot tell.
//!
//! Choice 0 is always the simplest, so that shorter bytes make simpler scenarios.

use super::Prng;

#[derive(Debug)]
enum Source {
    Seed { seed: u64, prng: Prng },
    Bytes { bytes: Vec<u8>, position: usize },
    Walk { path: Vec<Turn>, position: usize },
}

/// A choice of a walk: what was taken, of how many.
#[derive(Debug, Clone, Copy)]
struct Turn {
    taken: u32,
    bound: u32,
}

/// Where a generator's choices come from.
#[derive(Debug)]
pub struct Choices {
    source: Source,
}

impl Choices {
    /// Random choices; equal seeds choose equally.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        Self {
            source: Source::Seed {
                seed,
                prng: Prng::new(seed),
            },
        }
    }

    /// Recorded choices; where they end, the simplest one is taken.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self {
            source: Source::Bytes {
                bytes: bytes.to_vec(),
                position: 0,
            },
        }
    }

    /// A number below `bound`.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "there is no number below 0");
        if bound == 1 {
            return 0;
        }
        match &mut self.source {
            Source::Seed { prng, .. } => prng.below(bound),
            Source::Bytes { bytes, position } => {
                let count = if bound <= 0x100 {
                    1
                } else if bound <= 0x1_0000 {
                    2
                } else {
                    4
                };
                let mut value = 0;
                for _ in 0..count {
                    let byte = bytes.get(*position).copied().unwrap_or(0);
                    *position += 1;
                    value = (value << 8) | u32::from(byte);
                }
                value % bound
            }
            Source::Walk { path, position } => {
                if *position == path.len() {
                    path.push(Turn { taken: 0, bound });
                }
                let turn = path.get(*position).copied();
                *position += 1;
                let turn = turn.expect("the path reaches the position");
                assert!(
                    turn.bound == bound,
                    "a generator must ask the same after the same answers"
                );
                turn.taken
            }
        }
    }

    /// A number from `low` to `high`, both included.
    ///
    /// # Panics
    /// If `high` is below `low`.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        assert!(low <= high, "there is no number between {low} and {high}");
        low + self.below(high - low + 1)
    }

    /// One of several.
    ///
    /// # Panics
    /// If there is none.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        let count = u32::try_from(from.len()).expect("lists of choices are short");
        let index = self.below(count);
        from.get(index as usize)
            .copied()
            .expect("the index is below the count")
    }

    /// An index by weight; a walk takes every index whose weight is not 0 once.
    ///
    /// # Panics
    /// If all weights are 0.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let possible: Vec<usize> = (0..weights.len())
            .filter(|index| weights.get(*index).is_some_and(|weight| *weight > 0))
            .collect();
        if !matches!(self.source, Source::Seed { .. }) {
            return self.pick(&possible);
        }
        let mut left = self.below(weights.iter().sum());
        for index in possible {
            let weight = weights.get(index).copied().unwrap_or(0);
            if left < weight {
                return index;
            }
            left -= weight;
        }
        unreachable!("the number drawn is below the sum of the weights")
    }

    /// Yes in `times` of `of` cases.
    pub fn chance(&mut self, times: u32, of: u32) -> bool {
        match &self.source {
            Source::Seed { .. } => self.below(of) >= of - times.min(of),
            Source::Bytes { .. } | Source::Walk { .. } => {
                times > 0 && (times >= of || self.below(2) == 1)
            }
        }
    }

    /// Makes choices from a stream of its own, told apart by a name: with a seed, changing what is
    /// drawn inside changes nothing outside. Bytes and walks have one stream.
    pub fn stream<T>(&mut self, name: &str, make: impl FnOnce(&mut Self) -> T) -> T {
        if let Source::Seed { seed, .. } = &self.source {
            let seed = Prng::named(*seed, name).draw();
            return make(&mut Self::from_seed(seed));
        }
        make(self)
    }
}

/// A walk through all choices of a generator: every call of [`Walk::next`] gives another result,
/// until all have been given.
#[derive(Debug, Default)]
pub struct Walk {
    path: Vec<Turn>,
    begun: bool,
}

impl Walk {
    /// A walk that has not begun.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The next result of `generate`; none when all choices were made.
    pub fn next<T>(&mut self, generate: impl FnOnce(&mut Choices) -> T) -> Option<T> {
        if self.begun && !self.advance() {
            return None;
        }
        self.begun = true;
        let source = Source::Walk {
            path: std::mem::take(&mut self.path),
            position: 0,
        };
        let mut choices = Choices { source };
        let result = generate(&mut choices);
        if let Source::Walk { path, .. } = choices.source {
            self.path = path;
        }
        Some(result)
    }

    /// Turns the last choice that has another answer; what came after it is asked anew.
    fn advance(&mut self) -> bool {
        while let Some(last) = self.path.last_mut() {
            if last.taken + 1 < last.bound {
                last.taken += 1;
                return true;
            }
            self.path.pop();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_takes_every_way_once() {
        let mut walk = Walk::new();
        let mut seen = Vec::new();
        while let Some(way) = walk.next(|choices| {
            let length = choices.below(3);
            (0..length).map(|_| choices.below(2)).collect::<Vec<_>>()
        }) {
            seen.push(way);
        }
        let expected: &[&[u32]] = &[&[], &[0], &[1], &[0, 0], &[0, 1], &[1, 0], &[1, 1]];
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_walk_ignores_weights_but_not_zero() {
        let mut walk = Walk::new();
        let mut seen = Vec::new();
        while let Some(index) = walk.next(|choices| choices.weighted(&[5, 0, 1])) {
            seen.push(index);
        }
        assert_eq!(seen, [0, 2]);
    }

    #[test]
    fn bytes_run_out_into_the_simplest() {
        let mut choices = Choices::from_bytes(&[7, 1, 2]);
        assert_eq!(choices.below(5), 2);
        assert_eq!(choices.below(1000), 0x102);
        assert_eq!(choices.below(1000), 0);
        assert!(!choices.chance(1, 2));
    }

    #[test]
    fn streams_do_not_disturb_each_other() {
        let draw = |inner: u32| {
            let mut choices = Choices::from_seed(9);
            choices.stream("inner", |choices| {
                (0..inner).map(|_| choices.below(10)).count()
            });
            choices.below(1_000_000)
        };
        assert_eq!(draw(1), draw(5));
    }

    #[test]
    fn chances_are_about_right() {
        let mut choices = Choices::from_seed(3);
        let count = (0..1000).filter(|_| choices.chance(1, 4)).count();
        assert!((200..300).contains(&count), "{count}");
    }
}
