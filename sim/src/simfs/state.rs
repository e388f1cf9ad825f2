//! The state behind a [`super::SimFs`]: what the process sees, and the log of what it did.

use super::calls::Call;
use super::effect::{Effect, EffectKind, Entry};
use super::errno::error;
use super::layer::Layer;
use super::name::KnownNames;
use super::recording::{Recording, Uneven};
use super::sector::{Arena, Sectors};
use super::space::Space;
use super::tear::Tearing;
use super::tree::seal;
use rustix::io::Errno;
use std::cell::Cell;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Calls beyond the limit that fail before the caller is stopped by unwinding.
const CALLS_CUT_OFF_MAX: u32 = 10_000;

/// What a filesystem starts from.
#[derive(Debug)]
pub(crate) struct Start {
    /// What is durable when the recording starts. The sums that a walk needs are made when it
    /// comes to one, where they are missing.
    pub(crate) base: Arc<Layer>,
    /// What the process sees: `base`, or a layer over it.
    pub(crate) visible: Arc<Layer>,
    /// The arenas that both refer to, lowest first.
    pub(crate) lower: Vec<Arc<Arena>>,
    /// The effects that lead from `base` to `visible` and are not durable.
    pub(crate) history: Vec<Entry>,
    /// What is uneven in `base`.
    pub(crate) uneven: Uneven,
    /// The next inode number.
    pub(crate) next_inode: u32,
    /// Which run of the machine it is.
    pub(crate) boot: u64,
}

#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) base: Arc<Layer>,
    pub(crate) top: Layer,
    pub(crate) sectors: Sectors,
    pub(crate) log: Vec<Entry>,
    history: usize,
    uneven: Uneven,
    effects: u32,
    pub(crate) call: u32,
    calls: Vec<Call>,
    pub(crate) log_calls: bool,
    calls_left: Option<u64>,
    calls_cut_off: u32,
    pub(crate) epoch: u32,
    /// (inode, token of the guard)
    pub(crate) locks: Vec<(u32, u64)>,
    pub(crate) next_token: u64,
    /// (inode, open handles)
    pub(super) handles: Vec<(u32, u32)>,
    pub(crate) next_inode: u32,
    pub(crate) boot: u64,
    pub(crate) tearing: Tearing,
    pub(crate) space: Space,
    pub(crate) read_only: bool,
    pub(crate) parent_cache: (Vec<u8>, u32),
    pub(crate) known_names: KnownNames,
    /// Files that are set aside.
    pub(super) aside: Vec<u32>,
    /// One of them was read.
    pub(super) was_aside_read: Cell<bool>,
}

/// What a call is about, for the record of calls; nothing of it is copied unless that is on.
#[derive(Debug, Default)]
pub(crate) struct Sketch<'a> {
    pub(crate) name: &'static str,
    pub(crate) path: Option<&'a Path>,
    pub(crate) target: Option<&'a Path>,
    pub(crate) inode: Option<u32>,
    pub(crate) offset: Option<u64>,
    pub(crate) size: Option<u64>,
}

impl Core {
    pub(crate) fn new(start: Start) -> Self {
        let mut core = Self {
            base: Arc::clone(&start.base),
            top: Layer::default(),
            sectors: Sectors::default(),
            log: Vec::new(),
            history: 0,
            uneven: Uneven::default(),
            effects: 0,
            call: 0,
            calls: Vec::new(),
            log_calls: false,
            calls_left: None,
            calls_cut_off: 0,
            epoch: 0,
            locks: Vec::new(),
            next_token: 0,
            handles: Vec::new(),
            next_inode: 0,
            boot: 0,
            tearing: Tearing::Pieces,
            space: Space::default(),
            read_only: false,
            parent_cache: (Vec::new(), 0),
            known_names: KnownNames::default(),
            aside: Vec::new(),
            was_aside_read: Cell::new(false),
        };
        core.reset(start);
        core
    }

