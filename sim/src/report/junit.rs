//! A check as JUnit's XML, for test reporters: a suite for each engine, a case for each clause.
//! Clauses that were not judged are skipped cases and say why.

use super::summary::shown_again;
use super::{Paint, timeline};
use crate::explore::{CheckReport, ClauseRow, Found, Verdict};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// The document. `replay_files` has the file of each violation, in order, if there is one.
///
/// # Panics
/// If XML cannot be written to memory.
#[must_use]
pub fn junit(report: &CheckReport, replay_files: &[Option<String>]) -> String {
    let mut document = Report::new("crashline check");
    for rows in report
        .clauses
        .chunk_by(|one, next| one.engine == next.engine)
    {
        let name = rows.first().map_or("", |row| row.engine.as_str());
        let mut suite = TestSuite::new(name);
        for row in rows {
            let mut found = report.found.iter().zip(replay_files);
            let broken =
                found.find(|(found, _)| found.engine == row.engine && found.clause == row.clause);
            let is_expected = broken.is_some_and(|(found, _)| report.expects(found));
            suite.add_test_case(case_of(row, broken, is_expected));
        }
        document.add_test_suite(suite);
    }
    document.add_test_suite(whole(report));
    document.to_string().expect("XML can be written to memory")
}

/// What no single clause tells: whether everything was decided.
fn whole(report: &CheckReport) -> TestSuite {
    let status = match &report.verdict {
        Verdict::Pass | Verdict::Fail => TestCaseStatus::success(),
        Verdict::Unknown(reason) => not_done(reason),
        Verdict::Nothing => not_done("there was nothing to check"),
    };
    let mut suite = TestSuite::new("check");
    suite.add_test_case(TestCase::new("everything was decided", status));
    suite
}

fn not_done(reason: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_message(reason);
    status
}

fn case_of(
    row: &ClauseRow,
    broken: Option<(&Found, &Option<String>)>,
    is_expected: bool,
) -> TestCase {
    let info = row.clause.info();
    let status = match (broken, &row.skipped) {
        (Some((found, _)), _) if is_expected => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(format!(
                "broken as the baseline expects: {}",
                found.evidence
            ));
            status
        }
        (Some((found, file)), _) => {
            let story = timeline(&found.timeline, Paint::new(false));
            let again = shown_again(found, file.as_deref(), str::to_owned);
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status
                .set_message(&found.evidence)
                .set_type(info.id)
                .set_description(format!("{story}{again}\n"));
            status
        }
        (None, Some(reason)) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(reason);
            status
        }
        (None, None) => TestCaseStatus::success(),
    };
    let mut case = TestCase::new(format!("{} {}", info.id, info.name), status);
    case.set_classname(&row.engine);
    case.assertions = Some(usize::try_from(row.judged).unwrap_or(usize::MAX));
    case
}
