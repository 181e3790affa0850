//! The verdict of conditions that take more than one run of the test.

use crate::command::TestCommand;
use crate::limits::Limits;
use crate::oracle::CommandOracle;
use crate::run::Run;
use crate::run_error::RunError;
use nubbin_verdict::{Unresolved, Verdict};
use std::time::Duration;

/// The least time limit of the guard. It builds the candidate in several ways.
const LEAST_GUARD: Duration = Duration::from_secs(20);
/// The time limit of the guard, as a multiple of the time of the longest failing run: a program
/// with sanitizers is slower.
const TIMES_GUARD: u32 = 100;

/// Runs a command on a candidate.
pub(crate) type RunOther<'a> = &'a dyn Fn(&TestCommand) -> Result<Run, RunError>;

impl CommandOracle {
    /// Returns the verdict of a run of the main command, and the run of the command to compare with
    /// if there was any. What costs further runs is asked only about candidates that would be
    /// adopted otherwise.
    pub(crate) fn judge_all(
        &self,
        main: &Run,
        run: RunOther<'_>,
    ) -> Result<(Verdict, Option<Run>), RunError> {
        let verdict = self.predicate.judge(main);
        let (verdict, compared) = match self.predicate.other_command() {
            Some(other) if verdict.is_fail() => {
                let compared = run(other)?;
                (
                    self.judge_difference(main, (other, &compared), run)?,
                    Some(compared),
                )
            }
            _ => (verdict, None),
        };
        match self.predicate.guard() {
            Some(guard) if verdict.is_fail() => Ok((guarded(&run(guard)?), compared)),
            _ => Ok((verdict, compared)),
        }
    }

    /// Compares the runs of both commands. A difference counts only if each run is the same when it
    /// is repeated, since a program that prints an address or an uninitialized value differs from
    /// any.
    fn judge_difference(
        &self,
        main: &Run,
        (other, compared): (&TestCommand, &Run),
        run: RunOther<'_>,
    ) -> Result<Verdict, RunError> {
        let verdict = self.predicate.compare(main, compared);
        if !verdict.is_fail() {
            return Ok(verdict);
        }
        for (command, earlier) in [(self.command(), main), (other, compared)] {
            let again = run(command)?;
            if again.cut_short == Some(Unresolved::Cancelled) {
                return Ok(Verdict::Unresolved(Unresolved::Cancelled));
            }
            if !self.predicate.is_repeated(earlier, &again) {
                return Ok(Verdict::Unresolved(Unresolved::DiffersFromItself));
            }
        }
        Ok(verdict)
    }

    /// Returns the limits on the guard. Limits that follow from the time of the test are too narrow
    /// for the guard.
    pub(crate) fn guard_limits(&self, longest: Duration, limits: Limits) -> Limits {
        let enough = (longest * TIMES_GUARD).max(LEAST_GUARD);
        Limits {
            time: Some(limits.time.map_or(enough, |most| most.min(enough))),
            busy: None,
            ..limits
        }
    }
}

/// Returns the verdict on a failing candidate by the run of the guard.
fn guarded(run: &Run) -> Verdict {
    match &run.cut_short {
        Some(Unresolved::Cancelled) => Verdict::Unresolved(Unresolved::Cancelled),
        None if run.exit.code() == Some(0) => Verdict::Fail,
        _ => Verdict::Unresolved(Unresolved::Refused),
    }
}
