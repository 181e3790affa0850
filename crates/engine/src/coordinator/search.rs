//! The search from its start to a result that still fails when it is tested once more.

use super::super::event::Event;
use super::super::flaky::Reproduction;
use super::super::outcome::Ended;
use super::state::Coordinator;
use nubbin_verdict::{Verdict, VerdictKind};

/// The end of a search, and the outcome of the last runs of its result.
pub(super) struct Checked {
    pub(super) ended: Ended,
    /// The failures of the original, if the test is flaky.
    pub(super) original: Option<Reproduction>,
    /// The failures of the result.
    pub(super) reproduction: Option<Reproduction>,
    /// The verdict of the last test of the result, or the verdict that follows from all its runs.
    pub(super) verified: Option<Verdict>,
}

impl Coordinator<'_> {
    /// Tests the result of a search once more. If the result does not fail, and no earlier check
    /// has shown that the test is flaky, the search continues with several runs for each candidate.
    pub(super) fn check_result(&mut self, mut ended: Ended) -> Checked {
        loop {
            self.finish_tests();
            let (original, reproduction) = self.reproductions();
            let verified = match reproduction {
                Some(seen) => Some(self.reliability.verdict(seen)),
                None if self.options.verify => self.verify(&mut ended),
                None => None,
            };
            let is_flaky = verified
                .as_ref()
                .map(|verdict| self.learn_from_result(verdict));
            match is_flaky {
                Some(Ok(true)) => {
                    ended = self.search_on(ended);
                    continue;
                }
                Some(Err(early)) => ended = early,
                None | Some(Ok(false)) => {}
            }
            return Checked {
                ended,
                original,
                reproduction,
                verified,
            };
        }
    }

    fn verify(&mut self, ended: &mut Ended) -> Option<Verdict> {
        let [verdict] = self.run.verify([&self.base], ended)?;
        let kind = VerdictKind::of(&verdict)?;
        self.run.count(kind);
        self.run.statistics.verifications += 1;
        let input = self.base.clone();
        self.emit(&Event::Verified {
            input: &input,
            verdict: kind,
        });
        Some(verdict)
    }

    /// Cancels all tests. Their faults are ignored, and their verdicts are kept for a run that
    /// resumes.
    fn finish_tests(&mut self) {
        self.run.workers.cancel_except(|_| false);
        while self.run.workers.any_running() {
            let _ = self.collect();
        }
    }

    /// Searches until no pass has a successful proposal left, or a limit is reached.
    pub(super) fn search(&mut self) -> Ended {
        let ended = self.follow().err().unwrap_or(Ended::Complete);
        self.search_on(ended)
    }

    /// Checks the result of a search, and searches on for as long as there is a reason.
    fn search_on(&mut self, mut ended: Ended) -> Ended {
        loop {
            if matches!(ended, Ended::Stopped | Ended::Fault(_)) {
                return ended;
            }
            let goes_on = match self.look_at_result() {
                Ok(goes_on) => goes_on,
                Err(ended) => return ended,
            };
            // After a limit, only a rollback is possible.
            let is_over = match ended {
                Ended::Complete => false,
                Ended::SmallEnough => self.check_size().is_err(),
                _ => true,
            };
            if is_over || !goes_on {
                return ended;
            }
            ended = self.follow().err().unwrap_or(Ended::Complete);
        }
    }
}
