//! The program of a scenario, and what runs it.

use super::session::LogSetup;
use crate::explore::engines::LogSystem;
use crate::explore::error::CheckError;
use crate::model::LogModel;
use crate::oracle::{LogOracle, LogStrengths};
use crate::scenario::{LogOp, LogProgram, Scenario, WriterOp};

/// A scenario of a log with its parts at hand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LogCase<'a> {
    pub(crate) scenario: &'a Scenario,
    pub(crate) program: &'a LogProgram,
    pub(crate) setup: LogSetup<'a>,
    pub(crate) strengths: LogStrengths,
}

impl<'a> LogCase<'a> {
    /// A scenario that runs on this system.
    pub(crate) fn of(
        system: &'a LogSystem,
        scenario: &'a Scenario,
        syncs_keep: bool,
    ) -> Result<Self, CheckError> {
        let program = scenario.log.as_ref().ok_or_else(|| {
            let words = format!(
                "the engine `{}` needs the program of a log",
                scenario.engine
            );
            CheckError::bad_scenario(words)
        })?;
        Ok(Self {
            scenario,
            program,
            setup: LogSetup {
                subject: system.subject_of(scenario),
                quirks: &scenario.quirks,
                options: program.options,
            },
            strengths: LogStrengths {
                syncs_keep,
                writes_are_short: scenario.faults.iter().any(|line| tears(line)),
                boot_is_known: scenario.knows_the_boot(),
                ..system.strengths
            },
        })
    }
}

impl LogCase<'_> {
    /// An oracle that goes on from what a recovery showed, and is asked at the end alone.
    pub(crate) fn resumed(&self, model: LogModel) -> LogOracle {
        LogOracle::resumed(model, self.strengths)
            .judged_at_end()
            .of_a_deleted(self.deletes())
    }

    /// Whether the program deletes its log.
    pub(crate) fn deletes(&self) -> bool {
        self.program
            .steps
            .contains(&LogOp::Writer(WriterOp::Delete))
    }
}

/// Whether a fault may end a write within a sector: it comes in parts, or fails after some bytes.
fn tears(line: &str) -> bool {
    line.contains("short") || line.contains(" after ")
}
