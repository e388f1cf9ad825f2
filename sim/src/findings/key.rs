//! What violations are grouped by: clause, kind of run, operation.

use super::{log_key, offset_key};
use crate::explore::Found;
use crate::scenario::{Action, Clause, CrashKind, LogOp, OffsetOp, RunKind, Scenario};

/// The kind of run that shows a violation, mildest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// Nothing happened to the process, the disk or the files.
    Running,
    /// The process was killed.
    Kill,
    /// The power was cut.
    PowerCut,
    /// A file call failed.
    Error,
    /// A file call failed, and the process was killed.
    ErrorThenKill,
    /// A file call failed, and the power was cut.
    ErrorThenPowerCut,
    /// Files were damaged.
    Damage,
}

impl Way {
    /// All of them, in order.
    pub const ALL: &[Self] = &[
        Self::Running,
        Self::Kill,
        Self::PowerCut,
        Self::Error,
        Self::ErrorThenKill,
        Self::ErrorThenPowerCut,
        Self::Damage,
    ];

    /// In words, as the page has it.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Running => "nothing failed",
            Self::Kill => "after a kill",
            Self::PowerCut => "after a power cut",
            Self::Error => "after a failed call",
            Self::ErrorThenKill => "after a failed call and a kill",
            Self::ErrorThenPowerCut => "after a failed call and a power cut",
            Self::Damage => "after damage",
        }
    }

    /// In one word, for names of files.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Kill => "kill",
            Self::PowerCut => "power-cut",
            Self::Error => "error",
            Self::ErrorThenKill => "error-kill",
            Self::ErrorThenPowerCut => "error-power-cut",
            Self::Damage => "damage",
        }
    }

    /// Whether what is seen this way can be expected the other way too, which only adds to what
    /// happened: a power cut may lose nothing, a failed call may come later than all that matters.
    #[must_use]
    pub fn is_milder_than(self, other: Self) -> bool {
        let milder: &[Self] = match other {
            Self::Running => &[],
            Self::Kill | Self::Error => &[Self::Running],
            Self::PowerCut => &[Self::Running, Self::Kill],
            Self::ErrorThenKill => &[Self::Running, Self::Kill, Self::Error],
            Self::ErrorThenPowerCut => &[
                Self::Running,
                Self::Kill,
                Self::PowerCut,
                Self::Error,
                Self::ErrorThenKill,
            ],
            Self::Damage => &[Self::Running],
        };
        milder.contains(&self)
    }

    fn of(scenario: &Scenario) -> Self {
        let crash = scenario.crashes.iter().map(|crash| crash.kind).max();
        let crash = crash.or_else(|| is_killed(scenario).then_some(CrashKind::Kill));
        let fails = !scenario.faults.is_empty();
        match (scenario.run, crash, fails) {
            (RunKind::Damage, _, _) => Self::Damage,
            (_, None, false) => Self::Running,
            (_, Some(CrashKind::Kill), false) => Self::Kill,
            (_, Some(CrashKind::PowerCut), false) => Self::PowerCut,
            (_, None, true) => Self::Error,
            (_, Some(CrashKind::Kill), true) => Self::ErrorThenKill,
            (_, Some(CrashKind::PowerCut), true) => Self::ErrorThenPowerCut,
        }
    }
}

/// Whether the run itself kills the process: by that name, or by an open of what is still open.
fn is_killed(scenario: &Scenario) -> bool {
    let mut is_open = true;
    let mut logs = scenario.log.iter();
    let mut stores = scenario.offsets.iter();
    logs.any(|log| kills(&log.steps, log_key::opens, &LogOp::Kill))
        || stores.any(|store| kills(&store.steps, offset_key::opens, &OffsetOp::Kill))
        || scenario.steps.iter().any(|step| match step.action {
            Action::Kill => is_open,
            Action::Open { .. } | Action::OpenReadOnly => std::mem::replace(&mut is_open, true),
            Action::Close | Action::Delete => {
                is_open = false;
                false
            }
            Action::Put { .. }
            | Action::PutBatch { .. }
            | Action::Read
            | Action::Peek
            | Action::Depth
            | Action::Empty
            | Action::Sync
            | Action::Tick { .. }
            | Action::Settle => false,
        })
}

/// Whether a kill comes after something was opened.
fn kills<T: PartialEq>(steps: &[T], opens: fn(&T) -> bool, kill: &T) -> bool {
    let first = steps.iter().position(opens).unwrap_or(steps.len());
    steps.get(first..).unwrap_or_default().contains(kill)
}

/// The name of the last of the first `begun` operations.
fn last_named<T>(steps: &[T], begun: usize, name_of: fn(&T) -> &'static str) -> &'static str {
    let begun = steps.get(..begun).unwrap_or(steps);
    begun.last().map_or("open", name_of)
}

/// What a finding stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The broken clause.
    pub clause: Clause,
    /// The kind of run.
    pub way: Way,
    /// The operation that was in flight or had ended last when the crash came; without a crash, the
    /// one whose answer was wrong; `open` before the first one.
    pub operation: &'static str,
}

