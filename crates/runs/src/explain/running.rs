//! The third stage of an explanation: its test can run.

use super::claimed::Claimed;
use super::prepared::Prepared;
use super::progress::ExplanationProgress;
use crate::broken;
use crate::exit::Exit;
use crate::problem::Problem;
use crate::test::{self, TestSetup};
use crate::tested::Tested;
use nubbin_reduce::explain::{
    ExplainError, ExplainEvent, ExplainStatistics, Explained, Explanation,
};
use std::time::Instant;

/// An explanation with its test.
pub(super) struct Running {
    pub(super) tested: Tested,
    pub(super) claimed: Claimed,
}

impl Running {
    pub(super) fn begin(claimed: Claimed) -> Result<Self, Problem> {
        let prepared = &claimed.prepared;
        let args = &prepared.args;
        let tested = Tested::of(
            &args.test,
            TestSetup::from(args),
            (&prepared.input, &prepared.sources),
            (prepared.jobs, args.quiet),
            &prepared.stop,
        )?;
        Ok(Running { tested, claimed })
    }

    /// Tests the replacements of all parts.
    pub(super) fn search(&self) -> Result<Explained, Problem> {
        let prepared = &self.claimed.prepared;
        let (args, places) = (&prepared.args, &self.tested.places);
        let clock = Instant::now();
        let clock = || clock.elapsed();
        let failure = test::failure(&args.test.failure, &self.tested.oracle);
        let mut progress = ExplanationProgress::start(args.quiet, failure);
        let mut observer = |event: &ExplainEvent, statistics: &ExplainStatistics| {
            // The run of the original that was made earlier counts once it is used.
            let elapsed = clock() + self.tested.oracle.time_before();
            progress.observe(event, statistics, elapsed);
        };
        let mut explanation = Explanation::new(prepared.subject.as_ref(), places)
            .samples(usize::from(args.search.samples))
            .jobs(places.jobs())
            .clock(&clock)
            .stop(prepared.stop.clone())
            .observer(&mut observer);
        if let Some(tests) = args.search.max_tests {
            explanation = explanation.max_tests(tests);
        }
        if let Some(time) = args.search.max_time {
            explanation = explanation.max_time(time);
        }
        let explained = explanation.run();
        progress.finish();
        explained.map_err(|error| self.problem(error))
    }

    /// Returns the reason why a search has no result.
    fn problem(&self, error: ExplainError) -> Problem {
        let Prepared {
            args,
            stop,
            subject,
            ..
        } = &self.claimed.prepared;
        match error {
            ExplainError::NotFailing { verdict } => {
                let (setup, oracle) = (TestSetup::from(args), &self.tested.oracle);
                test::not_failing(setup, oracle, subject.input(), &verdict, stop)
            }
            ExplainError::Fault(fault) => broken::cannot_run(&fault),
            error => Problem::new(Exit::Stopped, error.to_string()),
        }
    }
}
