//! The text form of a plan: one fault a line.
//!
//! ```text
//! WHICH CALL on PATTERN: WHAT
//! space: N bytes [from call N] [until call N]
//! quota: N bytes [from call N] [until call N]
//! boot_id: unknown
//! ```
//!
//! `WHICH` is `3`, `3-9` or `3-`; `CALL` a method's name, `any` or `change`; `WHAT` is an error
//! (`EIO`, `ENOSPC`, `EDQUOT`, `EMFILE`, `EACCES`, `EROFS`, `EINTR`), for writes possibly with
//! `after N bytes`, for `sync` with `, clean` (also if nothing is said), `, reverted` or `, next`;
//! or `short N bytes`, `bad sectors N-M`, `bit flip`, `misdirected by N bytes`.

use super::plan::{CallName, ERRORS, Fault, FaultKind, FaultPlan, Space, SyncFailure, Which};
use std::str::FromStr;

/// A misdirected write goes at most so far: what it skips is held in memory.
const MISDIRECTED_MAX: u64 = 16 * 1024 * 1024;

pub(super) const CALLS: &[(&str, CallName)] = &[
    ("open", CallName::Open),
    ("stat", CallName::Stat),
    ("list_dir", CallName::ListDir),
    ("create_dir", CallName::CreateDir),
    ("rename", CallName::Rename),
    ("rename_no_replace", CallName::RenameNoReplace),
    ("remove_file", CallName::RemoveFile),
    ("sync_dir", CallName::SyncDir),
    ("try_lock", CallName::TryLock),
    ("read_at", CallName::ReadAt),
    ("write_at", CallName::WriteAt),
    ("size", CallName::Size),
    ("set_size", CallName::SetSize),
    ("sync", CallName::Sync),
    ("any", CallName::Any),
    ("change", CallName::Change),
];

impl FaultPlan {
    /// Reads a plan, one fault a line.
    ///
    /// # Errors
    /// What is wrong with which line.
    pub fn parse(lines: &[String]) -> Result<Self, String> {
        let mut plan = Self::default();
        for line in lines {
            plan.add_line(line.trim())
                .map_err(|error| format!("fault `{line}`: {error}"))?;
        }
        Ok(plan)
    }

    fn add_line(&mut self, line: &str) -> Result<(), String> {
        if let Some(text) = line.strip_prefix("space:") {
            self.spaces.push(parse_space(text, false)?);
        } else if let Some(text) = line.strip_prefix("quota:") {
            self.spaces.push(parse_space(text, true)?);
        } else if line == "boot_id: unknown" {
            self.is_boot_unknown = true;
        } else {
            self.faults.push(line.parse()?);
        }
        Ok(())
    }
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (head, what) = text.rsplit_once(": ").ok_or("there is no `: WHAT`")?;
        let mut parts = head.splitn(3, ' ');
        let which = parse_which(parts.next().unwrap_or_default())?;
        let name = parts.next().ok_or("there is no call")?;
        let call = CALLS
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, call)| *call)
            .ok_or_else(|| format!("there is no call `{name}`"))?;
        let pattern = parts
            .next()
            .and_then(|rest| rest.strip_prefix("on "))
            .ok_or("there is no `on PATTERN`")?;
        let kind = parse_kind(what.trim(), call)?;
        Ok(Self {
            which,
            call,
            pattern: pattern.to_owned(),
            kind,
        })
    }
}

fn parse_which(text: &str) -> Result<Which, String> {
    let number = |text: &str| text.parse().map_err(|_| format!("`{text}` is no number"));
    let which = match text.split_once('-') {
        None => {
            let first = number(text)?;
            Which {
                first,
                last: Some(first),
            }
        }
        Some((first, "")) => Which {
            first: number(first)?,
            last: None,
        },
        Some((first, last)) => Which {
            first: number(first)?,
            last: Some(number(last)?),
        },
    };
    if which.first == 0 || which.last.is_some_and(|last| last < which.first) {
        return Err("calls are counted from 1, upwards".to_owned());
    }
    Ok(which)
}

