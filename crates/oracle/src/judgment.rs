//! The verdict of an oracle on a candidate.

use crate::command::TestCommand;
use crate::oracle::CommandOracle;
use crate::output::Keep;
use crate::run::Run;
use crate::run_error::RunError;
use crate::runner::{RunRequest, Runner};
use nubbin_verdict::{Ask, Cancel, Candidate, Fault, File, Oracle, Unresolved, Verdict};
use std::sync::atomic::Ordering;
use std::time::Duration;

impl CommandOracle {
    /// Returns the verdict of the conditions on a run of [`CommandOracle::observe`]. A condition on
    /// another command counts as met.
    pub fn judge_run(&self, run: &Run) -> Verdict {
        self.predicate.judge(run)
    }

    /// Decides about a candidate like [`Oracle::judge`], with runs from another machine: `run` runs
    /// a command on the candidate and keeps the requested outputs. The check before the test, the
    /// conditions, the repetition of killed runs, and the calls of the observer are the same, so a
    /// verdict does not depend on the machine of the run.
    ///
    /// # Errors
    /// Returns [`RunError`] if `run` returns one.
    pub fn judge_through(
        &self,
        candidate: &Candidate<'_>,
        ask: &Ask,
        run: &dyn Fn(&TestCommand, Keep) -> Result<Run, RunError>,
    ) -> Result<Verdict, RunError> {
        if ask.cancel.is_cancelled() {
            return Ok(Verdict::Unresolved(Unresolved::Cancelled));
        }
        let files = candidate.files().iter();
        let files: Vec<File<'_>> = files
            .filter(|it| !self.parameters.has(it.name))
            .copied()
            .collect();
        let own = Candidate::new(&files);
        let validity = self.validity.as_deref();
        if validity.is_some_and(|validity| !validity.is_valid(&own)) {
            return Ok(Verdict::Unresolved(Unresolved::Invalid));
        }
        let needed = match self.keep_outputs {
            true => Keep::BOTH,
            false => self.predicate.keep(),
        };
        let is_watched = self.last_output.is_wanted();
        let keep = match is_watched {
            true => needed.with_outputs(),
            false => needed,
        };
        let mut main = match self.take_remembered(candidate, keep) {
            Some(run) => run,
            None => self.repeat_if_killed(|| run(&self.command, keep))?,
        };
        // The output limit applies only to outputs that a condition reads.
        if keep != needed && main.cut_short == Some(Unresolved::OutputLimit) {
            main = self.repeat_if_killed(|| run(&self.command, needed))?;
        }
        let rerun = |command: &TestCommand| self.repeat_if_killed(|| run(command, Keep::STDOUT));
        let (mut verdict, other) = self.judge_all(&main, &rerun)?;
        if verdict.is_fail()
            && let Some(traced) = self.traced_if_wanted(candidate, ask)?
        {
            verdict = self.predicate.judge_stack(&traced);
            main.stack = traced.stack;
        }
        if verdict.is_fail() {
            for run in std::iter::once(&main).chain(&other) {
                let nanos = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
                let cpu = run.cpu.unwrap_or(run.elapsed);
                self.longest
                    .fetch_max(nanos(run.elapsed), Ordering::Relaxed);
                self.most_cpu.fetch_max(nanos(cpu), Ordering::Relaxed);
            }
        }
        if is_watched {
            self.last_output.note(&main, &verdict, candidate.size());
            // The result is the same whether an observer wants the output or not.
            main.stdout = main.stdout.filter(|_| needed.stdout);
            main.stderr = main.stderr.filter(|_| needed.stderr);
        }
        if let Some(observer) = &self.observer {
            observer.judged(candidate, &main, &verdict);
        }
        Ok(verdict)
    }

    /// Returns whether all conditions hold for a run.
    pub(crate) fn fails_wholly(
        &self,
        run: &Run,
        candidate: &Candidate<'_>,
        cancel: &Cancel,
    ) -> Result<bool, RunError> {
        let ask = Ask {
            cancel: cancel.clone(),
            ..Ask::new(0)
        };
        let (verdict, _) = self.judge_wholly(run, candidate, &ask, Keep::STDOUT)?;
        Ok(verdict.is_fail())
    }

    /// Returns the verdict of all conditions on a run, with the run of the other command if needed.
    pub(crate) fn judge_wholly(
        &self,
        main: &Run,
        candidate: &Candidate<'_>,
        ask: &Ask,
        keep: Keep,
    ) -> Result<(Verdict, Option<Run>), RunError> {
        self.judge_all(main, &|command| self.run(command, candidate, ask, keep))
    }
}

impl Oracle for CommandOracle {
    fn judge(&self, candidate: &Candidate<'_>, ask: &Ask) -> Result<Verdict, Fault> {
        let run = |command: &TestCommand, keep| match std::ptr::eq(command, &self.command) {
            true => self.run_main(candidate, ask, keep),
            false => self.run_once(command, candidate, ask, keep),
        };
        self.judge_through(candidate, ask, &run).map_err(Fault::new)
    }
}

impl Runner for CommandOracle {
    fn observe_request(&self, request: &RunRequest<'_>) -> Result<Run, RunError> {
        self.observe_other(
            request.command,
            request.candidate,
            request.slot,
            request.cancel,
        )
    }
}
