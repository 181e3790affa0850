//! Signs of mistakes in the setup of a campaign.

use crate::fuzz::SliceEnd;
use std::collections::{BTreeMap, HashMap};

/// The failures after which a program with an issue for nearly each of them is reported.
const MIN_ISSUES: u64 = 20;
/// The tests after which a program that fails every time is reported.
const ALL: u64 = 50;
/// The same, if no further test follows.
const ALL_AT_END: u64 = 5;

/// Counts unusual outcomes, and reports each sign once.
#[derive(Debug, Default)]
pub(super) struct Suspicion {
    counts: HashMap<String, Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    tests: u64,
    failures: u64,
    limits: u64,
    unstarted: u64,
    issues: u64,
    /// Whether some tests are expected to fail.
    expects_failures: bool,
    said_unique: bool,
    said_unstarted: bool,
    said_always: bool,
    /// The tests without a failure by the exit codes of the program.
    codes: BTreeMap<i32, u64>,
    code_line: Option<String>,
    said_same: bool,
}

impl Counts {
    /// Returns the sign of a program that rejects every test, or that never reads one: each ends
    /// with the same exit code, which is not 0.
    fn same_end(&mut self, program: &str, is_last: bool) -> Option<String> {
        let (code, tests) = self.codes.first_key_value()?;
        let is_enough = self.tests >= ALL || is_last && self.tests >= ALL_AT_END;
        let is_sign = *code != 0 && *tests == self.tests && is_enough && !self.expects_failures;
        if !is_sign || self.said_unstarted || std::mem::replace(&mut self.said_same, true) {
            return None;
        }
        let line = self.code_line.as_deref().filter(|line| !line.is_empty());
        let line = line.map_or(String::new(), |line| format!(", the first with `{line}`"));
        Some(format!(
            "every test of {program} ends with exit code {code}{line}, which does not count as a failure: if the \
             command is wrong, correct it (`nubbin campaign check` runs one test); if the program \
             rejects all tests, use a generator of valid ones; if the exit code is the failure, add \
             `exit = [{code}]`"
        ))
    }
}

