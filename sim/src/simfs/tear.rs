//! How a write is cut into the pieces that a crash keeps or loses one by one.
//!
//! A disk writes sectors; a kernel copies and accounts by pages. A small write is cut at every
//! sector. A larger one, unless every sector is asked for, is cut into its first sector, the rest
//! of its first page, the whole pages between, and its last page (in a write within one page: its
//! last sector), since states grow with two to the number of pieces. The size of a file that grows
//! passes through the last page border within the write, as a write that is cut short leaves it.

use super::sector::SECTOR_BYTES;

/// The unit in which a kernel caches files, in bytes.
pub const PAGE_BYTES: u64 = 4096;

const SECTOR: u64 = SECTOR_BYTES as u64;
const PAGE_SECTORS: u64 = PAGE_BYTES / SECTOR;

/// Writes of more sectors than this are cut into few pieces.
const SINGLE_SECTORS_MAX: u64 = 3;

/// How finely writes are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tearing {
    /// Large writes into few pieces.
    #[default]
    Pieces,
    /// Every write at every sector.
    EverySector,
}

/// A piece of a write: sectors, and whether the file's size passes through its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) first: u64,
    pub(crate) end: u64,
    pub(crate) size_step: bool,
}

/// Cuts the write of the bytes `start..end`, which is not empty.
pub(crate) fn pieces(start: u64, end: u64, tearing: Tearing, mut each: impl FnMut(Piece)) {
    let (first, last) = (start / SECTOR, end.div_ceil(SECTOR));
    if last - first == 1 {
        each(Piece {
            first,
            end: last,
            size_step: true,
        });
        return;
    }
    let single = tearing == Tearing::EverySector || last - first <= SINGLE_SECTORS_MAX;
    let last_page = (end - 1) / PAGE_BYTES * PAGE_SECTORS;
    let mut at = first;
    while at < last {
        let page_end = (at / PAGE_SECTORS + 1) * PAGE_SECTORS;
        let next = if single || at == first {
            at + 1
        } else if at >= last_page {
            // The last page of several is one piece; a write within one page ends with a sector.
            if first >= last_page && at < last - 1 {
                last - 1
            } else {
                last
            }
        } else if at < (first / PAGE_SECTORS + 1) * PAGE_SECTORS {
            page_end.min(last_page)
        } else {
            last_page
        };
        let border = next.is_multiple_of(PAGE_SECTORS);
        let size_step =
            next == last || border && (tearing == Tearing::EverySector || next == last_page);
        each(Piece {
            first: at,
            end: next,
            size_step,
        });
        at = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(start: u64, end: u64, tearing: Tearing) -> Vec<(u64, u64, bool)> {
        let mut all = Vec::new();
        pieces(start, end, tearing, |piece| {
            all.push((piece.first, piece.end, piece.size_step));
        });
        all
    }

    #[test]
    fn small_writes_are_cut_at_every_sector() {
        assert_eq!(cut(0, 72, Tearing::Pieces), [(0, 1, true)]);
        assert_eq!(
            cut(500, 572, Tearing::Pieces),
            [(0, 1, false), (1, 2, true)]
        );
        assert_eq!(
            cut(4090, 4100, Tearing::Pieces),
            [(7, 8, true), (8, 9, true)]
        );
    }

    #[test]
    fn large_writes_are_cut_into_few_pieces() {
        assert_eq!(
            cut(0, 4096, Tearing::Pieces),
            [(0, 1, false), (1, 7, false), (7, 8, true)]
        );
        assert_eq!(
            cut(72, 65_608, Tearing::Pieces),
            [
                (0, 1, false),
                (1, 8, false),
                (8, 128, true),
                (128, 129, true)
            ]
        );
        assert_eq!(
            cut(1024, 5200, Tearing::Pieces),
            [(2, 3, false), (3, 8, true), (8, 11, true)]
        );
    }

    #[test]
    fn every_sector_means_every_sector_and_every_page_border() {
        let all = cut(0, 8192 + 1, Tearing::EverySector);
        assert_eq!(all.len(), 17);
        assert_eq!(all.iter().filter(|piece| piece.2).count(), 3);
    }
}
