//! Messages, shared by all commands, about runs that end without a reliable result.

use crate::exit::Exit;
use crate::problem::Problem;
use nubbin_verdict::Fault;
use std::time::Duration;

/// Returns the problem of a test that cannot be run.
pub(crate) fn cannot_run(fault: &Fault) -> Problem {
    Problem::new(Exit::Test, "the test cannot be run").because(fault)
}

/// Returns the problem of a test that ran before, and cannot be run any more.
pub(crate) fn in_the_middle(fault: &Fault) -> Problem {
    Problem::new(Exit::Test, "the test broke in the middle of the run").because(fault)
}

/// Returns the hint for a result that hits the time limit when it is tested once more.
pub(crate) fn close_to_limit(limit: Duration) -> String {
    format!("the result is close to the time limit of {limit:?}: give more with `--timeout`")
}
