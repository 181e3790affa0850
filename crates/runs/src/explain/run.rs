//! An explanation from its settings to its exit code, in stages. It writes no file, and so has none
//! to claim.

use super::prepared::Prepared;
use super::running::Running;
use super::settled::Settled;
use crate::exit::Exit;
use crate::problem::Problem;
use crate::settings::ExplainSettings;

pub fn run(args: ExplainSettings) -> Result<Exit, Problem> {
    let prepared = Prepared::of(args)?;
    let running = Running::begin(prepared)?;
    let explained = running.search()?;
    Settled::of(running, explained).conclude()
}
