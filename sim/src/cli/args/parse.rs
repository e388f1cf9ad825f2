//! Values of flags: counts, times, shares, kinds of runs.

use crate::explore::Shard;
use crate::scenario::RunKind;

pub(in crate::cli) fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least 1 is needed".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err("a whole number is needed".to_owned()),
    }
}

/// More threads than any machine has cores make nothing faster.
const JOBS_MAX: usize = 1024;

/// A number of threads.
pub(in crate::cli) fn jobs(text: &str) -> Result<usize, String> {
    match at_least_one(text)? {
        number if number > JOBS_MAX => Err(format!("there can be 1 to {JOBS_MAX} threads")),
        number => Ok(number),
    }
}

/// A time such as `90`, `90s`, `500ms`, `10m` or `2h`, in milliseconds.
pub(super) fn milliseconds(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|one: char| one.is_ascii_alphabetic());
    let unit = match text.get(digits.len()..) {
        Some("ms") => 1,
        Some("s" | "") => 1_000,
        Some("m") => 60_000,
        Some("h") => 3_600_000,
        _ => return Err("its unit is none of ms, s, m, h".to_owned()),
    };
    let number: u64 = digits
        .parse()
        .map_err(|_| "a whole number with ms, s, m or h is needed, such as 90s".to_owned())?;
    let limit = number.checked_mul(unit);
    limit.ok_or_else(|| "that is longer than can be counted".to_owned())
}

/// A share of a check such as `2/3`: the second of three.
pub(super) fn shard(text: &str) -> Result<Shard, String> {
    let parsed = text.split_once('/').and_then(|(number, count)| {
        Some(Shard {
            number: number.parse().ok()?,
            count: count.parse().ok()?,
        })
    });
    match parsed {
        Some(shard) if shard.number >= 1 && shard.number <= shard.count => Ok(shard),
        Some(_) => Err("shards are numbered from 1 to their count".to_owned()),
        None => Err("a number and a count are needed, such as 2/3".to_owned()),
    }
}

/// A kind of run by its name.
pub(super) fn run_kind(text: &str) -> Result<RunKind, String> {
    let kind = RunKind::ALL.into_iter().find(|kind| kind.name() == text);
    kind.ok_or_else(|| {
        let names = RunKind::ALL.map(RunKind::name);
        format!("there are {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(milliseconds("90"), Ok(90_000));
        assert_eq!(milliseconds("250ms"), Ok(250));
        assert_eq!(milliseconds("10m"), Ok(600_000));
        assert_eq!(milliseconds("2h"), Ok(7_200_000));
        for wrong in ["", "m", "5d", "-1s", "1.5s", "99999999999999999999s"] {
            assert!(milliseconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn threads_are_from_one_to_many() {
        assert_eq!((jobs("1"), jobs("1024")), (Ok(1), Ok(1024)));
        assert_eq!(jobs("1025").unwrap_err(), "there can be 1 to 1024 threads");
        assert_eq!(jobs("0").unwrap_err(), "at least 1 is needed");
        assert_eq!(jobs("-1").unwrap_err(), "a whole number is needed");
    }

    #[test]
    fn runs_have_names() {
        assert_eq!(run_kind("damage"), Ok(RunKind::Damage));
        let refused = run_kind("damages").unwrap_err();
        assert_eq!(refused, "there are crashes, errors, calls, damage, orders");
    }

    #[test]
    fn shards_count_from_one() {
        assert_eq!(
            shard("2/3"),
            Ok(Shard {
                number: 2,
                count: 3
            })
        );
        for wrong in ["", "2", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/2"] {
            assert!(shard(wrong).is_err(), "{wrong}");
        }
    }
}
