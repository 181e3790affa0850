//! An isolation from its settings to its exit code, in stages.

use super::claimed::Claimed;
use super::prepared::Prepared;
use super::running::Running;
use super::settled::Settled;
use crate::exit::Exit;
use crate::problem::Problem;
use crate::settings::IsolateSettings;

pub fn run(args: IsolateSettings) -> Result<Exit, Problem> {
    let prepared = Prepared::of(args)?;
    let claimed = Claimed::of(prepared)?;
    let mut running = Running::begin(claimed)?;
    let end = running.search()?;
    Settled::of(running, end)?.conclude()
}
