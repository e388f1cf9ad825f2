//! One of the models that fit what was seen, with what a crash would leave of it.

use super::chain::Chains;
use super::windows::{Alternative, Dropped, LogCause, LogDurable, ReaderWindow};
use crate::model::{LogModel, Place, Shared};
use crate::scenario::Clause;
use std::collections::BTreeMap;

/// A model, and what is promised of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Guess {
    pub(super) model: LogModel,
    pub(super) chain: usize,
    pub(super) durable: LogDurable,
    pub(super) start_clause: Clause,
    pub(super) dropped: Option<Dropped>,
    /// What a failed operation may have left on the disk instead, until the next durable point.
    pub(super) others: Vec<Alternative>,
    /// A failed sync took bytes out of the cache that have not been synced since.
    pub(super) taken_back: bool,
    /// A close failed: not all that the model shows need have been written.
    pub(super) written: Option<Place>,
    /// The writer was lost: the next open tells where the log ends.
    pub(super) is_lost: bool,
    /// For each reader that the log knows, the positions that it may be found at.
    pub(super) candidates: Shared<BTreeMap<u32, Vec<Place>>>,
    /// Readers that were not opened since the process died, with the positions that they may have.
    pub(super) unsure: Shared<BTreeMap<String, Vec<Place>>>,
}

/// The names of all readers that were met, in order of their first appearance.
#[derive(Debug, Clone, Default)]
pub(super) struct Names(Vec<String>);

impl Names {
    pub(super) fn index(&mut self, name: &str) -> u32 {
        let known = self.0.iter().position(|known| known == name);
        let index = known.unwrap_or_else(|| {
            self.0.push(name.to_owned());
            self.0.len() - 1
        });
        u32::try_from(index).unwrap_or(u32::MAX)
    }

    pub(super) fn name(&self, index: u32) -> Option<&str> {
        self.0.get(index as usize).map(String::as_str)
    }

    pub(super) fn all(&self) -> &[String] {
        &self.0
    }
}

impl Guess {
    /// The state of a log all of which is durable.
    pub(super) fn new(model: LogModel, chains: &mut Chains, names: &mut Names) -> Self {
        let chain = chains.at(None, model.start());
        let chain = chains.extended(
            chain,
            model.start(),
            model.messages_from(model.start().offset),
        );
        chains.note_borders(chain, &model.segment_starts());
        let mut candidates = BTreeMap::new();
        let known: Vec<&str> = model.reader_names().collect();
        for name in known {
            let index = names.index(name);
            candidates.insert(index, model.confirmed(name).into_iter().collect());
        }
        Self {
            chain,
            durable: LogDurable {
                end: model.end(),
                cause: LogCause::Start,
                step: None,
            },
            start_clause: Clause::L5,
            dropped: None,
            others: Vec::new(),
            taken_back: false,
            written: None,
            is_lost: false,
            candidates: Shared::new(candidates),
            unsure: Shared::default(),
            model,
        }
    }

    /// What a crash now leaves, the newest state first.
    pub(super) fn alternatives(&self) -> Vec<Alternative> {
        let mut alternatives = vec![self.at_rest()];
        alternatives.extend(self.others.iter().cloned());
        alternatives
    }

    /// What a crash now leaves unless a failed operation left something else.
    pub(super) fn at_rest(&self) -> Alternative {
        let (durable, end) = (self.durable.end, self.model.end());
        let flushed = match self.written {
            Some(written) => written,
            None => self.model.read_end(),
        };
        let kill_min = if self.taken_back { durable } else { flushed };
        let readers = self.candidates.iter().map(|(index, places)| ReaderWindow {
            index: *index,
            candidates: places.clone(),
            may_be_new: false,
        });
        Alternative {
            chain: self.chain,
            starts: vec![self.model.start()],
            kill_min: kill_min.max(durable).min(end),
            power_min: durable.min(end),
            end_max: end,
            is_covered: false,
            readers: readers.collect(),
            durable: self.durable,
            start_clause: self.start_clause,
            dropped: self.dropped,
        }
    }

    /// Goes on with another model, into which what was put is followed.
    pub(super) fn with_model(&self, model: LogModel, chains: &mut Chains) -> Self {
        let mut after = self.clone();
        if model.end() > self.model.end() && model.start() <= self.model.end() {
            let from = self.model.end();
            let messages = model.messages_from(from.offset);
            after.chain = chains.extended(self.chain, from, messages);
        } else {
            after.chain = chains.at(Some(self.chain), model.end());
        }
        chains.note_borders(after.chain, &model.segment_starts());
        after.model = model;
        after
    }

    /// Notes what a failed operation may have left instead. Up to the end that was there before,
    /// what is left is told by the state itself, which goes on.
    pub(super) fn add_other(&mut self, before: &Alternative, left: &Alternative) {
        let mut other = left.clone();
        let is_longer = other.end_max > before.end_max && other.starts == before.starts;
        if is_longer {
            other.kill_min = before.end_max;
            other.power_min = before.end_max;
        }
        if other != self.at_rest() && !self.others.contains(&other) {
            self.others.push(other);
        }
    }

    /// No reader stands above a place at which the log's end was cut.
    pub(super) fn cut_readers(&mut self, to: Place) {
        for places in self.candidates.values_mut() {
            for place in places.iter_mut() {
                *place = (*place).min(to);
            }
            places.sort_unstable();
            places.dedup();
        }
        for places in self.unsure.values_mut() {
            for place in places.iter_mut() {
                *place = (*place).min(to);
            }
        }
    }

    /// Follows the confirmed positions; that of the reader `saved` is durable now.
    pub(super) fn note_readers(&mut self, saved: Option<&str>, names: &mut Names) {
        let model = &self.model;
        let is_gone = |index: &u32, names: &Names| {
            let name = names.name(*index);
            name.is_none_or(|name| !model.knows_reader(name))
        };
        if self.candidates.keys().any(|index| is_gone(index, names)) {
            self.candidates.retain(|index, _| !is_gone(index, names));
        }
        for name in model.reader_names() {
            if self.unsure.contains_key(name) {
                continue;
            }
            let Some(at) = model.confirmed(name) else {
                continue;
            };
            let index = names.index(name);
            if saved == Some(name) {
                self.candidates.insert(index, vec![at]);
                continue;
            }
            let known = self.candidates.get(&index);
            if known.is_none_or(|places| !places.contains(&at)) {
                self.candidates.entry(index).or_default().push(at);
            }
        }
    }

    /// The process died.
    pub(super) fn kill(&mut self, names: &Names) {
        self.model.kill();
        self.is_lost = true;
        for (index, places) in self.candidates.iter() {
            if let Some(name) = names.name(*index) {
                self.unsure.insert(name.to_owned(), places.clone());
            }
        }
    }

    /// All that this can be once it is known where some readers stand.
    pub(super) fn made_sure(self, is_asked: impl Fn(&str) -> bool) -> Vec<Self> {
        let unsure = self.unsure.clone();
        let (start, end) = (self.model.start(), self.model.end());
        let mut guesses = vec![self];
        for (name, places) in unsure.iter() {
            if !is_asked(name) {
                continue;
            }
            let mut stands: Vec<Place> =
                places.iter().map(|at| (*at).min(end).max(start)).collect();
            stands.sort_unstable();
            stands.dedup();
            let mut sure = Vec::new();
            for guess in &guesses {
                for at in &stands {
                    let mut one = guess.clone();
                    one.unsure.remove(name);
                    one.model.place_reader(name, *at);
                    sure.push(one);
                }
            }
            guesses = sure;
        }
        guesses
    }
}
