//! An explanation from its settings to its exit code, in stages.

use super::claimed::Claimed;
use super::prepared::Prepared;
use super::running::Running;
use super::settled::Settled;
use crate::exit::Exit;
use crate::problem::Problem;
use crate::settings::ExplainSettings;

pub fn run(args: ExplainSettings) -> Result<Exit, Problem> {
    let prepared = Prepared::of(args)?;
    let claimed = Claimed::of(prepared)?;
    let running = Running::begin(claimed)?;
    let explained = running.search()?;
    Settled::of(running, explained)?.conclude()
}
