//! The failures that a program shows with any test, found with an empty test.

use crate::fuzz::{Found, Test};
use crate::issue::Issue;
use crate::program::{Program, ProgramError};
use crate::rules::Outcome;
use nubbin_verdict::Cancel;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A test of a few bytes that is meaningless to most programs.
const TRIVIAL: &[u8] = b"0\n";
/// The maximum number of characters of a program's output in a warning.
const LONGEST: usize = 200;

/// The failures that a program shows with a test that has nothing in it.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    empty: Option<Found>,
    trivial: Option<Found>,
}

/// The baselines of programs, by the indices and versions of the programs. Each baseline is
/// computed once.
#[derive(Debug, Default)]
pub(super) struct Baselines(Mutex<KnownBaselines>);

type KnownBaselines = HashMap<(usize, String), Arc<Baseline>>;

impl Baselines {
    pub(super) fn lock(&self) -> MutexGuard<'_, KnownBaselines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Baseline {
    /// Runs a program with an empty and with a trivial test. Returns `None` if it was stopped.
    pub(super) fn of(
        program: &Program,
        slot: usize,
        stop: &Cancel,
    ) -> Result<Option<Self>, ProgramError> {
        let mut found = vec![];
        for text in [b"", TRIVIAL] {
            let observed = program.run(text, slot, stop)?;
            if observed.outcome == Outcome::Stopped {
                return Ok(None);
            }
            found.push(Found::of(&Test::new(text), &observed));
        }
        let trivial = found.pop().flatten();
        let empty = found.pop().flatten();
        Ok(Some(Baseline { empty, trivial }))
    }

    /// Returns the failure of the empty test, if it is the failure of an issue.
    pub(super) fn shown<'a>(&'a self, issue: &Issue, version: &str) -> Option<&'a Found> {
        let is_same = |found: &&Found| issue.is_shown_by(&found.identity, version);
        self.empty.as_ref().filter(is_same)
    }

    /// Returns the warning about an issue that an empty test shows as well.
    pub(super) fn warning(
        &self,
        program: &str,
        issue: &Issue,
        version: &str,
        found: &Found,
    ) -> String {
        let is_same = |found: &Found| issue.is_shown_by(&found.identity, version);
        let id = issue.id;
        let (what, then) = match self.trivial.as_ref().is_some_and(is_same) {
            true => (
                "whatever it is given",
                "; does the command work, and does it read the test?",
            ),
            false => ("with an empty test as well", ""),
        };
        let output = String::from_utf8_lossy(&found.output);
        let line = output.lines().rev().find(|line| !line.trim().is_empty());
        let line: String = line
            .unwrap_or_default()
            .trim()
            .chars()
            .take(LONGEST)
            .collect();
        let said = match line.is_empty() {
            true => String::new(),
            false => format!(": {line}"),
        };
        format!(
            "{program} shows issue {id} {what}, so the issue is not reduced: the empty test ended \
             with {}{said}{then}",
            found.exit
        )
    }
}
