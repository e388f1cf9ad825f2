//! A value that many owners share until one of them changes it.
//!
//! Judging keeps several states of one log, most of which differ in a place or two: a copy costs
//! nothing until it is changed.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A value of which copies are one until one of them is changed.
#[derive(Debug, Default)]
pub(crate) struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl<T: Eq> Eq for Shared<T> {}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// The first change of a copy is what copies the value.
impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_seen_by_who_made_it_alone() {
        let one = Shared::new(vec![1]);
        let mut other = one.clone();
        assert_eq!(one, other);
        other.push(2);
        assert_eq!((one.len(), other.len()), (1, 2));
        assert_ne!(one, other);
        assert_eq!(other, Shared::new(vec![1, 2]));
    }
}
