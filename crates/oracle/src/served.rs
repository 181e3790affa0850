//! Tests of an oracle in the fork server of its program.

use crate::forkserver::{Coverage, Persistence, Setup, has_loop};
use crate::oracle::CommandOracle;
use crate::output::Keep;
use crate::predicate::Ended;
use crate::run::{Exit, Run};
use crate::run_error::{RunError, ServerError};
use crate::slot::ServeError;
use nubbin_verdict::{Ask, Cancel, Candidate, Limit, Unresolved};
use std::sync::PoisonError;

/// The number of tests that fork servers may fail to run before programs are started again.
const MOST_UNSERVED: u32 = 10;

/// The outcome of a run of the original in a fork server, compared with a run of the started
/// program.
#[derive(Debug)]
pub enum ServedTrial {
    /// Both runs show the same outcome.
    Same,
    /// The program has no fork server.
    NoServer(ServerError),
    /// Only the run in the fork server fails. Harnesses of fuzzers need a server.
    OnlyServed {
        /// The exit of the started program.
        started: Exit,
    },
    /// The runs differ in another way.
    Differs {
        /// The exit of the started program.
        started: Exit,
        /// The exit of the run in the server.
        served: Exit,
    },
    /// The original took different edges in two runs, so its coverage cannot be a condition.
    Unstable(Coverage, Coverage),
    /// The original took no edge, so its coverage cannot be a condition.
    NoCoverage,
}

