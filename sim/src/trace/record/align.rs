//! Lays what is left over what should be left: the longest common run of messages, in order.

/// For each of `found`, the place in `wanted` that it stands for, if any; places grow. Where there
/// is a choice, as many as possible are of the wanted ones from `prefer_from` on, and the later
/// one of two equals is taken.
pub(super) fn align(found: &[&[u8]], wanted: &[&[u8]], prefer_from: usize) -> Vec<Option<usize>> {
    let width = wanted.len() + 1;
    // `best` of (i, j): the most that found[..i] and wanted[..j] have in common.
    let mut best = vec![0_u32; (found.len() + 1) * width];
    let at = |i: usize, j: usize| i * width + j;
    let get = |best: &[u32], i: usize, j: usize| best.get(at(i, j)).copied().unwrap_or(0);
    let weight = |j: usize| if j >= prefer_from { 2 } else { 1 };
    for (i, one) in found.iter().enumerate() {
        for (j, other) in wanted.iter().enumerate() {
            let mut most = get(&best, i, j + 1).max(get(&best, i + 1, j));
            if one == other {
                most = most.max(get(&best, i, j) + weight(j));
            }
            if let Some(slot) = best.get_mut(at(i + 1, j + 1)) {
                *slot = most;
            }
        }
    }
    let mut places = vec![None; found.len()];
    let (mut i, mut j) = (found.len(), wanted.len());
    while i > 0 && j > 0 {
        let here = get(&best, i, j);
        let same = found.get(i - 1) == wanted.get(j - 1);
        if same && here == get(&best, i - 1, j - 1) + weight(j - 1) {
            if let Some(place) = places.get_mut(i - 1) {
                *place = Some(j - 1);
            }
            (i, j) = (i - 1, j - 1);
        } else if here == get(&best, i - 1, j) {
            i -= 1;
        } else {
            j -= 1;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_and_what_is_new() {
        let wanted: [&[u8]; 4] = [b"a", b"b", b"c", b"d"];
        assert_eq!(
            align(&[b"b", b"x", b"d"], &wanted, 0),
            [Some(1), None, Some(3)]
        );
    }

    #[test]
    fn equal_messages_are_the_later_ones() {
        assert_eq!(align(&[b"", b""], &[b"", b"", b""], 0), [Some(1), Some(2)]);
        assert_eq!(align(&[b"a"], &[b"a", b"b", b"a"], 2), [Some(2)]);
    }

    #[test]
    fn what_must_come_is_preferred() {
        let wanted: [&[u8]; 4] = [b"a", b"b", b"a", b"c"];
        assert_eq!(align(&[b"a", b"c"], &wanted, 2), [Some(2), Some(3)]);
    }
}
