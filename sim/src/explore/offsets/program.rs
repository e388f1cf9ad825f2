//! The program of a scenario, and what runs it.

use super::session::OffsetSetup;
use crate::explore::engines::OffsetSystem;
use crate::explore::error::CheckError;
use crate::oracle::OffsetStrengths;
use crate::scenario::{OffsetProgram, Scenario};

/// A scenario of an offset store with its parts at hand.
#[derive(Debug, Clone, Copy)]
pub(super) struct OffsetCase<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) program: &'a OffsetProgram,
    pub(super) setup: OffsetSetup<'a>,
    pub(super) strengths: OffsetStrengths,
}

impl<'a> OffsetCase<'a> {
    /// A scenario that runs on this system.
    pub(super) fn of(
        system: &'a OffsetSystem,
        scenario: &'a Scenario,
        syncs_keep: bool,
    ) -> Result<Self, CheckError> {
        let program = scenario.offsets.as_ref().ok_or_else(|| {
            let engine = &scenario.engine;
            let words = format!("the engine `{engine}` needs the program of an offset store");
            CheckError::bad_scenario(words)
        })?;
        Ok(Self {
            scenario,
            program,
            setup: OffsetSetup {
                subject: system.subject_of(scenario),
                quirks: &scenario.quirks,
                options: &program.options,
            },
            strengths: OffsetStrengths {
                syncs_keep,
                ..system.strengths
            },
        })
    }
}
