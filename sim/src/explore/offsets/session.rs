//! An offset store on a simulated disk: calls and kills it, and lets nothing escape.

use crate::explore::machine::Machine;
use crate::explore::session::DIRECTORY;
use crate::scenario::{
    Applied, CrashKind, FailureKind, OffsetOp, OffsetOptions, OffsetOutcome, OffsetReply,
    OffsetTable,
};
use crate::simfs::SimFs;
use crate::subject::{OffsetObject, OffsetRequest, OffsetSubject};
use crashline::fs::Fs;
use std::path::Path;
use std::sync::Arc;

/// What a session is made of, whatever disk it is on.
#[derive(Debug, Clone, Copy)]
pub(super) struct OffsetSetup<'a> {
    pub(super) subject: &'a dyn OffsetSubject,
    pub(super) quirks: &'a [String],
    pub(super) options: &'a OffsetOptions,
}

/// The store under test, and the disk it is on.
#[derive(Debug)]
pub(super) struct OffsetSession<'a> {
    setup: OffsetSetup<'a>,
    pub(super) machine: Machine,
    store: Option<Box<dyn OffsetObject>>,
}

impl<'a> OffsetSession<'a> {
    /// A session on `sim`, reached through `fs` (`sim` itself, or a faulty view of it).
    pub(super) fn new(setup: OffsetSetup<'a>, sim: SimFs, fs: Arc<dyn Fs>) -> Self {
        Self {
            setup,
            machine: Machine::new(sim, fs),
            store: None,
        }
    }

    /// A session on `sim` itself, on which there may be as many files and pages as `effects` could
    /// have made.
    pub(super) fn on(setup: OffsetSetup<'a>, sim: SimFs, effects: u64) -> Self {
        let fs = Arc::new(sim.clone());
        let mut session = Self::new(setup, sim, fs);
        session.machine = session.machine.with_effects_before(effects);
        session
    }

    /// The table in memory; nothing where the store is not open.
    pub(super) fn table(&self) -> Option<OffsetTable> {
        self.store.as_ref().and_then(|store| store.table())
    }

    /// Calls one operation, opens and kills among them.
    pub(super) fn apply(&mut self, op: &OffsetOp) -> OffsetOutcome {
        if *op == OffsetOp::Kill {
            self.kill();
            return OffsetOutcome::ok(OffsetReply::Done);
        }
        let mut store = match self.store.take().map_or_else(|| self.start(), Ok) {
            Ok(store) => store,
            Err(words) => {
                return OffsetOutcome::failed(FailureKind::Refused, Applied::No, words);
            }
        };
        match self.machine.run(|| store.apply(op)) {
            Ok(outcome) => {
                self.store = Some(store);
                outcome
            }
            Err(failure) => {
                drop(store);
                self.kill();
                OffsetOutcome {
                    result: Err(failure),
                    losses: Vec::new(),
                }
            }
        }
    }

    fn start(&self) -> Result<Box<dyn OffsetObject>, String> {
        self.setup.subject.start(&OffsetRequest {
            fs: self.machine.fs(),
            root: Path::new(DIRECTORY),
            options: self.setup.options,
            quirks: self.setup.quirks,
        })
    }

    /// The process dies: nothing is written, handles and locks go.
    pub(super) fn kill(&mut self) {
        self.store = None;
        self.machine.sim().kill();
    }

    /// The process dies, and the machine with it if that is the kind of crash; `cut` cuts the
    /// power.
    pub(super) fn crash(&mut self, kind: CrashKind, cut: &dyn Fn(&SimFs) -> SimFs) {
        self.kill();
        self.machine.crash(kind, cut);
    }
}
