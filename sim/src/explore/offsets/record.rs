//! Runs the program of an offset store once on the simulated disk, with its faults, and keeps
//! everything that judging its crashes needs.

use super::program::OffsetCase;
use super::session::OffsetSession;
use crate::explore::error::CheckError;
use crate::explore::record::empty_disk;
use crate::explore::watch::StepWatch;
use crate::fault::{FaultFs, FaultPlan, Fired};
use crate::oracle::{FaultNote, OffsetHistory, OffsetOracle, Violation};
use crate::scenario::{OffsetOp, OffsetOutcome, OffsetTable, RunKind};
use crate::simfs::{Recording, SimFs};
use crashline::fs::Fs;
use std::sync::Arc;

/// A finished run.
pub(super) struct OffsetRecorded {
    /// What the disk saw, from the first step on.
    pub(super) recording: Recording,
    /// What judges its crashes.
    pub(super) history: OffsetHistory,
    /// What was wrong without any crash.
    pub(super) violations: Vec<Violation>,
    /// The faults that fired.
    pub(super) fired: Vec<Fired>,
    /// What an open found last, where the run could be followed.
    pub(super) last: Option<OffsetTable>,
    /// The disk at the end.
    pub(super) sim: SimFs,
}

/// Runs the case once.
pub(super) fn record(
    case: &OffsetCase<'_>,
    watch: &mut dyn StepWatch<OffsetOp, OffsetOutcome>,
) -> Result<OffsetRecorded, CheckError> {
    let sim = empty_disk()?;
    let lines = &case.scenario.faults;
    let plan = FaultPlan::parse(lines).map_err(CheckError::bad_scenario)?;
    let faults = (!lines.is_empty()).then(|| Arc::new(FaultFs::over_sim(sim.clone(), plan)));
    let fs: Arc<dyn Fs> = match &faults {
        Some(faults) => Arc::clone(faults) as Arc<dyn Fs>,
        None => Arc::new(sim.clone()),
    };
    let mut session = OffsetSession::new(case.setup, sim.clone(), fs);
    let queues = case.program.queues();
    let mut run = Run {
        oracle: OffsetOracle::new(queues, OffsetTable::new(), case.strengths),
        violations: Vec::new(),
        fired: 0,
        faults: faults.as_deref(),
        last: None,
    };
    if watch.wants_calls() {
        session.machine.log_calls();
    }
    for (number, op) in (0_u32..).zip(&case.program.steps) {
        run.step(&mut session, number, op, watch);
        if number == 0 && case.strengths.tells && session.table().is_some() {
            run.violations
                .extend(super::probes::wrong_manners(case, &sim));
        }
    }
    let recording = sim.recording();
    if let Some(faults) = &faults {
        faults.heal();
    }
    let Run {
        mut oracle,
        mut violations,
        last,
        ..
    } = run;
    let last = last.filter(|_| oracle.is_followed());
    if case.scenario.run != RunKind::Damage {
        violations.extend(super::tail::live_phase(&mut session, &mut oracle, case));
    }
    Ok(OffsetRecorded {
        recording,
        history: oracle.finish(),
        violations,
        fired: faults.map(|faults| faults.fired()).unwrap_or_default(),
        last,
        sim,
    })
}

struct Run<'f> {
    oracle: OffsetOracle,
    violations: Vec<Violation>,
    fired: usize,
    faults: Option<&'f FaultFs>,
    last: Option<OffsetTable>,
}

impl Run<'_> {
    fn step(
        &mut self,
        session: &mut OffsetSession<'_>,
        number: u32,
        op: &OffsetOp,
        watch: &mut dyn StepWatch<OffsetOp, OffsetOutcome>,
    ) {
        session.machine.sim().mark(2 * number);
        watch.begin(number, op);
        let outcome = session.apply(op);
        self.note_faults(number);
        session.machine.sim().mark(2 * number + 1);
        if watch.wants_calls() {
            watch.end(number, &outcome, &session.machine.new_calls());
        }
        let table = session.table();
        if *op == OffsetOp::Open {
            self.last.clone_from(&table);
        }
        let found = self.oracle.end(number, op, &outcome, table.as_ref());
        self.violations.extend(found);
    }

    fn note_faults(&mut self, step: u32) {
        let Some(faults) = self.faults else { return };
        if faults.fired_count() == self.fired {
            return;
        }
        let fired = faults.fired();
        for fault in fired.iter().skip(self.fired) {
            let name = fault.path.file_name().unwrap_or_default().to_string_lossy();
            if let Some(note) = FaultNote::of(fault.kind, &name) {
                self.oracle.fault_fired(step, note);
            }
        }
        self.fired = fired.len();
    }
}
