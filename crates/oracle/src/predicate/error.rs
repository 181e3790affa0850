//! The reasons why conditions cannot be used.

use crate::run::Exit;
use nubbin_verdict::Unresolved;
use std::fmt;

/// The reason why a predicate cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PredicateError {
    /// The text is not a list of exit codes.
    #[error("`{text}` is not an exit code: write numbers from 0 to 255, such as `1` or `1,2,101`")]
    ExitCode {
        /// The text that was given.
        text: String,
    },
    /// There is no signal of this name or number.
    #[error("unknown signal `{text}`: write a name or number, such as `SEGV`, `SIGABRT`, or `11`")]
    Signal {
        /// The text that was given.
        text: String,
    },
    /// The regular expression has a syntax error.
    #[error(
        "`{text}` is not a regular expression: {why}; to search for it literally, write \
         `{escaped}`"
    )]
    Regex {
        /// The text that was given.
        text: String,
        /// The error in the expression.
        why: String,
        /// The text with a backslash before each special character.
        escaped: String,
    },
    /// No run can meet both conditions.
    #[error("no run can meet two of the conditions: {one} and {other}")]
    Conflict {
        /// The first condition.
        one: Condition,
        /// The second condition.
        other: Condition,
    },
    /// The run whose failure should be reproduced shows no failure.
    #[error(
        "the run shows no failure to reproduce: it ended with {exit} and printed no known error \
         message"
    )]
    NoFailure {
        /// The exit of the run.
        exit: Exit,
    },
    /// The run whose stack should be reproduced shows none.
    #[error(
        "the run shows no stack to compare: it ended with {exit}, and no process of it crashed in \
         a function of its own"
    )]
    NoStack {
        /// The exit of the run.
        exit: Exit,
    },
    /// The run whose failure should be reproduced was stopped early.
    #[error("the failure cannot be recognized, because its run was stopped early: {reason}")]
    CutShort {
        /// The reason why the run was stopped early.
        reason: Unresolved,
    },
}

/// A kind of condition on a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The run ends with one of the given exit codes.
    ExitCode,
    /// The run ends by a given signal.
    Signal,
    /// The run takes until the time limit.
    Timeout,
    /// The run differs from the run of another command.
    Difference,
    /// The run shows a given failure.
    SameFailure,
    /// The run crashes with a given stack.
    SameStack,
    /// The run has the coverage of the original.
    SameCoverage,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Condition::ExitCode => "an exit code",
            Condition::Signal => "a signal",
            Condition::Timeout => "running until the time limit",
            Condition::Difference => "a difference from another command",
            Condition::SameFailure => "the same failure",
            Condition::SameStack => "the same stack",
            Condition::SameCoverage => "the same coverage",
        })
    }
}
