//! What a plan has done so far: counters, sticky faults, and what fired.

use super::glob::matches_path;
use super::plan::{CallName, Fault, FaultKind, FaultPlan};
use crashline::fs::FileIdentity;
use rustix::io::Errno;
use std::path::{Path, PathBuf};

/// A fault that took place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fired {
    /// The name of its kind in [`super::KINDS`].
    pub kind: &'static str,
    /// The number of the call that it took place in, counted from 1.
    pub call: u64,
    /// The path that the call was on.
    pub path: PathBuf,
}

/// Bytes of a file that a fault changed or made unreadable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamagedRange {
    /// The path by which the file was opened.
    pub path: PathBuf,
    /// The first byte.
    pub start: u64,
    /// Behind the last one.
    pub end: u64,
}

/// A bit that reads wrong.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flip {
    pub(crate) file: FileIdentity,
    pub(crate) offset: u64,
    pub(crate) mask: u8,
}

#[derive(Debug)]
struct Armed {
    fault: Fault,
    matched: u64,
    /// A write stopped in the middle: the next one fails at once.
    is_due: bool,
}

/// What is asked of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ask<'a> {
    pub(crate) call: CallName,
    pub(crate) path: &'a Path,
    pub(crate) target: Option<&'a Path>,
    pub(crate) is_change: bool,
}

#[derive(Debug)]
pub(crate) struct State {
    armed: Vec<Armed>,
    pub(crate) plan: FaultPlan,
    pub(crate) calls: u64,
    pub(crate) is_healed: bool,
    pub(crate) bad_sectors: Vec<(FileIdentity, u64)>,
    pub(crate) flips: Vec<Flip>,
    pub(crate) late_errors: Vec<(FileIdentity, Errno)>,
    pub(crate) damaged: Vec<DamagedRange>,
    pub(crate) fired: Vec<Fired>,
    /// Bytes by which files grew while space was bounded, where the filesystem cannot bound it.
    pub(crate) grown: u64,
    /// Bytes that files held which were replaced or removed since.
    pub(crate) freed: u64,
}

impl State {
    pub(crate) fn new(plan: FaultPlan) -> Self {
        let armed = plan.faults.iter().map(|fault| Armed {
            fault: fault.clone(),
            matched: 0,
            is_due: false,
        });
        Self {
            armed: armed.collect(),
            plan,
            calls: 0,
            is_healed: false,
            bad_sectors: Vec::new(),
            flips: Vec::new(),
            late_errors: Vec::new(),
            damaged: Vec::new(),
            fired: Vec::new(),
            grown: 0,
            freed: 0,
        }
    }

    /// The fault of this call, if it has one. Every fault counts the calls that match it.
    pub(crate) fn decide(&mut self, ask: &Ask<'_>) -> Option<FaultKind> {
        if self.is_healed {
            return None;
        }
        let mut decided = None;
        for armed in &mut self.armed {
            if !is_match(&armed.fault, ask) {
                continue;
            }
            armed.matched += 1;
            let which = armed.fault.which;
            let is_its_turn =
                armed.matched >= which.first && which.last.is_none_or(|last| armed.matched <= last);
            if decided.is_some() || !(is_its_turn || armed.is_due) {
                continue;
            }
            let mut kind = armed.fault.kind;
            if let FaultKind::Error { after, .. } = &mut kind
                && *after > 0
            {
                if armed.is_due {
                    *after = 0;
                }
                armed.is_due = !armed.is_due;
            }
            decided = Some((kind, armed.fault.kind_name()));
        }
        let (kind, name) = decided?;
        self.note(name, ask.path);
        Some(kind)
    }

    pub(crate) fn note(&mut self, kind: &'static str, path: &Path) {
        self.fired.push(Fired {
            kind,
            call: self.calls,
            path: path.to_path_buf(),
        });
    }

    pub(crate) fn note_damage(&mut self, path: &Path, start: u64, end: u64) {
        self.damaged.push(DamagedRange {
            path: path.to_path_buf(),
            start,
            end,
        });
    }

    /// Ends everything that is sticky, and every fault to come.
    pub(crate) fn heal(&mut self) {
        self.is_healed = true;
        self.bad_sectors.clear();
        self.flips.clear();
        self.late_errors.clear();
    }

    /// The bound on the space that holds for the present call.
    pub(crate) fn space(&self) -> Option<super::plan::Space> {
        if self.is_healed {
            return None;
        }
        let now = self.calls;
        self.plan
            .spaces
            .iter()
            .copied()
            .find(|space| space.from <= now && space.until.is_none_or(|until| now < until))
    }
}

fn is_match(fault: &Fault, ask: &Ask<'_>) -> bool {
    let is_call = fault.call == CallName::Any
        || fault.call == CallName::Change && ask.is_change
        || fault.call == ask.call;
    // A disk that is read-only still reads.
    let can_fail = ask.is_change
        || !matches!(
            fault.kind,
            FaultKind::Error {
                errno: Errno::ROFS,
                ..
            }
        );
    is_call
        && can_fail
        && (matches_path(&fault.pattern, ask.path)
            || ask
                .target
                .is_some_and(|target| matches_path(&fault.pattern, target)))
}
