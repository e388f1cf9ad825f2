//! [`Case`]: one thing that is measured; [`Ratio`]: what two of them have to do with each other;
//! [`Suite`]: those of one file.

use super::super::failure::Failure;

/// Measures once.
type Measure = Box<dyn Fn() -> Result<f64, Failure>>;

/// Everything that one file measures.
pub(super) struct Suite {
    /// Measured once in every round, in this order.
    pub(super) cases: Vec<Case>,
    /// Computed in every round.
    pub(super) ratios: Vec<Ratio>,
}

impl Suite {
    /// Drops the cases that do not have `part` in their name, and ratios that miss a case.
    pub(super) fn keep(&mut self, part: &str) {
        self.cases.retain(|case| case.name.contains(part));
        let is_there = |name: &str| self.cases.iter().any(|case| case.name == name);
        self.ratios
            .retain(|ratio| is_there(&ratio.over) && is_there(&ratio.under));
    }
}

/// One thing that is measured.
pub(super) struct Case {
    /// Unique among all suites.
    pub(super) name: String,
    /// Of the value.
    pub(super) unit: &'static str,
    /// On a quiet machine of today.
    pub(super) goal: Option<Goal>,
    /// One measurement.
    pub(super) measure: Measure,
}

/// The value of one case divided by that of another, taken in the same round.
pub(super) struct Ratio {
    /// Unique among all suites.
    pub(super) name: String,
    /// The case above the line.
    pub(super) over: String,
    /// The case below the line.
    pub(super) under: String,
    /// What it should be.
    pub(super) goal: Option<Goal>,
}

/// What a value should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Goal {
    /// This or more.
    AtLeast(f64),
    /// This or less.
    AtMost(f64),
}

impl Goal {
    /// Whether `value` is what it should be.
    pub(super) fn is_met(self, value: f64) -> bool {
        match self {
            Self::AtLeast(least) => value >= least,
            Self::AtMost(most) => value <= most,
        }
    }

    /// The number in it.
    pub(super) fn value(self) -> f64 {
        match self {
            Self::AtLeast(value) | Self::AtMost(value) => value,
        }
    }
}
