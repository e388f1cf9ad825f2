//! The kinds of faults and damage there are, for `list faults` and for counting what fired.

/// One kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindInfo {
    /// Its name; what [`super::Fired`] says.
    pub name: &'static str,
    /// What happens.
    pub text: &'static str,
    /// A line of a plan that asks for it (for damage: its text form).
    pub example: &'static str,
}

/// All kinds.
pub const KINDS: &[KindInfo] = &[
    KindInfo {
        name: "eio",
        text: "a call fails with EIO and has no effect",
        example: "2 read_at on *.dat: EIO",
    },
    KindInfo {
        name: "enospc",
        text: "a call fails with ENOSPC; a write possibly after some bytes: then it is short, and \
               the next one fails",
        example: "3 write_at on *.dat: ENOSPC after 100 bytes",
    },
    KindInfo {
        name: "edquot",
        text: "as enospc, with EDQUOT",
        example: "1 write_at on *.tmp: EDQUOT",
    },
    KindInfo {
        name: "full-disk",
        text: "only so much space is free from one call until another",
        example: "space: 8192 bytes from call 10 until call 60",
    },
    KindInfo {
        name: "full-quota",
        text: "as full-disk, with EDQUOT",
        example: "quota: 4096 bytes until call 60",
    },
    KindInfo {
        name: "emfile",
        text: "an open fails since there are no descriptors left",
        example: "1-3 open on *: EMFILE",
    },
    KindInfo {
        name: "eacces",
        text: "a call is not permitted",
        example: "1- open on *.dat: EACCES",
    },
    KindInfo {
        name: "erofs",
        text: "every change fails, as on a disk that the kernel remounted for reading only",
        example: "5- change on *: EROFS",
    },
    KindInfo {
        name: "short-read",
        text: "a read gives fewer bytes than there are",
        example: "1- read_at on *.dat: short 10 bytes",
    },
    KindInfo {
        name: "short-write",
        text: "a write takes fewer bytes than it was given",
        example: "2 write_at on *: short 1 bytes",
    },
    KindInfo {
        name: "eintr",
        text: "a call is interrupted",
        example: "1-2 write_at on *: EINTR",
    },
    KindInfo {
        name: "sync-clean",
        text: "a sync fails; the cache keeps the new bytes and takes them for clean, so that no \
               later sync covers them (ext4, xfs)",
        example: "1 sync on *.dat: EIO, clean",
    },
    KindInfo {
        name: "sync-reverted",
        text: "a sync fails; the cache goes back to what was durable (btrfs)",
        example: "1 sync on *.dat: EIO, reverted",
    },
    KindInfo {
        name: "sync-next",
        text: "a sync succeeds, and the next one of the file fails as sync-clean (ext4 with \
               data=journal: the error of a later write-back is reported late)",
        example: "1 sync on *.dat: EIO, next",
    },
    KindInfo {
        name: "bad-sectors",
        text: "sectors of a file read EIO until they are written whole",
        example: "1 read_at on *.dat: bad sectors 0-1",
    },
    KindInfo {
        name: "bit-flip",
        text: "a read gives a wrong bit, and so does every later one until the sector is rewritten",
        example: "4 read_at on *.dat: bit flip",
    },
    KindInfo {
        name: "misdirected-write",
        text: "a write reports success but lands elsewhere in the file",
        example: "3 write_at on *.dat: misdirected by 512 bytes",
    },
    KindInfo {
        name: "boot-unknown",
        text: "the run of the machine has no name",
        example: "boot_id: unknown",
    },
    KindInfo {
        name: "damage-flip",
        text: "a bit of a file is changed",
        example: "flip bit 3 of byte 17 in a.dat",
    },
    KindInfo {
        name: "damage-cut",
        text: "a file is cut short",
        example: "cut at 100 in a.dat",
    },
    KindInfo {
        name: "damage-zeros",
        text: "a range of a file is zero",
        example: "zeros from 0 to 512 in a.dat",
    },
    KindInfo {
        name: "damage-remove",
        text: "a file is gone",
        example: "remove a.dat",
    },
    KindInfo {
        name: "damage-older",
        text: "a file is replaced by a copy of itself from an earlier moment",
        example: "older as of effect 12 in a.dat",
    },
    KindInfo {
        name: "damage-append",
        text: "zeros are appended to a file",
        example: "append 64 zeros in a.dat",
    },
];
