//! How much of what a crash may leave is looked at, and how much was.

/// Bounds of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Up to so many states at a position all are enumerated; beyond it the extremes are taken
    /// (`sample.rs`) and seeded samples.
    pub states_max: usize,
    /// Seeded samples at a position that is not enumerated.
    pub samples: usize,
    /// The walk ends after so many images.
    pub images_max: Option<u64>,
    /// Images after a kill with the same content are shown once for each durable part that they
    /// lie over and each set of pending effects: a power cut soon after tells them apart. Without
    /// it, once.
    pub kills_by_durable_part: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            states_max: 4096,
            samples: 64,
            images_max: None,
            kills_by_durable_part: true,
        }
    }
}

/// What a walk did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// Positions in the recording where a crash was looked at.
    pub points: u64,
    /// Of these, where all allowed states were looked at.
    pub points_enumerated: u64,
    /// Of these, where only some were.
    pub points_sampled: u64,
    /// (position, state) pairs.
    pub states_judged: u64,
    /// Images built, hashed and looked up.
    pub states_built: u64,
    /// Distinct images among them.
    pub images: u64,
    /// The most states at one position.
    pub states_at_a_point_max: u64,
    /// The walk ended early, at `Limits::images_max`.
    pub is_cut_short: bool,
}

impl Summary {
    /// Adds what another walk did.
    pub fn add(&mut self, other: &Self) {
        self.points += other.points;
        self.points_enumerated += other.points_enumerated;
        self.points_sampled += other.points_sampled;
        self.states_judged += other.states_judged;
        self.states_built += other.states_built;
        self.images += other.images;
        self.states_at_a_point_max = self.states_at_a_point_max.max(other.states_at_a_point_max);
        self.is_cut_short |= other.is_cut_short;
    }
}
