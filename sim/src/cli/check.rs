//! `check`: the gate. Flags become a plan, the plan is explored, the report is printed, and every
//! violation is saved as a replay file.

use super::args::{CheckArguments, CheckFormat};
use super::baseline::Baseline;
use super::failure::Failure;
use super::files::refuse_no_folder;
use super::heading::heading;
use super::known::Known;
use super::output::{Output, say};
use super::plan::plan_of;
use super::progress::{Watch, Way};
use super::smaller::smaller;
use super::stop::Stop;
use super::{Exit, show::show};
use crate::explore::{CheckError, CheckPlan, CheckReport, Progress, Verdict};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

/// Candidates that are run at most to make a violation smaller; `shrink` tries harder.
const TRIES_MAX: u32 = 300;

/// Takes note of progress, on any thread.
type Note<'a> = &'a (dyn Fn(Progress) + Sync);

/// What explores a plan.
pub(super) type Checker<'a> =
    dyn Fn(&CheckPlan, Note<'_>, &AtomicBool) -> Result<CheckReport, CheckError> + 'a;

/// Runs the command.
pub(super) fn check(
    arguments: &CheckArguments,
    known: &Known,
    checker: &Checker<'_>,
    output: &mut Output,
) -> Result<Exit, Failure> {
    let plan = plan_of(arguments, known)?;
    let baseline = arguments.baseline.as_deref();
    let baseline = baseline.map(|path| Baseline::read(path, plan.shard));
    let baseline = baseline.transpose()?;
    refuse_no_folder(&arguments.out)?;
    let stop = Stop::on_signals()?;
    if matches!(arguments.format, CheckFormat::Text | CheckFormat::Github) {
        output.lines(&heading(&plan))?;
        output.flush()?;
    }
    let way = match arguments.format {
        CheckFormat::Text | CheckFormat::Junit | CheckFormat::Github => Way::for_people(),
        CheckFormat::Json => Way::Events(output),
    };
    let watch = Watch::start(&stop, plan.time_limit_ms, way);
    let report = if plan.budget == Some(0) || plan.cases == Some(0) {
        Ok(nothing())
    } else {
        checker(&plan, &|progress| watch.note(progress), stop.flag())
    };
    let mut report = report.map_err(Failure::from)?;
    for found in &mut report.found {
        if found.timeline.entries.is_empty() {
            *found = smaller(found, TRIES_MAX, &|| watch.is_over())?.0;
        }
    }
    let took = watch.finish();
    if let Some(baseline) = &baseline {
        baseline.apply(&mut report);
    }
    show(arguments, (&plan, &report), stop.interrupted(), output)?;
    say(&format!("crashline: took {:.1} s", took.as_secs_f64()));
    if stop.interrupted() {
        return Ok(Exit::Interrupted);
    }
    if let Some(baseline) = &baseline {
        baseline.tell(&report);
    }
    Ok(Exit::of(&report.verdict))
}

/// The report of a check without scenarios.
fn nothing() -> CheckReport {
    CheckReport {
        rows: Vec::new(),
        clauses: Vec::new(),
        found: Vec::new(),
        expected: BTreeSet::new(),
        marks: Vec::new(),
        faults: Vec::new(),
        digest: None,
        verdict: Verdict::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::check_arguments;
    use crate::cli::known::{KnownEngine, KnownProfile};
    use crate::cli::saved;
    use crate::explore::{ClauseRow, Found, Timeline};
    use crate::scenario::{Clause, FORMAT, FifoOptions, RunKind, Scenario};
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Page(Arc<Mutex<Vec<u8>>>);

    impl Write for Page {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn found() -> Found {
        Found {
            clause: Clause::Q3,
            evidence: "message #1 is lost".to_owned(),
            step: None,
            engine: "toylog".to_owned(),
            profile: "posix-min".to_owned(),
            scenario: Scenario {
                format: FORMAT,
                engine: "toylog".to_owned(),
                options: FifoOptions::default(),
                quirks: Vec::new(),
                profile: "posix-min".to_owned(),
                run: RunKind::Crashes,
                with_dir_sync: false,
                seed: 1,
                steps: Vec::new(),
                log: None,
                offsets: None,
                cluster: None,
                faults: Vec::new(),
                damage: Vec::new(),
                planted: Vec::new(),
                crashes: Vec::new(),
            },
            timeline: Timeline::default(),
        }
    }

    fn report(verdict: Verdict, found: Vec<Found>) -> CheckReport {
        CheckReport {
            rows: Vec::new(),
            clauses: Vec::new(),
            found,
            expected: BTreeSet::new(),
            marks: Vec::new(),
            faults: Vec::new(),
            digest: Some(7),
            verdict,
        }
    }

    /// Runs `check` with these flags on an explorer that finds `report`.
    fn checked(flags: &[&str], report: &CheckReport) -> (Exit, String) {
        let known = Known {
            engines: vec![KnownEngine {
                name: "toylog".to_owned(),
                text: String::new(),
                by_default: true,
            }],
            profiles: vec![KnownProfile {
                name: "posix-min".to_owned(),
                text: String::new(),
                by_default: true,
                honest: true,
                asked: String::new(),
            }],
            quirks: Vec::new(),
        };
        let page = Page::default();
        let mut output = Output::to(Box::new(page.clone()), false);
        let explorer = |_: &CheckPlan, note: Note<'_>, _: &AtomicBool| {
            note(Progress::default());
            Ok(report.clone())
        };
        let exit = check(&check_arguments(flags), &known, &explorer, &mut output).unwrap();
        let text = String::from_utf8(page.0.lock().unwrap().clone()).unwrap();
        (exit, text)
    }

    #[test]
    fn every_verdict_has_its_exit_code() {
        let unknown = Verdict::Unknown("the time limit came first".to_owned());
        let expected = [
            (Verdict::Pass, 0),
            (Verdict::Fail, 1),
            (unknown, 3),
            (Verdict::Nothing, 4),
        ];
        for (verdict, code) in expected {
            let (exit, text) = checked(&[], &report(verdict, Vec::new()));
            assert_eq!(exit.code(), code);
            assert!(text.contains("digest 00000000000000000000000000000007"));
        }
    }

    #[test]
    fn a_violation_leaves_a_replay_file_that_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("new/folder");
        let out = out.to_str().unwrap();
        let (_, text) = checked(&["--out", out], &report(Verdict::Fail, vec![found()]));
        let command = text
            .lines()
            .find_map(|line| line.strip_prefix("replay: crashline replay "))
            .map(|command| command.trim_end_matches(" --clause Q3"));
        let file = command.expect("the command is told");
        assert!(file.starts_with(&format!("{out}/toylog-Q3-")));
        let read = saved::read_scenario(std::path::Path::new(file)).unwrap();
        assert_eq!(read, found().scenario);
    }

    #[test]
    fn what_could_not_be_saved_is_told_itself() {
        let folder = tempfile::tempdir().unwrap();
        let Found {
            clause, scenario, ..
        } = found();
        let taken = saved::path_of(folder.path(), clause, &scenario);
        crate::cli::files::write_text(&taken.join("file"), "").unwrap();
        let out = folder.path().to_str().unwrap();
        for format in ["text", "json", "junit", "github"] {
            let flags = ["--out", out, "--format", format];
            let mut report = report(Verdict::Fail, vec![found()]);
            report.clauses.push(ClauseRow {
                engine: "toylog".to_owned(),
                clause: Clause::Q3,
                judged: 1,
                violations: 1,
                skipped: None,
            });
            let (_, text) = checked(&flags, &report);
            assert!(!text.contains("crashline replay"), "{format}: {text}");
            assert!(text.contains("steps"), "{format}: {text}");
        }
    }

    #[test]
    fn events_come_one_a_line_and_the_summary_last() {
        let folder = tempfile::tempdir().unwrap();
        let flags = ["--format", "json", "--out", folder.path().to_str().unwrap()];
        let (exit, text) = checked(&flags, &report(Verdict::Fail, vec![found()]));
        assert_eq!(exit, Exit::Violation);
        let events: Vec<serde_json::Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let names: Vec<&str> = events
            .iter()
            .map(|event| event["event"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["progress", "violation", "summary"]);
        assert_eq!(events[2]["verdict"], "fail");
    }

    #[test]
    fn nothing_is_written_where_nothing_was_found() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        checked(
            &["--out", out.to_str().unwrap()],
            &report(Verdict::Pass, Vec::new()),
        );
        assert!(!out.exists());
    }
}
