//! Jobs that find out which parts of a test matter.

use super::passing::passes;
use super::progress::Keeper;
use super::{Broken, Campaign};
use crate::event::{Event, EventKind};
use crate::issue::Issue;
use crate::pattern::TestPattern;
use crate::reasons::reasons;
use crate::reduce::Task;

/// The maximum number of tests of an explanation.
const MAX_TESTS: u64 = 500;

impl Campaign {
    /// Explains the smallest test of an issue. Returns whether the job is over.
    pub(super) fn explain(&self, issue: &Issue, at: usize, slot: usize) -> Result<bool, Broken> {
        let jobs = &self.jobs.programs[at];
        let Some(explain) = &jobs.explain else {
            return Ok(true);
        };
        let keeper = Keeper::new(self, issue.id, slot, issue.test.len());
        let task = Task {
            program: &jobs.program,
            issue,
            slot,
            at_once: jobs.program.at_once(self.budget.cores),
            known: vec![],
            stop: &self.cancels[slot],
            max_tests: MAX_TESTS,
            max_time: jobs.reduction_time,
            progress: &keeper,
        };
        let mut found = explain.explain(&task);
        // A flaky test may not show its issue in every run.
        if matches!(found, Ok(None)) && !self.cancels[slot].is_cancelled() {
            found = explain.explain(&task);
        }
        self.record_others(issue, at, &keeper.others())?;
        if self.cancels[slot].is_cancelled() {
            return Ok(false);
        }
        match found {
            Ok(Some(pattern)) => self.record_pattern(issue, &pattern)?,
            Ok(None) => self.warn(format!(
                "issue {} has no explanation: its test did not show it, or hit a limit",
                issue.id
            ))?,
            Err(error) => {
                self.warn(reasons(&error))?;
                return Ok(!passes(&error));
            }
        }
        Ok(true)
    }

    fn record_pattern(&self, issue: &Issue, pattern: &TestPattern) -> Result<(), Broken> {
        let (mut state, recorded) = self.store(self.lock(), |store| {
            store.record_explanation(issue.id, issue.smallest(), pattern)
        });
        if !recorded? {
            // The test has become smaller, or the issue was deleted in the meantime.
            return Ok(());
        }
        let any = pattern.pieces.iter().filter(|it| it.any.is_some()).count();
        let text = format!(
            "issue {} was explained: {any} of {} pieces of its test may be anything of their kind",
            issue.id,
            pattern.pieces.len()
        );
        let event = Event::of_issue(EventKind::IssueUpdated, issue.id, text);
        self.tell(&mut state, event.fact("tests", pattern.tests))
    }
}
