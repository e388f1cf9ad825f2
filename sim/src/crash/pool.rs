//! [`Reused`]: a list whose items keep their buffers when it is emptied.
#![expect(
    clippy::indexing_slicing,
    reason = "hot; the used part is never longer than the list"
)]

/// Something that can be used again.
pub(crate) trait Clear {
    fn clear(&mut self);
}

#[derive(Debug)]
pub(crate) struct Reused<T> {
    items: Vec<T>,
    used: usize,
}

impl<T> Default for Reused<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            used: 0,
        }
    }
}

impl<T: Default + Clear> Reused<T> {
    pub(crate) fn clear(&mut self) {
        self.used = 0;
    }

    /// Adds a cleared item.
    pub(crate) fn add(&mut self) -> &mut T {
        if self.used == self.items.len() {
            self.items.push(T::default());
        }
        let item = &mut self.items[self.used];
        item.clear();
        self.used += 1;
        item
    }

    /// Adds a cleared item and moves it to a place before the end.
    pub(crate) fn insert(&mut self, at: usize) -> &mut T {
        self.add();
        self.items[at..self.used].rotate_right(1);
        &mut self.items[at]
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        &self.items[..self.used]
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.items[..self.used]
    }
}