    /// Starts anew, keeping the buffers. Handles and locks of before fail from now on.
    pub(crate) fn reset(&mut self, start: Start) {
        debug_assert!(
            start.history.is_empty() || start.base.has_sums,
            "what a kill leaves is recorded anew from a base that a walk made"
        );
        self.top.reset(Some(start.visible));
        self.base = start.base;
        self.sectors.reset();
        self.sectors.lower = start.lower;
        self.history = start.history.len();
        self.uneven = start.uneven;
        self.effects = 0;
        for entry in &start.history {
            self.effects += u32::from(matches!(entry, Entry::Effect(_)));
        }
        self.log.clear();
        self.log.extend(start.history);
        self.call = 0;
        self.calls.clear();
        self.log_calls = false;
        self.calls_left = None;
        self.calls_cut_off = 0;
        self.epoch += 1;
        self.locks.clear();
        self.handles.clear();
        self.next_inode = start.next_inode;
        self.boot = start.boot;
        self.tearing = Tearing::Pieces;
        self.space = Space::default();
        self.read_only = false;
        self.parent_cache.0.clear();
        self.known_names.clear();
        self.aside.clear();
        self.was_aside_read.set(false);
    }

    /// Drops what the filesystem was mounted from; it must be reset before it is used again.
    pub(crate) fn let_go(&mut self) {
        if self.top.below().is_some() {
            self.top.reset(None);
            self.base = Arc::default();
            self.sectors.lower.clear();
        }
    }

    /// Counts a call, and refuses it beyond the limit.
    ///
    /// # Panics
    /// Unwinds when the caller does not stop although every call fails.
    pub(crate) fn enter(&mut self) -> io::Result<()> {
        if let Some(left) = &mut self.calls_left {
            if *left == 0 {
                self.calls_cut_off += 1;
                if self.calls_cut_off > CALLS_CUT_OFF_MAX {
                    std::panic::resume_unwind(Box::new(
                        "the operation goes on although all its calls fail",
                    ));
                }
                return Err(error(Errno::IO));
            }
            *left -= 1;
        }
        self.call += 1;
        Ok(())
    }

    pub(crate) fn set_call_limit(&mut self, left: Option<u64>) {
        self.calls_left = left;
        self.calls_cut_off = 0;
    }

    pub(crate) fn cut_off(&self) -> bool {
        self.calls_cut_off > 0
    }

    pub(crate) fn effects(&self) -> u32 {
        self.effects
    }

    /// Appends an effect of the present call to the log.
    pub(crate) fn record(&mut self, joined: bool, kind: EffectKind) {
        self.effects += 1;
        self.log.push(Entry::Effect(Effect {
            call: self.call,
            joined,
            kind,
        }));
    }

    /// Writes the record of a call, if that is on.
    pub(crate) fn log_call(
        &mut self,
        sketch: &Sketch<'_>,
        effects: u32,
        outcome: Result<u64, i32>,
    ) {
        if !self.log_calls {
            return;
        }
        let path = match (sketch.path, sketch.inode) {
            (Some(path), _) => path.to_path_buf(),
            (None, Some(inode)) => self.path_of(inode),
            (None, None) => std::path::PathBuf::new(),
        };
        self.calls.push(Call {
            number: self.call.saturating_sub(1),
            effects,
            name: sketch.name,
            path,
            target: sketch.target.map(Path::to_path_buf),
            offset: sketch.offset,
            size: sketch.size,
            outcome,
        });
    }

    pub(crate) fn recording(&mut self) -> Recording {
        if !self.base.has_sums {
            seal(Arc::make_mut(&mut self.base), &self.sectors);
        }
        Recording {
            base: Arc::clone(&self.base),
            lower: self.sectors.share(),
            log: self.log.clone(),
            history: self.history,
            uneven: self.uneven.clone(),
            calls: self.calls.clone(),
            next_inode: self.next_inode,
            boot: self.boot,
        }
    }

    /// The recording, of which nothing is left here.
    pub(crate) fn last_recording(&mut self) -> Recording {
        let log = std::mem::take(&mut self.log);
        let mut recording = self.recording();
        recording.log = log;
        recording
    }

    /// Forgets the recording; what is visible now is durable and where the next one starts.
    pub(crate) fn settle(&mut self) {
        if !self.base.has_sums {
            let below = Arc::clone(&self.base);
            for node in below.own_nodes() {
                self.top.touch(node.inode);
            }
        }
        let mut visible = std::mem::take(&mut self.top);
        seal(&mut visible, &self.sectors);
        visible.removed.clear();
        self.base = Arc::new(visible);
        self.top.reset(Some(Arc::clone(&self.base)));
        self.log.clear();
        self.history = 0;
        self.uneven = Uneven::default();
        self.effects = 0;
        self.call = 0;
        self.calls.clear();
    }
}
