//! The failures that a program shows with any test, found by an empty one.

use super::slice::passes;
use super::{Broken, Campaign};
use crate::event::{Event, EventKind};
use crate::fuzz::{Found, Test};
use crate::issue::{Issue, Reduction};
use crate::program::{Program, ProgramError};
use crate::reasons::reasons;
use crate::rules::Outcome;
use nubbin_verdict::Cancel;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A test of a few bytes that says nothing to most programs.
const TRIVIAL: &[u8] = b"0\n";
/// The maximum number of characters of a program's output in a warning.
const LONGEST: usize = 200;

/// The failures that a program shows with a test that has nothing in it.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    empty: Option<Found>,
    trivial: Option<Found>,
}

/// The baselines of programs, by their places and versions. Each is found out once.
#[derive(Debug, Default)]
pub(super) struct Baselines(Mutex<KnownBaselines>);

type KnownBaselines = HashMap<(usize, String), Arc<Baseline>>;

impl Baselines {
    fn lock(&self) -> MutexGuard<'_, KnownBaselines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Baseline {
    /// Runs a program with an empty and with a trivial test. Returns `None` if it was stopped.
    fn of(program: &Program, slot: usize, stop: &Cancel) -> Result<Option<Self>, ProgramError> {
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

    /// Returns the failure of the empty test, if it is that of an issue.
    fn shown<'a>(&'a self, issue: &Issue, version: &str) -> Option<&'a Found> {
        let is_same = |found: &&Found| issue.is_shown_by(&found.identity, version);
        self.empty.as_ref().filter(is_same)
    }

    /// Returns what the user should know of an issue that an empty test shows as well.
    fn warning(&self, program: &str, issue: &Issue, version: &str, found: &Found) -> String {
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

impl Campaign {
    /// Records that an issue is not reduced if an empty test shows it: every part of its test could
    /// be removed, and the result would say nothing. Returns `None` if that cannot be told now:
    /// the campaign has ended, or the place of its tests is away.
    pub(super) fn is_shown_by_nothing(
        &self,
        issue: &Issue,
        at: usize,
        slot: usize,
    ) -> Result<Option<bool>, Broken> {
        let program = &self.jobs.programs[at].program;
        let version = program.version();
        let key = (at, version.clone());
        let known = self.baselines.lock().get(&key).map(Arc::clone);
        let baseline = match known {
            Some(baseline) => baseline,
            None => match Baseline::of(program, slot, &self.cancels[slot]) {
                Ok(Some(baseline)) => {
                    let baseline = Arc::new(baseline);
                    self.baselines.lock().insert(key, Arc::clone(&baseline));
                    baseline
                }
                Ok(None) => return Ok(None),
                // A farm that is away for a moment must not let the issue be reduced to nothing.
                Err(error) if passes(&error) => {
                    let text = format!("issue {} cannot be reduced: {}", issue.id, reasons(&error));
                    self.warn(text)?;
                    return Ok(None);
                }
                // The reduction reports it.
                Err(_) => return Ok(Some(false)),
            },
        };
        let Some(found) = baseline.shown(issue, &version) else {
            return Ok(Some(false));
        };
        let (mut state, recorded) = self.store(self.lock(), |store| {
            store.record_reduced(issue.id, None, None, 0, Reduction::Empty)
        });
        recorded?;
        let text = baseline.warning(program.name(), issue, &version, found);
        self.tell(
            &mut state,
            Event::of_issue(EventKind::Warning, issue.id, text),
        )?;
        Ok(Some(true))
    }
}
