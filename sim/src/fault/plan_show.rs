//! Plans written in the text form that `plan_text.rs` reads.

use super::plan::{ERRORS, Fault, FaultKind, FaultPlan, Space, SyncFailure};
use super::plan_text::CALLS;
use std::fmt;

impl FaultPlan {
    /// The plan in its text form.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.faults.iter().map(ToString::to_string).collect();
        lines.extend(self.spaces.iter().map(ToString::to_string));
        if self.is_boot_unknown {
            lines.push("boot_id: unknown".to_owned());
        }
        lines
    }
}

impl fmt::Display for Space {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.is_quota { "quota" } else { "space" };
        write!(formatter, "{what}: {} bytes", self.bytes)?;
        if self.from > 1 {
            write!(formatter, " from call {}", self.from)?;
        }
        if let Some(until) = self.until {
            write!(formatter, " until call {until}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.which.last {
            Some(last) if last == self.which.first => write!(formatter, "{last}")?,
            Some(last) => write!(formatter, "{}-{last}", self.which.first)?,
            None => write!(formatter, "{}-", self.which.first)?,
        }
        let call = CALLS
            .iter()
            .find(|(_, call)| *call == self.call)
            .map_or("any", |(name, _)| name);
        write!(formatter, " {call} on {}: {}", self.pattern, self.kind)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |errno| {
            ERRORS
                .iter()
                .find(|(_, known, _)| *known == errno)
                .map_or("EIO", |(name, _, _)| name)
        };
        match self {
            Self::Error { errno, after: 0 } => formatter.write_str(name(*errno)),
            Self::Error { errno, after } => {
                write!(formatter, "{} after {after} bytes", name(*errno))
            }
            Self::Short { bytes } => write!(formatter, "short {bytes} bytes"),
            Self::SyncFailure { errno, after } => {
                let after = match after {
                    SyncFailure::Clean => "clean",
                    SyncFailure::Reverted => "reverted",
                    SyncFailure::Next => "next",
                };
                write!(formatter, "{}, {after}", name(*errno))
            }
            Self::BadSectors { first, last } => write!(formatter, "bad sectors {first}-{last}"),
            Self::BitFlip => formatter.write_str("bit flip"),
            Self::Misdirected { bytes } => write!(formatter, "misdirected by {bytes} bytes"),
        }
    }
}