fn parse_kind(text: &str, call: CallName) -> Result<FaultKind, String> {
    if let Some((name, errno, _)) = ERRORS.iter().find(|(name, _, _)| text.starts_with(name)) {
        let rest = text.strip_prefix(name).unwrap_or_default();
        if call == CallName::Sync {
            let after = match rest {
                "" | ", clean" => SyncFailure::Clean,
                ", reverted" => SyncFailure::Reverted,
                ", next" => SyncFailure::Next,
                _ => return Err(format!("a sync leaves nothing like `{rest}`")),
            };
            return Ok(FaultKind::SyncFailure {
                errno: *errno,
                after,
            });
        }
        let after = if rest.is_empty() {
            0
        } else {
            between(rest, " after ", " bytes")?
        };
        require(
            after == 0 || call == CallName::WriteAt,
            "only a write stops after some bytes",
        )?;
        return Ok(FaultKind::Error {
            errno: *errno,
            after,
        });
    }
    let is_write = call == CallName::WriteAt;
    if text.starts_with("short ") {
        require(
            is_write || call == CallName::ReadAt,
            "only transfers are short",
        )?;
        let bytes = between(text, "short ", " bytes")?;
        require(bytes > 0, "a transfer moves at least one byte")?;
        return Ok(FaultKind::Short { bytes });
    }
    if let Some(range) = text.strip_prefix("bad sectors ") {
        require(call == CallName::ReadAt, "only reads meet bad sectors")?;
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let number = |text: &str| text.parse().map_err(|_| format!("`{text}` is no number"));
        let (first, last) = (number(first)?, number(last)?);
        return Ok(FaultKind::BadSectors { first, last });
    }
    if text == "bit flip" {
        require(call == CallName::ReadAt, "only reads meet flipped bits")?;
        return Ok(FaultKind::BitFlip);
    }
    let bytes = between(text, "misdirected by ", " bytes")?;
    require(is_write, "only writes are misdirected")?;
    require(
        bytes <= MISDIRECTED_MAX,
        "a write is misdirected by at most 16777216 bytes",
    )?;
    Ok(FaultKind::Misdirected { bytes })
}

fn require(is_so: bool, otherwise: &str) -> Result<(), String> {
    if is_so {
        Ok(())
    } else {
        Err(otherwise.to_owned())
    }
}

/// The number between two texts.
fn between(text: &str, before: &str, after: &str) -> Result<u64, String> {
    text.strip_prefix(before)
        .and_then(|rest| rest.strip_suffix(after))
        .and_then(|number| number.parse().ok())
        .ok_or_else(|| format!("`{}` is not understood", text.trim()))
}

fn parse_space(text: &str, is_quota: bool) -> Result<Space, String> {
    let (mut rest, mut until, mut from) = (text, None, 1);
    if let Some((head, number)) = rest.split_once(" until call ") {
        until = Some(
            number
                .parse()
                .map_err(|_| format!("`{number}` is no call"))?,
        );
        rest = head;
    }
    if let Some((head, number)) = rest.split_once(" from call ") {
        from = number
            .parse()
            .map_err(|_| format!("`{number}` is no call"))?;
        rest = head;
    }
    Ok(Space {
        bytes: between(rest, " ", " bytes")?,
        is_quota,
        from,
        until,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_survives_being_read_and_written() {
        let lines: Vec<String> = [
            "3 write_at on *.dat: ENOSPC after 100 bytes",
            "2-9 open on *: EMFILE",
            "5- change on *: EROFS",
            "1 sync on *.dat: EIO, clean",
            "1 sync on *.dat: ENOSPC, reverted",
            "1 sync on *.dat: EIO, next",
            "1 read_at on /data/*: bad sectors 0-7",
            "4 read_at on *: bit flip",
            "4 read_at on a name with: colon: short 10 bytes",
            "3 write_at on *: misdirected by 512 bytes",
            "space: 8192 bytes from call 10 until call 60",
            "quota: 0 bytes",
            "boot_id: unknown",
        ]
        .map(str::to_owned)
        .to_vec();
        assert_eq!(FaultPlan::parse(&lines).unwrap().lines(), lines);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for line in [
            "",
            "write_at on *: EIO",
            "0 write_at on *: EIO",
            "3-2 write_at on *: EIO",
            "1 write on *: EIO",
            "1 write_at: EIO",
            "1 write_at on *: ENOENT",
            "1 read_at on *: ENOSPC after 3 bytes",
            "1 open on *: short 3 bytes",
            "1 read_at on *: short 0 bytes",
            "1 sync on *: EIO, lost",
            "1 write_at on *: bit flip",
            "space: many bytes",
            "1 write_at on *: misdirected by 16777217 bytes",
        ] {
            assert!(FaultPlan::parse(&[line.to_owned()]).is_err(), "{line}");
        }
    }
}
