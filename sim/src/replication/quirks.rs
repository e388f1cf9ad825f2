//! Defects of replication that can be put back on purpose, each at one place.

/// A defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReplicationQuirk {
    /// A follower acknowledges what it only wrote.
    AckBeforeSync,
    /// A leader does not wait for a majority.
    AckAlone,
    /// A leader takes any acknowledgement for one of everything it has.
    AckOfAnything,
    /// A follower does not cut what another leader wrote.
    TailKept,
    /// A follower compares offsets only, not who wrote up to there.
    EpochUnchecked,
    /// A follower takes what a leader of an earlier epoch sends.
    OldLeaderHeard,
    /// The coordinator takes the longest log.
    LongestLeads,
    /// The commit log speaks of data that is not durable.
    CommitBeforeData,
    /// A follower behind the leader's start goes on at its own end.
    StartNotMoved,
}

/// What `list quirks` shows of a quirk.
#[derive(Debug, Clone, Copy)]
pub struct ReplicationQuirkInfo {
    /// The quirk.
    pub quirk: ReplicationQuirk,
    /// The name that switches it on.
    pub name: &'static str,
    /// The clause that it breaks.
    pub clause: &'static str,
    /// What it does, in one sentence without a full stop.
    pub text: &'static str,
}

macro_rules! quirks {
    ($($quirk:ident $name:literal $clause:literal $text:literal)*) => {
        /// All quirks of replication.
        pub const REPLICATION_QUIRKS: &[ReplicationQuirkInfo] = &[$(ReplicationQuirkInfo {
            quirk: ReplicationQuirk::$quirk,
            name: $name,
            clause: $clause,
            text: $text,
        }),*];
    };
}

quirks! {
    AckBeforeSync "replication-ack-before-sync" "R2"
        "a follower acknowledges what it wrote but did not sync"
    AckAlone "replication-ack-alone" "R2"
        "a leader acknowledges a put once it is durable on its own disk"
    AckOfAnything "replication-ack-of-anything" "R2"
        "a leader takes every acknowledgement of a follower for one of its whole log"
    TailKept "replication-tail-kept" "R1"
        "a follower appends behind what another leader wrote instead of cutting it first"
    EpochUnchecked "replication-epoch-unchecked" "R1"
        "a follower takes its log for the leader's where only the offset and count agree"
    OldLeaderHeard "replication-old-leader-heard" "R2"
        "a follower takes messages from the leader of an earlier epoch"
    LongestLeads "replication-longest-leads" "R2"
        "the coordinator names the replica with the longest log, whoever wrote it"
    CommitBeforeData "replication-commit-before-data" "L2"
        "a replica writes its commit log first and syncs no data"
    StartNotMoved "replication-start-not-moved" "R3"
        "a follower behind the leader's queue start goes on at its own end, without a new start"
}

/// The quirks that are on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Quirks(u32);

impl Quirks {
    /// The quirks of these names.
    ///
    /// # Errors
    /// The first name that is none.
    pub(crate) fn parse<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        names.into_iter().try_fold(Self::default(), |set, name| {
            REPLICATION_QUIRKS
                .iter()
                .find(|info| info.name == name)
                .map(|info| Self(set.0 | 1 << info.quirk as u32))
                .ok_or_else(|| name.to_owned())
        })
    }

    pub(super) fn has(self, quirk: ReplicationQuirk) -> bool {
        self.0 & 1 << quirk as u32 != 0
    }
}
