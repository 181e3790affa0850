//! Conditions on the stack at the signal that kills the program.

use crate::oracle::CommandOracle;
use crate::predicate::PredicateError;
use crate::run::Run;
use crate::run_error::RunError;
use crate::signature::Signature;
use crate::slot::Task;
use nubbin_verdict::{Ask, Cancel, Candidate};

impl CommandOracle {
    /// Runs the test once under the tracer of the options, and keeps both outputs. [`Run::stack`]
    /// has the crash of any process of the run. Without a tracer there is no stack.
    ///
    /// The program is started, even if tests run in a fork server. The limits are generous, since
    /// reading the symbols of a large program takes time.
    ///
    /// # Errors
    /// Returns [`RunError`] if the command cannot be run.
    pub fn trace(
        &self,
        candidate: &Candidate<'_>,
        slot: usize,
        cancel: &Cancel,
    ) -> Result<Run, RunError> {
        let ask = Ask {
            cancel: cancel.clone(),
            ..Ask::new(slot)
        };
        let task = self.task(self.command(), candidate, &ask, crate::output::Keep::BOTH);
        let task = Task {
            limits: self.generous_limits(),
            ..task
        };
        let mut slot = self.slot(slot);
        let ran = self.placed(task, |task| slot.run_traced(task, self.tracer.as_ref()));
        ran.unwrap_or_else(|| Ok(Run::invalid()))
    }

    /// Returns whether the options have a tracer.
    pub fn has_tracer(&self) -> bool {
        self.tracer.is_some()
    }

    /// Returns whether a run of [`CommandOracle::trace`] crashed in the program's own code.
    pub fn has_stack(run: &Run) -> bool {
        let stack = run.stack.as_ref().and_then(Signature::of_stack);
        stack.is_some_and(|stack| !stack.frames().is_empty())
    }

    /// Requires that a run crashes with the stack of `run`, a run of [`CommandOracle::trace`]. Each
    /// run that meets all other conditions is repeated under the tracer.
    ///
    /// Without a condition on the exit, the exit must equal the exit of `run`, so that only crashes
    /// are repeated.
    ///
    /// # Errors
    /// Returns [`PredicateError::NoStack`] if nothing crashed, or if no frame of the stack is the
    /// program's own.
    pub fn with_same_stack(mut self, run: &Run) -> Result<Self, PredicateError> {
        let stack = run.stack.as_ref().and_then(Signature::of_stack);
        let no_stack = PredicateError::NoStack { exit: run.exit };
        let stack = stack.filter(|it| !it.frames().is_empty()).ok_or(no_stack)?;
        let predicate = self.predicate.clone();
        let predicate = match predicate.is_default() {
            true => predicate.with_exit(run.exit),
            false => predicate,
        };
        let predicate = predicate.same_stack(stack);
        predicate.check()?;
        self.predicate = predicate;
        Ok(self)
    }

    /// Runs the test under the tracer if its stack is a condition.
    pub(crate) fn traced_if_wanted(
        &self,
        candidate: &Candidate<'_>,
        ask: &Ask,
    ) -> Result<Option<Run>, RunError> {
        if self.predicate.stack().is_none() {
            return Ok(None);
        }
        self.trace(candidate, ask.slot, &ask.cancel).map(Some)
    }
}