impl Key {
    /// Whether `other` shows nothing that this one does not.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        let alike = self.clause == other.clause && self.operation == other.operation;
        alike && self.way.is_milder_than(other.way)
    }

    /// The key of a violation.
    #[must_use]
    pub fn of(found: &Found) -> Self {
        let scenario = &found.scenario;
        // Two marks for each step: its start and its end.
        let crashed_at = scenario
            .crashes
            .first()
            .map(|crash| crash.marks.div_ceil(2));
        let steps_begun = match (crashed_at, found.step) {
            (Some(begun), _) => begun,
            (None, Some(step)) => step + 1,
            (None, None) if scenario.run == RunKind::Damage => 0,
            (None, None) => u32::try_from(scenario.step_count()).unwrap_or(u32::MAX),
        };
        // The second opener always comes right after the first.
        let operation = if found.clause == Clause::C10 {
            "open"
        } else {
            last_operation(scenario, steps_begun)
        };
        Self {
            clause: found.clause,
            way: Way::of(scenario),
            operation,
        }
    }
}

/// The operation of the last of the first `begun` steps. What an original does later, in a step of
/// its own, belongs to the operation before it.
fn last_operation(scenario: &Scenario, begun: u32) -> &'static str {
    let begun = usize::try_from(begun).unwrap_or(usize::MAX);
    if let Some(log) = &scenario.log {
        return last_named(&log.steps, begun, log_key::name_of);
    }
    if let Some(store) = &scenario.offsets {
        return last_named(&store.steps, begun, offset_key::name_of);
    }
    let steps = scenario.steps.iter().take(begun).rev();
    let mut names = steps.filter_map(|step| name_of(&step.action));
    names.next().unwrap_or("open")
}

fn name_of(action: &Action) -> Option<&'static str> {
    match action {
        Action::Open { .. } | Action::OpenReadOnly => Some("open"),
        Action::Put { .. } | Action::PutBatch { .. } => Some("put"),
        Action::Read => Some("read"),
        Action::Peek => Some("peek"),
        Action::Depth => Some("depth"),
        Action::Empty => Some("empty"),
        Action::Sync => Some("sync"),
        Action::Tick { .. } => Some("tick"),
        Action::Close => Some("close"),
        Action::Delete => Some("delete"),
        Action::Kill => Some("kill"),
        Action::Settle => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{CrashChoice, FORMAT, FifoOptions, Step};

    fn found(steps: Vec<Action>, crash: Option<(CrashKind, u32)>) -> Found {
        let crashes = crash.map(|(kind, marks)| CrashChoice {
            point: 1,
            marks,
            kind,
            lost: vec![],
            fill: None,
        });
        let scenario = Scenario::parse(&format!(
            "{{\"format\": {FORMAT}, \"engine\": \"toylog\", \"profile\": \"xfs\", \
             \"options\": {}, \"run\": \"crashes\", \"seed\": 1, \"steps\": []}}",
            serde_json::to_string(&FifoOptions::default()).unwrap()
        ));
        let scenario = Scenario {
            steps: steps.into_iter().map(Step::queue).collect(),
            log: None,
            offsets: None,
            cluster: None,
            crashes: crashes.into_iter().collect(),
            ..scenario.unwrap()
        };
        Found {
            clause: Clause::Q2,
            evidence: String::new(),
            step: Some(1),
            engine: "toylog".to_owned(),
            profile: "xfs".to_owned(),
            scenario,
            timeline: crate::explore::Timeline::default(),
        }
    }

    fn key(steps: Vec<Action>, crash: Option<(CrashKind, u32)>) -> (Way, &'static str) {
        let key = Key::of(&found(steps, crash));
        (key.way, key.operation)
    }

    #[test]
    fn a_crash_belongs_to_the_operation_that_was_begun_last() {
        let steps = || vec![Action::Put { size: 4 }, Action::Settle, Action::Read];
        let cut = |marks| key(steps(), Some((CrashKind::PowerCut, marks)));
        assert_eq!(cut(0), (Way::PowerCut, "open"));
        assert_eq!(cut(1), (Way::PowerCut, "put"));
        assert_eq!(cut(4), (Way::PowerCut, "put"), "its later work");
        assert_eq!(cut(5), (Way::PowerCut, "read"));
        assert_eq!(key(steps(), None), (Way::Running, "put"), "step 1");
    }

    #[test]
    fn an_open_of_what_is_open_kills() {
        let open = || Action::Open { options: None };
        assert_eq!(key(vec![Action::Read, open()], None).0, Way::Kill);
        assert_eq!(key(vec![Action::Close, open()], None).0, Way::Running);
        assert_eq!(
            key(vec![Action::Close, open(), Action::Kill], None).0,
            Way::Kill
        );
    }

    #[test]
    fn what_needs_less_to_happen_covers_what_needs_more() {
        let at = |way| Key {
            clause: Clause::Q2,
            way,
            operation: "put",
        };
        assert!(at(Way::Kill).covers(&at(Way::ErrorThenPowerCut)));
        assert!(!at(Way::ErrorThenKill).covers(&at(Way::PowerCut)));
        assert!(Way::ALL.iter().all(|way| !at(*way).covers(&at(*way))));
    }
}
