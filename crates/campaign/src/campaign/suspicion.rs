//! Signs that a campaign is not set up as its user wants it.

use std::collections::HashMap;

/// The failures after which a program with an issue for nearly each of them is reported.
const ENOUGH: u64 = 20;
/// The tests after which a program that fails every time is reported.
const ALL: u64 = 50;

/// Counts what is unusual, and reports each sign once.
#[derive(Debug, Default)]
pub(super) struct Suspicion {
    counts: HashMap<String, Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    tests: u64,
    failures: u64,
    limits: u64,
    issues: u64,
    said_unique: bool,
    said_always: bool,
}

impl Suspicion {
    /// Counts a slice of a program. Returns what the user should know.
    pub(super) fn count(
        &mut self,
        program: &str,
        (tests, failures, limits): (u64, u64, u64),
        issues: u64,
    ) -> Vec<String> {
        let counts = self.counts.entry(program.to_owned()).or_default();
        counts.tests += tests;
        counts.failures += failures;
        counts.limits += limits;
        counts.issues += issues;
        let mut signs = vec![];
        let is_unique = counts.issues >= ENOUGH && counts.issues * 10 >= counts.failures * 8;
        if is_unique && !std::mem::replace(&mut counts.said_unique, true) {
            signs.push(format!(
                "nearly every failure of {program} is an issue of its own ({} issues, {} \
                 failures): say what tells them apart with `identity = [\"…\"]`",
                counts.issues, counts.failures
            ));
        }
        let is_always = counts.tests >= ALL && counts.failures + counts.limits == counts.tests;
        if is_always && !std::mem::replace(&mut counts.said_always, true) {
            let what = match counts.limits == counts.tests {
                true => "hits a limit: is the `timeout` long enough?",
                false => "fails: is the command right?",
            };
            signs.push(format!(
                "every test of {program} {what} `nubbin campaign check` runs one test"
            ));
        }
        signs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sign_is_reported_once() {
        let mut suspicion = Suspicion::default();
        assert_eq!(suspicion.count("p", (1000, 19, 0), 19).len(), 0);
        assert_eq!(suspicion.count("p", (10, 1, 0), 1).len(), 1);
        assert_eq!(suspicion.count("p", (10, 1, 0), 1).len(), 0);
        assert_eq!(suspicion.count("q", (50, 49, 1), 1).len(), 1);
        assert_eq!(suspicion.count("q", (50, 50, 0), 0).len(), 0);
    }

    #[test]
    fn a_bug_that_is_met_often_is_no_sign() {
        let mut suspicion = Suspicion::default();
        assert_eq!(suspicion.count("p", (5000, 4000, 0), 30).len(), 0);
    }
}
