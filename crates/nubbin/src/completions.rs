//! `nubbin completions`: scripts for shells, from the definitions of the command line.

use crate::exit::Exit;
use crate::flags::CommandLine;
use crate::print::print;
use crate::problem::Problem;
use clap::CommandFactory;
use clap_complete::Shell;

pub(crate) fn run(shell: Shell) -> Result<Exit, Problem> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut CommandLine::command(), "nubbin", &mut script);
    print(&String::from_utf8_lossy(&script))
}
