//! The table of disks, one small file each.

mod btrfs;
mod ext4_ordered;
mod ext4_writeback;
mod posix_min;
mod shared;
mod strict_prefix;
mod xfs;

pub(crate) use btrfs::BTRFS;
pub(crate) use ext4_ordered::EXT4_ORDERED;
pub(crate) use ext4_writeback::EXT4_WRITEBACK;
pub(crate) use posix_min::POSIX_MIN;
pub(crate) use strict_prefix::STRICT_PREFIX;
pub(crate) use xfs::XFS;
