//! Defects of the shared handle, put back by name: each shows that the gate finds it alone, under
//! the clause that the table names. Off by default; each acts at one decision point.

/// One defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quirk {
    /// Messages that wait for their group are written last first.
    PutsSwapped,
    /// A put does not wake a blocked read.
    PutWakesNobody,
    /// A close does not wake a blocked read.
    CloseWakesNobody,
    /// Those that wait for their group return before its sync.
    AcknowledgedBeforeSync,
}

/// What `list quirks` shows of a quirk.
#[derive(Debug, Clone, Copy)]
pub struct QuirkInfo {
    /// The quirk.
    pub quirk: Quirk,
    /// The name that switches it on.
    pub name: &'static str,
    /// The clause that it breaks.
    pub clause: &'static str,
    /// What it does.
    pub text: &'static str,
}

/// All quirks, in the order of [`Quirk`].
pub const QUIRKS: &[QuirkInfo] = &[
    QuirkInfo {
        quirk: Quirk::PutsSwapped,
        name: "puts-swapped",
        clause: "Q13",
        text: "messages of a producer that waits for others are written last first",
    },
    QuirkInfo {
        quirk: Quirk::PutWakesNobody,
        name: "put-wakes-nobody",
        clause: "Q13",
        text: "a put does not wake a blocked read",
    },
    QuirkInfo {
        quirk: Quirk::CloseWakesNobody,
        name: "close-wakes-nobody",
        clause: "Q13",
        text: "a close does not wake a blocked read",
    },
    QuirkInfo {
        quirk: Quirk::AcknowledgedBeforeSync,
        name: "acknowledged-before-sync",
        clause: "Q11",
        text: "producers whose messages others write return before the group's sync",
    },
];

/// A set of quirks; empty by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Quirks(u8);

impl Quirks {
    /// The set with this one added.
    #[must_use]
    pub const fn with(self, quirk: Quirk) -> Self {
        Self(self.0 | 1 << quirk as u8)
    }

    /// Whether it is switched on.
    #[must_use]
    pub const fn has(self, quirk: Quirk) -> bool {
        self.0 & 1 << quirk as u8 != 0
    }

    /// The set of the quirks with these names.
    ///
    /// # Errors
    /// The first name that is no quirk's.
    pub fn parse<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        names.into_iter().try_fold(Self::default(), |set, name| {
            let info = QUIRKS.iter().find(|info| info.name == name);
            let info = info.ok_or_else(|| name.to_owned())?;
            Ok(set.with(info.quirk))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_complete_and_in_order() {
        for (index, info) in QUIRKS.iter().enumerate() {
            assert_eq!(info.quirk as usize, index, "{}", info.name);
            let set = Quirks::parse([info.name]).unwrap();
            for other in QUIRKS {
                assert_eq!(set.has(other.quirk), other.quirk == info.quirk);
            }
        }
        assert_eq!(QUIRKS.len(), Quirk::AcknowledgedBeforeSync as usize + 1);
        assert_eq!(Quirks::parse(["no-such"]), Err("no-such".to_owned()));
    }
}
