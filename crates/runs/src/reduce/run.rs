//! A reduction from its flags to its exit code, in stages.

use super::claimed::Claimed;
use super::prepared::Prepared;
use super::running::Running;
use super::search::search;
use super::settled::Settled;
use crate::exit::Exit;
use crate::problem::Problem;
use crate::settings::ReduceSettings;

pub(super) fn run(args: ReduceSettings) -> Result<Exit, Problem> {
    let prepared = Prepared::of(args)?;
    let claimed = Claimed::of(prepared)?;
    let mut running = Running::begin(claimed)?;
    let mut log = running.open_log()?;
    let end = search(&mut running, &mut log)?;
    Settled::of(running, end)?.conclude(log)
}
