//! The table of disks, one small file each.

mod btrfs;
mod ext2_like;
mod ext4_noauto_da;
mod ext4_ordered;
mod ext4_writeback;
mod lying_disk;
mod macos_fsync;
mod posix_min;
mod shared;
mod strict_prefix;
mod xfs;

pub(crate) use btrfs::BTRFS;
pub(crate) use ext2_like::EXT2_LIKE;
pub(crate) use ext4_noauto_da::EXT4_NOAUTO_DA;
pub(crate) use ext4_ordered::EXT4_ORDERED;
pub(crate) use ext4_writeback::EXT4_WRITEBACK;
pub(crate) use lying_disk::LYING_DISK;
pub(crate) use macos_fsync::MACOS_FSYNC;
pub(crate) use posix_min::POSIX_MIN;
pub(crate) use strict_prefix::STRICT_PREFIX;
pub(crate) use xfs::XFS;