impl CommandOracle {
    /// Returns the use of the fork server of the program. `None` means that the program is started
    /// for each test, possibly because the server could not run tests
    /// ([`CommandOracle::unserved`]).
    pub fn persistence(&self) -> Option<Persistence> {
        *self
            .persistence
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the use of the fork server for later tests. `None` starts the program for each test.
    pub fn set_persistence(&self, persistence: Option<Persistence>) {
        let kept = self.persistence.lock();
        *kept.unwrap_or_else(PoisonError::into_inner) = persistence;
    }

    /// Returns the number of tests that the fork server could not run, so that the program was
    /// started for them, and the text of the last reason.
    pub fn unserved(&self) -> (u32, Option<String>) {
        let unserved = self.unserved.lock().unwrap_or_else(PoisonError::into_inner);
        (unserved.0, unserved.1.as_ref().map(ServerError::to_string))
    }

    /// Runs the original in a fork server, and as a started program. If every run must have the
    /// coverage of the original ([`Predicate::same_coverage`](crate::Predicate::same_coverage)),
    /// this call records that coverage.
    ///
    /// The next test of the original uses the run in the server instead of a new one.
    ///
    /// # Errors
    /// Returns [`RunError`] if the command cannot be run.
    pub fn try_persistence(
        &mut self,
        original: &Candidate<'_>,
        cancel: &Cancel,
    ) -> Result<ServedTrial, RunError> {
        let ask = Ask {
            cancel: cancel.clone(),
            ..Ask::new(0)
        };
        if self.predicate.is_about_the_end() && has_loop(self.command().program()) {
            return Ok(ServedTrial::NoServer(ServerError::Loop));
        }
        let started = self.observe_original(original, cancel)?;
        let keep = self.predicate.keep();
        let serve = || self.repeat_if_killed(|| self.serve(original, &ask, keep, true));
        let served = match serve() {
            Ok(run) => run,
            Err(ServeError::Server(error)) => return Ok(ServedTrial::NoServer(error)),
            Err(ServeError::Run(error)) => return Err(error),
        };
        if cancel.is_cancelled() {
            return Ok(ServedTrial::NoServer(ServerError::Stopped));
        }
        // A loop that ends a round does not exit.
        let is_same = match self.persistence() {
            Some(Persistence::Loop) => Ended::of(started.exit) == Ended::of(served.exit),
            _ => started.exit == served.exit,
        };
        let (fails, fails_served) = (
            self.predicate.judge(&started),
            self.predicate.judge(&served),
        );
        let is_only_served = !fails.is_fail() && fails_served.is_fail();
        if !is_only_served && (!is_same || fails != fails_served) {
            return Ok(ServedTrial::Differs {
                started: started.exit,
                served: served.exit,
            });
        }
        // If the answers of a server do not belong to their tests, the second test shows it.
        let again = match serve() {
            Ok(run) => run,
            Err(ServeError::Server(error)) => return Ok(ServedTrial::NoServer(error)),
            Err(ServeError::Run(error)) => return Err(error),
        };
        let mut run = served;
        if let Some(first) = run.coverage {
            match again.coverage {
                Some(second) if second != first => return Ok(ServedTrial::Unstable(first, second)),
                _ if first.edges() == 0 => return Ok(ServedTrial::NoCoverage),
                _ => {}
            }
            let predicate = self.predicate.clone();
            self.predicate = predicate.with_coverage(first, Ended::of(run.exit));
            run = again;
        }
        self.remember(original, &run);
        Ok(match is_only_served {
            true => ServedTrial::OnlyServed {
                started: started.exit,
            },
            false => ServedTrial::Same,
        })
    }

    /// Runs the command once, in its fork server if it has one, or starts it.
    pub(crate) fn run_main(
        &self,
        candidate: &Candidate<'_>,
        ask: &Ask,
        keep: Keep,
    ) -> Result<Run, RunError> {
        if self.persistence().is_none() {
            return self.run_once(self.command(), candidate, ask, keep);
        }
        let serve = |is_new| self.serve(candidate, ask, keep, is_new);
        let served = match serve(false) {
            // Earlier tests in the same process may be the cause.
            Ok(run) if run.is_in_loop && self.is_in_doubt(&run) => serve(true),
            served => served,
        };
        match served {
            Ok(run) => Ok(run),
            Err(ServeError::Run(error)) => Err(error),
            Err(ServeError::Server(ServerError::Stopped)) => Ok(Run::cancelled()),
            // A program that is started directly has no coverage.
            Err(ServeError::Server(error)) if self.predicate.coverage().is_some() => {
                Err(RunError::Server(Box::new(error)))
            }
            Err(ServeError::Server(error)) => {
                self.count_unserved(error);
                self.run_once(self.command(), candidate, ask, keep)
            }
        }
    }

    /// Returns whether a run must be repeated in a new process before it counts.
    fn is_in_doubt(&self, run: &Run) -> bool {
        let is_over = matches!(
            run.cut_short,
            Some(Unresolved::OverLimit(Limit::Memory | Limit::Cpu))
        );
        is_over || self.predicate.judge(run).is_fail()
    }

    fn count_unserved(&self, error: ServerError) {
        let mut unserved = self.unserved.lock().unwrap_or_else(PoisonError::into_inner);
        unserved.0 += 1;
        unserved.1 = Some(error);
        if unserved.0 >= MOST_UNSERVED {
            self.set_persistence(None);
        }
    }

    fn serve(
        &self,
        candidate: &Candidate<'_>,
        ask: &Ask,
        keep: Keep,
        is_new: bool,
    ) -> Result<Run, ServeError> {
        self.serve_with(candidate, ask, keep, is_new, false)
    }

    /// Runs a candidate once in the fork server of the program, and returns the run with its edges
    /// ([`Run::taken`]), in the granularity of [`Predicate::same_coverage`].
    ///
    /// [`Predicate::same_coverage`]: crate::Predicate::same_coverage
    ///
    /// # Errors
    /// Returns [`RunError`] if the program has no fork server, or cannot be run.
    pub fn covered(
        &self,
        candidate: &Candidate<'_>,
        slot: usize,
        cancel: &Cancel,
    ) -> Result<Run, RunError> {
        let ask = Ask {
            cancel: cancel.clone(),
            ..Ask::new(slot)
        };
        let served = self.serve_with(candidate, &ask, Keep::default(), false, true);
        served.map_err(|error| match error {
            ServeError::Run(error) => error,
            ServeError::Server(error) => RunError::Server(Box::new(error)),
        })
    }

    fn serve_with(
        &self,
        candidate: &Candidate<'_>,
        ask: &Ask,
        keep: Keep,
        is_new: bool,
        keeps_edges: bool,
    ) -> Result<Run, ServeError> {
        let setup = Setup {
            persistence: self.persistence().unwrap_or_default(),
            coverage: self.predicate.coverage(),
            keeps_edges,
            has_stdin: self.has_stdin(),
            input_size: self.input_size,
        };
        let task = self.task(self.command(), candidate, ask, keep);
        self.slot(ask.slot).serve(task, setup, is_new)
    }
}
