//! Rules that several disks have in common.

use crate::simfs::{Data, Effect, EffectKind, Size, Sync, SyncOutcome};

/// The sync of an effect that is a successful one.
pub(crate) fn done(sync: &Effect) -> Option<&Sync> {
    sync.kind
        .sync()
        .filter(|sync| sync.outcome == SyncOutcome::Done)
}

/// What POSIX promises: a file's bytes and size, or a directory's names.
pub(crate) fn covers_own(sync: &Effect, effect: &EffectKind) -> bool {
    let Some(sync) = done(sync) else {
        return false;
    };
    match effect {
        EffectKind::Data(_) | EffectKind::Size(_) => effect.file() == Some(sync.inode),
        EffectKind::Link(link) => sync.is_directory && link.directory == sync.inode,
        EffectKind::Unlink(unlink) => sync.is_directory && unlink.directory == sync.inode,
        EffectKind::Sync(_) => false,
    }
}

/// As [`covers_own`], and the names that a file or directory got.
pub(crate) fn covers_own_and_names(sync: &Effect, effect: &EffectKind) -> bool {
    if let (Some(sync), EffectKind::Link(link)) = (done(sync), effect)
        && link.inode == sync.inode
    {
        return true;
    }
    covers_own(sync, effect)
}

/// The two halves of one rename.
pub(crate) fn is_rename(first: &EffectKind, second: &EffectKind) -> bool {
    matches!(
        (first, second),
        (EffectKind::Link(link), EffectKind::Unlink(unlink))
            if link.renamed_from == Some(unlink.directory)
                && unlink.renamed_to == Some(link.directory)
                && link.inode == unlink.inode
    )
}

/// A size that a journal commits in order: a cut or growth by `set_size`. One that a write brings
/// follows the allocation of its blocks, later and in no order.
pub(crate) fn is_journaled(effect: &EffectKind) -> bool {
    match effect {
        EffectKind::Link(_) | EffectKind::Unlink(_) => true,
        EffectKind::Size(size) => !size.written,
        EffectKind::Data(_) | EffectKind::Sync(_) => false,
    }
}

/// One journal: names, cuts and growths in one order; a write's size after the names and cuts
/// that were there before it; bytes after the cut that freed the blocks of their place.
pub(crate) fn journal_order(first: &EffectKind, second: &EffectKind) -> bool {
    is_cut_before(first, second)
        || is_journaled(first)
            && matches!(
                second,
                EffectKind::Size(_) | EffectKind::Link(_) | EffectKind::Unlink(_)
            )
}

/// A cut of a file, and bytes that were written behind it later.
pub(crate) fn is_cut_before(first: &EffectKind, second: &EffectKind) -> bool {
    matches!(
        (first, second),
        (EffectKind::Size(size), EffectKind::Data(data))
            if size.file == data.file && size.to < size.from && data.end > size.to
    )
}

/// Bytes and size of one file, where these are the two effects.
pub(crate) fn data_and_size<'a>(
    first: &'a EffectKind,
    second: &'a EffectKind,
) -> Option<(&'a Data, &'a Size)> {
    match (first, second) {
        (EffectKind::Data(data), EffectKind::Size(size)) if data.file == size.file => {
            Some((data, size))
        }
        _ => None,
    }
}

/// The file that a rename puts over an existing one.
pub(crate) fn renamed_over(effect: &EffectKind) -> Option<u32> {
    effect
        .link()
        .filter(|link| link.renamed_from.is_some() && link.replaced.is_some())
        .map(|link| link.inode)
}
