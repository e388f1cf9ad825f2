//! What a process holds: open handles. A file without names lives as long as one of them.

use super::layer::NodeKind;
use super::state::Core;

impl Core {
    /// The process dies: handles and locks go, files and their cached bytes stay.
    pub(crate) fn kill(&mut self) {
        self.epoch += 1;
        self.locks.clear();
        for (inode, _) in std::mem::take(&mut self.handles) {
            self.release_if_unused(inode);
        }
    }

    pub(crate) fn add_handle(&mut self, inode: u32) {
        match self.handles.iter_mut().find(|(held, _)| *held == inode) {
            Some((_, count)) => *count += 1,
            None => self.handles.push((inode, 1)),
        }
    }

    pub(crate) fn drop_handle(&mut self, inode: u32) {
        let Some(at) = self.handles.iter().position(|(held, _)| *held == inode) else {
            return;
        };
        if let Some((_, count)) = self.handles.get_mut(at) {
            *count -= 1;
            if *count == 0 {
                self.handles.swap_remove(at);
                self.release_if_unused(inode);
            }
        }
    }

    /// Frees the space of a file without names and handles.
    pub(crate) fn release_if_unused(&mut self, inode: u32) {
        let is_held = self.handles.iter().any(|(held, _)| *held == inode);
        let is_unused = self
            .top
            .node(inode)
            .is_some_and(|node| node.names.is_empty() && node.kind == NodeKind::File);
        if is_unused && !is_held {
            self.give_back(inode, 0);
            self.top.release(inode);
        }
    }
}
