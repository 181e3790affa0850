//! The failure of the original, if the conditions would also accept other failures.

use crate::events::ChangedFailure;
use nubbin_oracle::{CommandOracle, Run, Signature};

/// The failure of the original, if it can be distinguished from other failures and the conditions
/// do not require it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFailure {
    signature: Signature,
    /// The lines of the outputs that meet the conditions.
    lines: Vec<Vec<u8>>,
    is_loose: bool,
}

impl KeptFailure {
    /// Returns the failure of the original's run; `None` if no other failure meets the conditions,
    /// or if nothing distinguishes this failure from others.
    pub fn of(oracle: &CommandOracle, run: &Run) -> Option<Self> {
        let conditions = oracle.predicate();
        if !conditions.accepts_others() || !oracle.judge_run(run).is_fail() {
            return None;
        }
        let signature = Signature::of(run).filter(|it| !it.is_general())?;
        Some(KeptFailure {
            signature,
            lines: conditions.lines(run),
            is_loose: conditions.is_loose(run),
        })
    }

    /// Returns a message for the start of a run if many other failures would meet the conditions.
    pub fn told_at_start(&self) -> Option<String> {
        self.is_loose.then(|| {
            format!(
                "other failures that meet this count as well; `--same-failure` keeps only this one: {}",
                self.signature
            )
        })
    }

    /// Returns the failures of the original and of the result if they differ. Both failures meet
    /// the conditions.
    pub fn changed(&self, oracle: &CommandOracle, result: &Run) -> Option<ChangedFailure> {
        if !oracle.judge_run(result).is_fail() {
            return None;
        }
        let found = Signature::of(result)?;
        // The whole line that the user described is there, among other messages perhaps.
        let lines = oracle.predicate().lines(result);
        let shares_line = self.lines.iter().any(|line| lines.contains(line));
        (!shares_line && !self.signature.may_match(&found)).then(|| ChangedFailure {
            original: self.signature.to_string(),
            result: found.to_string(),
        })
    }
}