impl Suspicion {
    /// Counts a slice of a program, whose tests may be expected to fail. Returns a warning for the
    /// user. `is_last` says that no further test follows.
    pub(super) fn count(
        &mut self,
        program: &str,
        slice: &SliceEnd,
        issues: u64,
        (expects_failures, is_last): (bool, bool),
    ) -> Vec<String> {
        let counts = self.counts.entry(program.to_owned()).or_default();
        counts.tests += slice.tests;
        counts.failures += slice.failures;
        counts.limits += slice.limits;
        counts.unstarted += slice.unstarted;
        counts.issues += issues;
        for (code, tests) in &slice.codes {
            *counts.codes.entry(*code).or_default() += tests;
        }
        if counts.code_line.is_none() {
            counts.code_line.clone_from(&slice.code_line);
        }
        let mut signs = vec![];
        let is_unstarted = counts.tests > 0 && counts.unstarted == counts.tests;
        if is_unstarted && !std::mem::replace(&mut counts.said_unstarted, true) {
            let line = slice.unstarted_line.as_deref().unwrap_or_default();
            signs.push(format!(
                "the command of {program} cannot be started: every test exits with code 126 or \
                 127, and the last line is `{line}`"
            ));
        }
        let is_unique = counts.issues >= MIN_ISSUES && counts.issues * 10 >= counts.failures * 8;
        if is_unique && !std::mem::replace(&mut counts.said_unique, true) {
            signs.push(format!(
                "nearly every failure of {program} is an issue of its own ({} issues, {} \
                 failures): distinguish them with `identity = [\"…\"]`",
                counts.issues, counts.failures
            ));
        }
        counts.expects_failures |= expects_failures;
        signs.extend(counts.same_end(program, is_last));
        let is_limit = counts.limits == counts.tests;
        let is_always = counts.failures + counts.limits == counts.tests;
        let is_sign = is_always && (is_limit || !counts.expects_failures);
        if counts.tests >= ALL && is_sign && !std::mem::replace(&mut counts.said_always, true) {
            signs.push(match is_limit {
                true => {
                    format!("every test of {program} hits a limit: is the time limit long enough?")
                }
                false => format!(
                    "every test of {program} fails: is the command right? `nubbin campaign check` \
                     runs one test"
                ),
            });
        }
        signs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slice(tests: u64, failures: u64, limits: u64) -> SliceEnd {
        SliceEnd {
            tests,
            failures,
            limits,
            ..SliceEnd::default()
        }
    }

    #[test]
    fn each_sign_is_reported_once() {
        let mut suspicion = Suspicion::default();
        for (program, slice, issues, signs) in [
            ("p", slice(1000, 19, 0), 19, 0),
            ("p", slice(10, 1, 0), 1, 1),
            ("p", slice(10, 1, 0), 1, 0),
            ("q", slice(50, 49, 1), 1, 1),
            ("q", slice(50, 50, 0), 0, 0),
        ] {
            let said = suspicion.count(program, &slice, issues, (false, false));
            assert_eq!(said.len(), signs, "{said:?}");
        }
    }

    #[test]
    fn a_bug_that_is_met_often_is_no_sign() {
        let mut suspicion = Suspicion::default();
        assert_eq!(
            suspicion
                .count("p", &slice(5000, 4000, 0), 30, (false, false))
                .len(),
            0
        );
    }

    #[test]
    fn files_of_a_folder_of_crashes_may_all_fail() {
        let mut suspicion = Suspicion::default();
        assert_eq!(
            suspicion
                .count("p", &slice(200, 200, 0), 3, (true, false))
                .len(),
            0
        );
        // A limit that all files hit is still a sign of a wrong setting.
        assert_eq!(
            suspicion
                .count("q", &slice(200, 0, 200), 0, (true, false))
                .len(),
            1
        );
    }

    #[test]
    fn a_command_that_is_never_started_is_reported_after_its_first_tests() {
        let mut suspicion = Suspicion::default();
        let unstarted = SliceEnd {
            unstarted: 1,
            unstarted_line: Some("sh: p: not found".into()),
            ..slice(1, 0, 0)
        };
        let signs = suspicion.count("p", &unstarted, 0, (true, false));
        assert!(signs[0].contains("sh: p: not found"), "{signs:?}");
        assert_eq!(suspicion.count("p", &unstarted, 0, (true, false)).len(), 0);
        suspicion.count("q", &slice(1, 0, 0), 0, (false, false));
        assert_eq!(suspicion.count("q", &unstarted, 0, (false, false)).len(), 0);
    }

    #[test]
    fn an_exit_code_that_every_test_has_is_reported_once_and_at_the_end_of_few_tests() {
        let usage = |tests: u64, code: i32| SliceEnd {
            codes: BTreeMap::from([(code, tests)]),
            code_line: Some("usage: p FILE".into()),
            ..slice(tests, 0, 0)
        };
        let mut suspicion = Suspicion::default();
        assert!(
            suspicion
                .count("p", &usage(49, 2), 0, (false, false))
                .is_empty()
        );
        let signs = suspicion.count("p", &usage(1, 2), 0, (false, false));
        assert!(
            signs[0].contains("exit code 2, the first with `usage: p FILE`"),
            "{signs:?}"
        );
        assert!(
            suspicion
                .count("p", &usage(1, 2), 0, (false, true))
                .is_empty()
        );
        assert_eq!(
            suspicion.count("q", &usage(5, 2), 0, (false, true)).len(),
            1
        );
        for (code, is_expected) in [(0, false), (2, true)] {
            let name = format!("r{code}");
            let signs = suspicion.count(&name, &usage(50, code), 0, (is_expected, true));
            assert!(signs.is_empty(), "{signs:?}");
        }
        // One test that ends in another way shows that the program reads its tests.
        suspicion.count("s", &usage(1, 0), 0, (false, false));
        assert!(
            suspicion
                .count("s", &usage(99, 2), 0, (false, true))
                .is_empty()
        );
    }
}
