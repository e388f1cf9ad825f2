//! [`Case`]: one thing that is measured; [`Ratio`]: what two of them have to do with each other;
//! [`Suite`]: those of one file.

use super::super::failure::Failure;

/// Measures once.
type Measure = Box<dyn Fn() -> Result<f64, Failure>>;

/// Everything that one file measures.
#[derive(Default)]
pub(super) struct Suite {
    /// Measured once in every round, in this order.
    pub(super) cases: Vec<Case>,
    /// Computed in every round.
    pub(super) ratios: Vec<Ratio>,
}

impl Suite {
    /// Drops all but some cases, and ratios that miss a case.
    pub(super) fn keep(&mut self, is_kept: impl Fn(&Case) -> bool) {
        self.cases.retain(is_kept);
        let is_there = |name: &str| self.cases.iter().any(|case| case.name == name);
        self.ratios
            .retain(|ratio| is_there(&ratio.over) && is_there(&ratio.under));
    }

    /// Keeps what the ratios with a floor are made of, and these.
    pub(super) fn keep_floors(&mut self) {
        self.ratios.retain(|ratio| ratio.floor.is_some());
        let ratios = &self.ratios;
        self.cases.retain(|case| {
            let mut needed = ratios.iter();
            needed.any(|ratio| ratio.over == case.name || ratio.under == case.name)
        });
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
    /// It takes long enough to need no median: only the first rounds measure it.
    pub(super) rounds_max: usize,
    /// It takes minutes: measured only where that was asked for.
    pub(super) is_long: bool,
    /// One measurement.
    pub(super) measure: Measure,
}

impl Case {
    /// A case without a goal, measured in every round.
    pub(super) fn new(
        name: impl Into<String>,
        unit: &'static str,
        measure: impl Fn() -> Result<f64, Failure> + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            unit,
            goal: None,
            rounds_max: usize::MAX,
            is_long: false,
            measure: Box::new(measure),
        }
    }

    /// A ratio that is measured as one.
    pub(super) fn of_times(
        name: impl Into<String>,
        goal: Option<Goal>,
        measure: impl Fn() -> Result<f64, Failure> + 'static,
    ) -> Self {
        Self {
            goal,
            ..Self::new(name, "times", measure)
        }
    }

    /// With a goal.
    pub(super) fn with_goal(mut self, goal: Goal) -> Self {
        self.goal = Some(goal);
        self
    }

    /// Measured in so many rounds only.
    pub(super) fn in_rounds(mut self, rounds_max: usize) -> Self {
        self.rounds_max = rounds_max;
        self
    }
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
    /// What it never falls below, on any machine: `bench --check` fails there.
    pub(super) floor: Option<f64>,
}

impl Ratio {
    /// A ratio of two cases without a goal.
    pub(super) fn new(
        name: impl Into<String>,
        over: impl Into<String>,
        under: impl Into<String>,
    ) -> Self {
        Self {
            name: name.into(),
            over: over.into(),
            under: under.into(),
            goal: None,
            floor: None,
        }
    }

    /// With a goal.
    pub(super) fn with_goal(mut self, goal: Goal) -> Self {
        self.goal = Some(goal);
        self
    }

    /// With a floor.
    pub(super) fn with_floor(mut self, floor: f64) -> Self {
        self.floor = Some(floor);
        self
    }
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
