//! The runs of a command by an oracle.

use crate::command::TestCommand;
use crate::limits::Limits;
use crate::oracle::CommandOracle;
use crate::output::Keep;
use crate::run::Run;
use crate::run_error::RunError;
use crate::slot::{Slot, Task};
use nubbin_verdict::{Ask, Cancel, Candidate, Unresolved};
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

/// The number of killed runs, each of them killed again when repeated, after which the test is
/// assumed to kill itself (as `timeout -s KILL` does).
const KILLED_BY_ITSELF: u32 = 4;

impl CommandOracle {
    /// Runs the command, and repeats the run if it was killed from outside.
    pub(crate) fn run(
        &self,
        command: &TestCommand,
        candidate: &Candidate<'_>,
        ask: &Ask,
        keep: Keep,
    ) -> Result<Run, RunError> {
        self.repeat_if_killed(|| self.run_once(command, candidate, ask, keep))
    }

    /// Repeats a run that was killed from outside.
    ///
    /// # Errors
    /// Returns the error of `run`.
    pub fn repeat_if_killed<E>(&self, run: impl Fn() -> Result<Run, E>) -> Result<Run, E> {
        let was_killed = |run: &Run| {
            let is_whole = matches!(
                run.cut_short,
                None | Some(Unresolved::NotBuilt { timed_out: false })
            );
            is_whole && !run.is_matched && run.exit.is_signal(KILL)
        };
        let first = run()?;
        let is_usual = self.killed_again.load(Ordering::Relaxed) >= KILLED_BY_ITSELF;
        if !was_killed(&first) || is_usual {
            return Ok(first);
        }
        let again = run()?;
        if was_killed(&again) {
            self.killed_again.fetch_add(1, Ordering::Relaxed);
        } else {
            self.killed_again.store(0, Ordering::Relaxed);
        }
        Ok(again)
    }

    /// Runs a command once in the folder of a slot, for [`CommandOracle::judge_through`].
    ///
    /// # Errors
    /// Returns [`RunError`] if the command could not be run.
    pub fn run_once(
        &self,
        command: &TestCommand,
        candidate: &Candidate<'_>,
        ask: &Ask,
        keep: Keep,
    ) -> Result<Run, RunError> {
        let task = self.task(command, candidate, ask, keep);
        self.run_task(task, &mut self.slot(ask.slot))
    }

    /// Runs a task in a slot, with the parameters that the candidate has.
    pub(crate) fn run_task(&self, task: Task<'_>, slot: &mut Slot) -> Result<Run, RunError> {
        let ran = self.placed(task, |task| slot.run(task));
        ran.unwrap_or_else(|| Ok(Run::invalid()))
    }

    /// Calls `run` with a task in which the parameters of the candidate are filled in. Returns
    /// `None` if the text of a parameter has an open quote.
    pub(crate) fn placed<R>(&self, task: Task<'_>, run: impl FnOnce(Task<'_>) -> R) -> Option<R> {
        if self.parameters.is_empty() {
            return Some(run(task));
        }
        let apply = |command| self.parameters.apply(command, task.candidate);
        let (test, files) = apply(task.test)?;
        let build = match task.build {
            Some(build) => Some(apply(build)?.0),
            None => None,
        };
        Some(run(Task {
            test: &test,
            build: build.as_deref(),
            candidate: &Candidate::new(&files),
            ..task
        }))
    }

    /// Returns a command in which the parameters of a candidate are filled in.
    pub(crate) fn command_on<'a>(
        &self,
        command: &'a TestCommand,
        candidate: &Candidate<'a>,
    ) -> Cow<'a, TestCommand> {
        let applied = self.parameters.apply(command, candidate);
        applied.map_or(Cow::Borrowed(command), |(command, _)| command)
    }

    /// Builds a candidate, and returns the files of the candidate that the build changed or
    /// removed. Such files are results of an earlier build, not inputs.
    ///
    /// # Errors
    /// Returns [`RunError`] if the build could not be run.
    pub fn changed_by_build(
        &self,
        candidate: &Candidate<'_>,
        cancel: &Cancel,
    ) -> Result<Vec<PathBuf>, RunError> {
        let ask = Ask {
            cancel: cancel.clone(),
            ..Ask::new(0)
        };
        let Some(build) = &self.build else {
            return Ok(Vec::new());
        };
        let task = Task {
            has_stdin: false,
            ..self.task(build, candidate, &ask, Keep::default())
        };
        let changed = self.placed(task, |task| self.slot(0).changed_by(task));
        changed.unwrap_or_else(|| Ok(Vec::new()))
    }

    pub(crate) fn task<'a>(
        &'a self,
        test: &'a TestCommand,
        candidate: &'a Candidate<'a>,
        ask: &'a Ask,
        keep: Keep,
    ) -> Task<'a> {
        let limits = match self.predicate.guard() == Some(test) {
            true => self.generous_limits(),
            false => Limits {
                time: self.timeout_now(),
                busy: self.busy_timeout_now(),
                ..self.limits
            },
        };
        Task {
            test,
            build: self.build_for(test),
            has_stdin: self.has_stdin,
            candidate,
            cancel: &ask.cancel,
            limits,
            keep,
        }
    }

    /// The limits of a run that takes far longer than the test.
    pub(crate) fn generous_limits(&self) -> Limits {
        let longest = self.longest.load(Ordering::Relaxed);
        self.guard_limits(Duration::from_nanos(longest), self.limits)
    }

    /// Locks a slot. Workers beyond the number of slots share slots and wait for each other.
    pub(crate) fn slot(&self, number: usize) -> MutexGuard<'_, Slot> {
        let slot = &self.slots[number % self.slots.len()];
        // After a panic, the folder may contain files. The next test removes them.
        slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The signal that a process cannot catch.
#[cfg(unix)]
const KILL: i32 = rustix::process::Signal::KILL.as_raw();
#[cfg(not(unix))]
const KILL: i32 = 9;
