//! The condition on the stack, from the flags and the run of the original.

use crate::exit::Exit;
use crate::problem::Problem;
use crate::settings::FailureSettings;
use crate::signals::stopped;
use nubbin_oracle::{CommandOracle, FailureKind};
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;

/// Runs the original once more, and makes its stack a condition: with `--same-stack`, and with
/// `--same-failure` if only a signal identifies the failure.
pub fn settle(
    settings: &FailureSettings,
    oracle: CommandOracle,
    input: &Input,
    stop: &Stop,
) -> Result<CommandOracle, Problem> {
    let is_only_signal = oracle.predicate().signature().is_some_and(|signature| {
        signature.kind() == FailureKind::Signal && signature.frames().is_empty()
    });
    if !oracle.has_tracer() || !settings.same_stack && !is_only_signal {
        return match settings.same_stack {
            true => Err(unsupported()),
            false => Ok(oracle),
        };
    }
    let run = input
        .with_candidate(|candidate| oracle.trace(candidate, 0, stop.token()))
        .map_err(|error| Problem::new(Exit::Test, "the test cannot be run").because(&error))?;
    if stop.is_requested() {
        return Err(stopped());
    }
    if !settings.same_stack && !CommandOracle::has_stack(&run) {
        return Ok(oracle);
    }
    oracle.with_same_stack(&run).map_err(|error| {
        Problem::new(
            Exit::NotFailing,
            "the stack of the original cannot be a condition",
        )
        .because(&error)
        .hint("leave out `--same-stack`, or check that the test may use `ptrace` on this machine")
    })
}

fn unsupported() -> Problem {
    let what = "`--same-stack` works on Linux for x86_64 and AArch64 only";
    Problem::new(Exit::Usage, what).hint("`--same-failure` compares what the program prints")
}
