//! The names in a [`Layer`], through all layers below it.
#![expect(
    clippy::indexing_slicing,
    reason = "hot; indexes come from the tables of the same layer"
)]

use super::layer::Layer;
use super::name::{Name, NameRef};

/// Room for the names of a directory that is listed, before it grows.
const ENTRIES_FIRST: usize = 16;

impl Layer {
    /// What a name stands for.
    pub(crate) fn entry(&self, directory: u32, name: NameRef<'_>) -> Option<u32> {
        let mut layer = self;
        loop {
            if let Some(index) = layer.own_index(directory)
                && let Some(entry) = layer.nodes[index].entries.get(name)
            {
                return entry;
            }
            layer = layer.below.as_deref()?;
        }
    }

    /// The name as some layer holds it, so that its bytes are not copied; else a new one.
    pub(crate) fn held_name(&self, directory: u32, name: NameRef<'_>) -> Name {
        let mut layer = Some(self);
        while let Some(this) = layer {
            if let Some(index) = this.own_index(directory)
                && let Some(held) = this.nodes[index].entries.held(name)
            {
                return held.clone();
            }
            layer = this.below.as_deref();
        }
        name.to_name()
    }

    /// All names in a directory, sorted.
    pub(crate) fn entries(&self, directory: u32) -> Vec<(&Name, u32)> {
        let mut all: Vec<(&Name, u32)> = Vec::with_capacity(ENTRIES_FIRST);
        self.each_entry(directory, |name, inode| all.push((name, inode)));
        all.sort_unstable_by(|(left, _), (right, _)| left[..].cmp(&right[..]));
        all
    }

    /// All names in a directory, in any order.
    pub(crate) fn each_entry<'l>(&'l self, directory: u32, mut each: impl FnMut(&'l Name, u32)) {
        let mut layer = Some(self);
        while let Some(this) = layer {
            if let Some(index) = this.own_index(directory) {
                for (name, inode) in this.nodes[index].entries.present() {
                    if !self.is_hidden(this, directory, name) {
                        each(name, inode);
                    }
                }
            }
            layer = this.below.as_deref();
        }
    }

    /// Whether some layer from this one down to above `below` says something of a name.
    fn is_hidden(&self, below: &Self, directory: u32, name: &Name) -> bool {
        let mut layer = self;
        while !std::ptr::eq(layer, below) {
            if let Some(index) = layer.own_index(directory)
                && layer.nodes[index].entries.get(name.to_ref()).is_some()
            {
                return true;
            }
            let Some(next) = layer.below.as_deref() else {
                return false;
            };
            layer = next;
        }
        false
    }

    /// Lets a name stand for `inode`, or for nothing; keeps the inodes' lists of names.
    pub(crate) fn set_entry(&mut self, directory: u32, name: &Name, inode: Option<u32>) {
        let old = self.entry(directory, name.to_ref());
        self.replace_entry(directory, name, old, inode);
    }

    /// As [`Layer::set_entry`], where it is known what the name stands for.
    pub(super) fn replace_entry(
        &mut self,
        directory: u32,
        name: &Name,
        old: Option<u32>,
        new: Option<u32>,
    ) {
        if old == new {
            return;
        }
        if let Some(old) = old {
            self.touch(old)
                .names
                .retain(|(held_by, found)| *held_by != directory || found != name);
        }
        if let Some(new) = new {
            self.touch(new).names.push((directory, name.clone()));
        }
        self.touch(directory).entries.set(name, new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simfs::layer::{NodeKind, ROOT};
    use std::sync::Arc;

    #[test]
    fn an_upper_layer_hides_what_it_knows() {
        let names: Vec<Name> = (0..20_u8).map(|name| Name::new(&[name])).collect();
        let (mut lower, mut upper) = (Layer::with_root(), Layer::default());
        for inode in 2..200 {
            lower.insert(inode, NodeKind::File);
        }
        for (number, name) in (2..).zip(&names).step_by(2) {
            lower.set_entry(ROOT, name, Some(number));
        }
        upper.reset(Some(Arc::new(lower)));
        for (number, name) in (2..).zip(&names).step_by(3) {
            upper.set_entry(ROOT, name, (number % 4 > 0).then_some(100 + number));
        }
        let listed = upper.entries(ROOT);
        assert!(listed.is_sorted_by_key(|(name, _)| name[..].to_vec()));
        assert_eq!(listed.len(), 11);
        for (number, name) in (2..).zip(&names) {
            let expected = match ((number - 2) % 3 == 0, number % 2 == 0) {
                (true, _) => (number % 4 > 0).then_some(100 + number),
                (false, true) => Some(number),
                (false, false) => None,
            };
            assert_eq!(upper.entry(ROOT, name.to_ref()), expected);
            let found = listed.iter().find(|(found, _)| *found == name);
            assert_eq!(found.map(|(_, inode)| *inode), expected);
        }
    }
}
