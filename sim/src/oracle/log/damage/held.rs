//! Where the readers of a run stood, at any time.

use crate::model::{LogModel, Place};
use std::collections::{BTreeMap, BTreeSet};

/// For each reader, every position that was its confirmed one once, as cuts of the log's end left
/// it: an older copy of its meta may tell any of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeldPlaces {
    places: BTreeMap<String, BTreeSet<Place>>,
}

impl HeldPlaces {
    /// Notes where all readers stand now.
    pub fn note(&mut self, model: &LogModel) {
        let end = model.end();
        for places in self.places.values_mut() {
            // What is cut off is no place any more: who comes back to it stands at the cut.
            if places.last().is_some_and(|last| *last > end) {
                places.insert(end);
            }
        }
        for name in model.reader_names() {
            if let Some(at) = model.confirmed(name) {
                self.note_at(name, at);
            }
        }
    }

    /// Notes that a reader stands there.
    pub(super) fn note_at(&mut self, name: &str, at: Place) {
        self.places.entry(name.to_owned()).or_default().insert(at);
    }

    /// Where a reader stood, in order.
    pub(super) fn of<'h>(&'h self, name: &str) -> impl Iterator<Item = Place> + 'h {
        self.places.get(name).into_iter().flatten().copied()
    }
}
