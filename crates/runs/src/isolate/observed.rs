//! Runs of the test whose outputs are looked at.

use nubbin_oracle::{CommandOracle, Run};
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;

/// Runs the test on an input; `None` if it cannot run, or if the run is stopped.
pub(super) fn run_of(oracle: &CommandOracle, input: &Input, stop: &Stop) -> Option<Run> {
    input
        .with_candidate(|candidate| oracle.observe_with(candidate, 0, stop.token()))
        .ok()
        .filter(|_| !stop.is_requested())
}
