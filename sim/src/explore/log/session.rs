//! The objects of a log on a simulated disk: calls and kills them, and lets nothing escape.

use crate::explore::machine::Machine;
use crate::explore::session::DIRECTORY;
use crate::scenario::{
    Applied, CrashKind, Failure, FailureKind, LogOp, LogOptions, LogOutcome, LogReply, LogStates,
    WriterOp,
};
use crate::simfs::SimFs;
use crate::subject::{LogObjects, LogRequest, LogSubject};
use crashline::fs::Fs;
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

/// The name of the log: what its files' names start with.
pub(crate) const LOG: &str = "log";

/// What a session is made of, whatever disk it is on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LogSetup<'a> {
    pub(crate) subject: &'a dyn LogSubject,
    pub(crate) quirks: &'a [String],
    pub(crate) options: LogOptions,
}

/// The objects under test, and the disk they are on.
#[derive(Debug)]
pub(crate) struct LogSession<'a> {
    setup: LogSetup<'a>,
    pub(crate) machine: Machine,
    directory: PathBuf,
    objects: Option<Box<dyn LogObjects>>,
    /// What the objects said last.
    states: LogStates,
}

impl<'a> LogSession<'a> {
    /// A session on `sim`, reached through `fs` (`sim` itself, or a faulty view of it).
    pub(crate) fn new(setup: LogSetup<'a>, sim: SimFs, fs: Arc<dyn Fs>) -> Self {
        Self {
            setup,
            machine: Machine::new(sim, fs),
            directory: PathBuf::from(DIRECTORY),
            objects: None,
            states: LogStates::default(),
        }
    }

    /// A session on `sim` itself, on which there may be as many files and pages as `effects` could
    /// have made.
    pub(crate) fn on(setup: LogSetup<'a>, sim: SimFs, effects: u64) -> Self {
        let fs = Arc::new(sim.clone());
        let mut session = Self::new(setup, sim, fs);
        session.machine = session.machine.with_effects_before(effects);
        session
    }

    /// What the objects said last.
    pub(crate) fn states(&self) -> &LogStates {
        &self.states
    }

    /// The operation with what it leaves open filled in.
    pub(crate) fn resolve<'o>(&self, op: &'o LogOp) -> Cow<'o, LogOp> {
        op.resolved(self.states.writer.map(|writer| writer.read_end))
    }

    /// Calls one operation, opens and kills among them.
    pub(crate) fn apply(&mut self, op: &LogOp, bytes: &[u8]) -> LogOutcome {
        if *op == LogOp::Kill {
            self.kill();
            return LogOutcome::ok(LogReply::Done);
        }
        let mut objects = match self.objects.take().map_or_else(|| self.start(), Ok) {
            Ok(objects) => objects,
            Err(words) => {
                return LogOutcome::failed(FailureKind::Refused, Applied::No, words);
            }
        };
        self.machine.note_messages(bytes.len());
        match self.machine.run(|| objects.apply(op, bytes)) {
            Ok(outcome) => {
                self.objects = Some(objects);
                outcome
            }
            Err(failure) => {
                drop(objects);
                self.kill();
                failure.into()
            }
        }
    }

    /// Asks all open objects what they say of themselves.
    pub(crate) fn look(&mut self) -> Result<(), Failure> {
        let Some(objects) = &mut self.objects else {
            self.states = LogStates::default();
            return Ok(());
        };
        match self.machine.run(|| objects.states()) {
            Ok(states) => {
                self.states = states?;
                Ok(())
            }
            Err(failure) => {
                self.kill();
                Err(failure)
            }
        }
    }

    /// Whether another process gets the log open for writing as well.
    pub(crate) fn opens_beside(&self) -> bool {
        let Ok(mut beside) = self.start() else {
            return false;
        };
        let op = LogOp::Writer(WriterOp::Open);
        let opened = self.machine.run(|| beside.apply(&op, &[]));
        opened.is_ok_and(|outcome| outcome.result.is_ok())
    }

    fn start(&self) -> Result<Box<dyn LogObjects>, String> {
        self.setup.subject.start(&LogRequest {
            fs: self.machine.fs(),
            directory: &self.directory,
            log: LOG,
            options: &self.setup.options,
            quirks: self.setup.quirks,
        })
    }

    /// The process dies: nothing is written, handles and locks go.
    pub(crate) fn kill(&mut self) {
        self.objects = None;
        self.states = LogStates::default();
        self.machine.sim().kill();
    }

    /// Goes on in another directory, to which the log was moved; nothing is open there.
    pub(crate) fn go_to(&mut self, directory: PathBuf) {
        self.objects = None;
        self.states = LogStates::default();
        self.directory = directory;
    }

    /// The process dies, and the machine with it if that is the kind of crash; `cut` cuts the
    /// power.
    pub(crate) fn crash(&mut self, kind: CrashKind, cut: &dyn Fn(&SimFs) -> SimFs) {
        self.kill();
        self.machine.crash(kind, cut);
    }
}
