//! What a fault that fired means for judging, by its kind's name and the file it hit.

/// A fault that fired during a step, as far as judging needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultNote {
    /// A call failed.
    Call,
    /// A call failed for want of space.
    Full,
    /// The sync of a segment failed, and the page cache keeps the bytes.
    SyncFailed,
    /// The sync of a segment failed, and the page cache has lost the bytes.
    SyncTookBack,
    /// The sync of sums failed, and the page cache has lost them: where the boot has no name, what
    /// no sum vouches for is gone, and everywhere an empty message is, whose bytes are zeros.
    SumsTookBack,
    /// The sync of another file failed.
    OtherSyncFailed,
    /// A later sync of a file will fail, without another note.
    SyncFailsLater,
    /// Bytes were read or written wrongly, and nobody was told: from here on the damage rule
    /// holds.
    Corrupted,
}

impl FaultNote {
    /// What a fault of the kind `kind` on the file `file_name` means. `None` for those that excuse
    /// nothing: short transfers, and a boot that has no name.
    #[must_use]
    pub fn of(kind: &str, file_name: &str) -> Option<Self> {
        let is_segment = file_name
            .strip_suffix(".dat")
            .and_then(|stem| stem.rsplit_once('.'))
            .is_some_and(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
        match (kind, is_segment) {
            ("short-read" | "short-write" | "boot-unknown", _) => None,
            ("enospc" | "edquot" | "full-disk" | "full-quota", _) => Some(Self::Full),
            ("bit-flip" | "misdirected-write", _) => Some(Self::Corrupted),
            ("sync-next", _) => Some(Self::SyncFailsLater),
            ("sync-clean", true) => Some(Self::SyncFailed),
            ("sync-reverted", true) => Some(Self::SyncTookBack),
            ("sync-reverted", false) if file_name.ends_with(".sums") => Some(Self::SumsTookBack),
            ("sync-clean" | "sync-reverted", false) => Some(Self::OtherSyncFailed),
            _ => Some(Self::Call),
        }
    }

    /// Whether messages that no sync covered may be gone after a kill, too; bytes that are there
    /// count by themselves or only with their sums.
    pub(crate) fn takes_back(self, bytes_count: bool) -> bool {
        self == Self::SyncTookBack || (self == Self::SumsTookBack && !bytes_count)
    }

    /// Whether the sync of a file failed.
    #[must_use]
    pub fn is_sync(self) -> bool {
        match self {
            Self::SyncFailed
            | Self::SyncTookBack
            | Self::SumsTookBack
            | Self::OtherSyncFailed
            | Self::SyncFailsLater => true,
            Self::Call | Self::Full | Self::Corrupted => false,
        }
    }

    /// Whether the sync of a segment failed.
    #[must_use]
    pub fn is_segment_sync(self) -> bool {
        matches!(self, Self::SyncFailed | Self::SyncTookBack)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_files_tell_what_it_means() {
        let cases = [
            ("eio", "q.diskqueue.000000.dat", Some(FaultNote::Call)),
            ("full-disk", "q.diskqueue.000000.dat", Some(FaultNote::Full)),
            ("edquot", "q.diskqueue.lock", Some(FaultNote::Full)),
            (
                "sync-clean",
                "q.diskqueue.000000.dat",
                Some(FaultNote::SyncFailed),
            ),
            (
                "sync-clean",
                "q.diskqueue.meta.spare",
                Some(FaultNote::OtherSyncFailed),
            ),
            (
                "sync-clean",
                "q.diskqueue.meta.dat",
                Some(FaultNote::OtherSyncFailed),
            ),
            (
                "sync-reverted",
                "q.diskqueue.000009.dat",
                Some(FaultNote::SyncTookBack),
            ),
            (
                "sync-next",
                "q.diskqueue.000000.dat",
                Some(FaultNote::SyncFailsLater),
            ),
            (
                "bit-flip",
                "q.diskqueue.000000.dat",
                Some(FaultNote::Corrupted),
            ),
            (
                "sync-reverted",
                "q.diskqueue.000000.sums",
                Some(FaultNote::SumsTookBack),
            ),
            (
                "sync-clean",
                "q.diskqueue.000000.sums",
                Some(FaultNote::OtherSyncFailed),
            ),
            ("short-write", "q.diskqueue.000000.dat", None),
            ("boot-unknown", "", None),
        ];
        for (kind, file, expected) in cases {
            assert_eq!(FaultNote::of(kind, file), expected, "{kind} {file}");
        }
    }
}
