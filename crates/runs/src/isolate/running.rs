//! The third stage of an isolation: its test can run.

use super::claimed::Claimed;
use super::not_apart::{self, NotApart};
use super::prepared::Prepared;
use super::progress::IsolationProgress;
use super::{apart, log};
use crate::broken;
use crate::exit::Exit;
use crate::output::json::JsonLines;
use crate::problem::Problem;
use crate::remote;
use crate::test::{self, TestSetup};
use crate::tested::Tested;
use nubbin_reduce::isolate::{IsolateError, IsolateEvent, IsolateStatistics, Isolated, Isolation};
use std::time::Instant;

/// An isolation with its test.
pub(super) struct Running {
    pub(super) tested: Tested,
    /// The last field, so that the locks are held until the test has ended.
    pub(super) claimed: Claimed,
}

/// The end of a search.
pub(super) struct End {
    pub(super) isolated: Isolated,
    /// Whether the log was written.
    pub(super) logged: Result<(), Problem>,
}

impl Running {
    pub(super) fn begin(claimed: Claimed) -> Result<Self, Problem> {
        let Prepared {
            args,
            stop,
            failing,
            source,
            ..
        } = &claimed.prepared;
        let tested = Tested::of(
            &args.test,
            TestSetup::from(args),
            (failing, std::slice::from_ref(source)),
            (remote::jobs_here(&args.test), args.output_flags.quiet),
            stop,
        )
        .map_err(|problem| not_apart::without_failure(&claimed.prepared, problem))?;
        Ok(Running { tested, claimed })
    }

    /// Runs the search with its observers.
    pub(super) fn search(&mut self) -> Result<End, Problem> {
        let events = self.claimed.outputs.events.take();
        let mut lines = events.map(JsonLines::open).transpose()?;
        let prepared = &self.claimed.prepared;
        let (args, places) = (&prepared.args, &self.tested.places);
        let failure = test::failure(&args.test.failure, &self.tested.oracle);
        let mut progress = IsolationProgress::new(&args.output_flags, &failure);
        let clock = Instant::now();
        let clock = || clock.elapsed();
        let mut observer = |event: &IsolateEvent<'_>, statistics: &IsolateStatistics| {
            progress.observe(event, statistics);
            if let Some(lines) = &mut lines {
                log::write(lines, event, statistics);
            }
        };
        let (passing, failing) = (prepared.passing.clone(), prepared.failing.clone());
        let mut isolation = Isolation::new(passing, failing, places)
            .order(prepared.order)
            .jobs(places.jobs())
            .clock(&clock)
            .spent(prepared.started.elapsed())
            .stop(prepared.stop.clone())
            .observer(&mut observer);
        if !args.search.atom.is_empty() {
            let atoms = args.search.atom.iter().map(|atom| atom.compared());
            isolation = isolation.atoms(atoms.collect());
        }
        if let Some(tests) = args.search.max_tests {
            isolation = isolation.max_tests(tests);
        }
        if let Some(time) = args.search.max_time {
            isolation = isolation.max_time(time);
        }
        let isolated = isolation.run();
        progress.finish();
        let logged = lines.map_or(Ok(()), JsonLines::finish);
        let isolated = isolated.map_err(|error| self.problem(error))?;
        Ok(End { isolated, logged })
    }

    /// Returns the reason why a search has no result.
    fn problem(&self, error: IsolateError) -> Problem {
        let prepared = &self.claimed.prepared;
        match error {
            IsolateError::Identical => apart::identical(&prepared.args),
            IsolateError::NotApart { passing, failing } => {
                let (oracle, passing, failing) = (&self.tested.oracle, &passing, &failing);
                NotApart {
                    prepared,
                    oracle,
                    passing,
                    failing,
                }
                .problem()
            }
            IsolateError::Fault(fault) => broken::cannot_run(&fault),
            IsolateError::Stopped => Problem::new(Exit::Stopped, error.to_string()),
            error => Problem::new(Exit::Input, error.to_string()),
        }
    }
}
