//! Which operations an engine has, as far as scenarios are concerned.

/// The operations to generate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abilities {
    /// `put_batch`
    pub batch: bool,
    /// `peek`
    pub peek: bool,
    /// `empty` and `delete`
    pub empty: bool,
    /// `sync`
    pub sync: bool,
    /// `tick`, and `sync_every`
    pub owed: bool,
    /// `open_read_only`
    pub look: bool,
    /// Work is done after it was acknowledged, in a step of its own after every other.
    pub settle: bool,
    /// Rolls segments and refuses sizes.
    pub segments: bool,
    /// Keeps messages that are too short to carry a number.
    pub short: bool,
}

impl Abilities {
    /// Those of an engine by its name; a name that is not known has all of a FIFO queue.
    #[must_use]
    pub fn of(engine: &str) -> Self {
        let all = Self {
            batch: true,
            peek: true,
            empty: true,
            sync: true,
            owed: true,
            look: true,
            settle: false,
            segments: true,
            short: true,
        };
        match engine {
            "toylog" => Self {
                batch: false,
                peek: false,
                empty: false,
                owed: false,
                look: false,
                segments: false,
                short: false,
                ..all
            },
            "original-diskqueue" => Self {
                batch: false,
                peek: false,
                sync: false,
                look: false,
                settle: true,
                ..all
            },
            _ => all,
        }
    }
}
