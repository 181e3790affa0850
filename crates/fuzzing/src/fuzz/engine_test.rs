//! The engine as a test of scripts.

use super::batch::{Expression, script};
use crate::engine::{Profile, Shell, ShellFault};
use nubbin_oracle::{Run, Signature};
use nubbin_reduce::engine::Stop;
use nubbin_verdict::{Cancel, Unresolved};
use std::sync::atomic::{AtomicU64, Ordering};

/// The last line of a batch.
const LAST: &str = "nubbin-fuzz end";

/// The end of a script.
#[derive(Clone, Debug)]
pub(super) enum Ending {
    /// The run ended without a bug.
    Usual,
    /// The run shows a bug of the engine.
    Bug(Signature),
    /// The run hit a time, memory, or output limit.
    Limit,
    /// The script ended before its last line: the engine did not parse it, or an expression ended
    /// the process.
    Early,
    /// The run was stopped.
    Stopped,
}

/// An engine that runs scripts and returns their outcomes.
pub(super) struct EngineTest {
    pub(super) profile: Profile,
    pub(super) shell: Shell,
    pub(super) stop: Stop,
    /// The number of runs in each slot.
    runs: Box<[AtomicU64]>,
}

impl EngineTest {
    pub(super) fn new(profile: Profile, shell: Shell, stop: Stop, slots: usize) -> Self {
        EngineTest {
            profile,
            shell,
            stop,
            runs: (0..slots).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Returns the number of runs in a slot.
    pub(super) fn runs_in(&self, slot: usize) -> u64 {
        self.runs[slot].load(Ordering::Relaxed)
    }

    /// Returns the number of runs.
    pub(super) fn runs(&self) -> u64 {
        (0..self.runs.len()).map(|slot| self.runs_in(slot)).sum()
    }

    pub(super) fn run(&self, script: &[u8], slot: usize) -> Result<Ending, ShellFault> {
        let run = self.observe(script, slot)?;
        Ok(self.ending(run))
    }

    fn ending(&self, run: Run) -> Ending {
        match run.cut_short {
            Some(Unresolved::Cancelled) => Ending::Stopped,
            Some(_) => Ending::Limit,
            // A run that ended before the stop counts.
            None => self.profile.bug(run).map_or(Ending::Usual, Ending::Bug),
        }
    }

    /// Runs a batch of expressions. Its script prints a line at its end, so that a script that does
    /// not come to it is not taken for one without a bug.
    pub(super) fn run_batch(
        &self,
        batch: &[Expression],
        slot: usize,
    ) -> Result<Ending, ShellFault> {
        let mut script = self.script(batch);
        let last = format!("{}(\"{LAST}\");\n", self.profile.probed.print);
        script.extend_from_slice(last.as_bytes());
        let run = self.observe(&script, slot)?;
        let mut lines = run.stdout().split(|&byte| byte == b'\n');
        let is_whole = lines.any(|line| line.trim_ascii_end().ends_with(LAST.as_bytes()));
        Ok(match self.ending(run) {
            Ending::Usual if !is_whole => Ending::Early,
            ending => ending,
        })
    }

    /// Returns the script of several expressions.
    pub(super) fn script(&self, expressions: &[Expression]) -> Vec<u8> {
        script(self.profile.language(), expressions)
    }

    /// Runs a script and keeps its outputs.
    fn observe(&self, script: &[u8], slot: usize) -> Result<Run, ShellFault> {
        self.runs[slot].fetch_add(1, Ordering::Relaxed);
        self.shell.run(script, slot, self.stop.token())
    }

    /// Whether a script shows this bug; `None` if the run was stopped.
    pub(super) fn shows(
        &self,
        bug: &Signature,
        script: &[u8],
        slot: usize,
    ) -> Result<Option<bool>, ShellFault> {
        Ok(match self.run(script, slot)? {
            Ending::Stopped => None,
            Ending::Bug(found) => Some(found.matches(bug)),
            _ => Some(false),
        })
    }

    /// Runs a script whether or not the run was stopped, to confirm an earlier finding.
    pub(super) fn confirm(&self, script: &[u8], slot: usize) -> Result<Run, ShellFault> {
        self.runs[slot].fetch_add(1, Ordering::Relaxed);
        self.shell.run(script, slot, &Cancel::new())
    }
}
